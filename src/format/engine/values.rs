//! Writes named values: adds, changes, renames and removes members of an object.

use crate::dialog::{
    ApiCall, CallPart, Content, Dialog, EditError, EditValue, Extent, Field, Payload, Short,
};
use crate::format::engine::edit::not_editable;
use crate::format::engine::read::content;
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Value};

/// Why a slot of the dialogue state does not take a list of values.
pub const ONE_VALUE: &str = "a slot of this format has one value";

/// Returns a value as it is written.
pub fn written(new: &EditValue) -> NewValue {
    written_content(&new.content())
}

pub fn written_content(content: &Content) -> NewValue {
    match content {
        Content::Text(text) => NewValue::String(text.to_string()),
        Content::Raw(raw) => NewValue::Raw(raw.to_string()),
    }
}

/// Returns the arguments or the response of a new call.
pub fn written_payload(payload: &Payload) -> NewValue {
    match payload {
        Payload::Fields(fields) => {
            let member = |field: &Field| (field.name.to_string(), written_content(&field.content));
            NewValue::Map(fields.iter().map(member).collect())
        }
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => {
            NewValue::String(text.to_string())
        }
    }
}

/// Makes one payload of the last call of a turn JSON in a string, laid out as that of another call.
pub fn embed(dialog: &mut Dialog, turn: usize, part: CallPart) {
    fn of(call: &ApiCall, part: CallPart) -> Option<&Payload> {
        match part {
            CallPart::Arguments => call.arguments.as_ref(),
            CallPart::Response => call.response.as_ref(),
        }
    }
    let is_like = |text: &&Short| {
        let mut parser = Parser::new();
        let tree = parser.parse_str(text);
        tree.is_ok_and(|tree| tree.root().members().next().is_some())
    };
    let (before, after) = dialog.turns.split_at((turn + 1).min(dialog.turns.len()));
    let turns = before.iter().rev().chain(after);
    let calls = turns.flat_map(|turn| turn.calls.iter().rev());
    let mut texts = calls.filter_map(|call| of(call, part)?.text());
    let like = texts.find(is_like).map_or(r#"{"a": 1}"#, |like| like.as_str());
    let call = dialog.turns.get(turn).and_then(|turn| turn.calls.last());
    let new = call.and_then(|call| of(call, part)).map(written_payload);
    let Some(new @ NewValue::Map(_)) = new else {
        return;
    };
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_str(like) else {
        return;
    };
    let editor = Editor::new(&tree, Escapes::seen_in(like));
    let text = Patch::from(editor.replace(tree.root(), &new)).apply(like);
    let text = Some(Payload::Embedded { text: text.trim().into(), at: Extent::default() });
    if let Some(call) = dialog.turns.get_mut(turn).and_then(|turn| turn.calls.last_mut()) {
        match part {
            CallPart::Arguments => call.arguments = text,
            CallPart::Response => call.response = text,
        }
    }
}

/// Returns the object at a place of the text.
///
/// # Errors
/// If there is another value, or none: readers replace those by an empty element.
pub fn object_at<'a>(
    editor: &Editor<'a>,
    at: Extent,
    what: &'static str,
) -> Result<Value<'a>, EditError> {
    let value = editor.tree().value_at(at.start).filter(|_| at.is_placed());
    match value.map(|value| (value.kind(), value)) {
        Some((NodeKind::Object, value)) => Ok(value),
        Some((other, _)) => Err(not_editable(what, &format!("it is {}", other.name()))),
        None => Err(not_editable(what, &"it is not there")),
    }
}

/// Sets the member `key` of an object to `new`, or adds it as other objects of the text have it.
pub fn set<'a>(editor: &Editor<'a>, object: Value<'a>, key: &str, new: &NewValue) -> Splice {
    match object.get(key) {
        Some(value) => editor.replace(value, new),
        None => editor.add_member(object, key, new, editor.holder(key, object)),
    }
}

/// Appends values to the array under `key` of an object, which is added if it is missing or null.
///
/// # Errors
/// If there is another value, which would be lost, or no object.
pub fn append<'a>(
    editor: &Editor<'a>,
    object: Value<'a>,
    key: &'static str,
    new: Vec<NewValue>,
) -> Result<Splice, EditError> {
    if object.kind() != NodeKind::Object {
        return Err(not_editable(key, &format!("it is in {}", object.kind().name())));
    }
    let Some(value) = object.get(key) else {
        return Ok(set(editor, object, key, &NewValue::Array(new)));
    };
    let like = editor.namesake(key, value);
    match value.kind() {
        NodeKind::Array => Ok(editor.insert(value, usize::MAX, &new, like)),
        NodeKind::Null => Ok(editor.replace_like(value, &NewValue::Array(new), like)),
        other => Err(not_editable(key, &format!("it is {}", other.name()))),
    }
}

/// Sets the member `key` of `object` to `new`, or appends it.
///
/// # Errors
/// If the value is not an object.
pub fn set_member<'a>(
    editor: &Editor<'a>,
    object: Value<'a>,
    key: &str,
    new: &NewValue,
) -> Result<Splice, EditError> {
    if object.kind() != NodeKind::Object {
        let found = object.kind().name();
        return Err(not_editable("it", &format!("{found} is not an object")));
    }
    Ok(match object.get(key) {
        Some(value) => editor.replace(value, new),
        None => editor.add_member(object, key, new, None),
    })
}

/// Removes members of `object`, ignoring names that it does not have.
pub fn remove_members<'a>(editor: &Editor<'a>, object: Value<'a>, names: &[&str]) -> Vec<Splice> {
    let gone = |key: Value<'_>| names.iter().any(|name| key.is_text(name));
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    for (position, (key, _)) in object.members().enumerate() {
        if !gone(key) {
            continue;
        }
        match ranges.last_mut() {
            // Neighbours share a comma.
            Some(last) if last.end == position => last.end += 1,
            _ => ranges.push(position..position + 1),
        }
    }
    let remove = |range| editor.remove(object, range);
    ranges.into_iter().map(remove).collect()
}

/// Gives `object` exactly these members, in this order. Members already in place stay untouched.
///
/// # Errors
/// If the value is not an object.
pub fn set_members<'a>(
    editor: &Editor<'a>,
    object: Value<'a>,
    wanted: &[(&str, &EditValue)],
) -> Result<Vec<Splice>, EditError> {
    let keys = object.members().map(|(key, _)| key.as_str());
    let keys: Vec<_> = keys.map(Option::unwrap_or_default).collect();
    let keys: Vec<&str> = keys.iter().map(AsRef::as_ref).collect();
    let names: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
    let gone = |key: &&str| !names.contains(key);
    let new = |name: &&str| !keys.contains(name);
    let stays = keys.iter().copied().filter(|key| !gone(key));
    let after: Vec<&str> = stays.chain(names.iter().copied().filter(new)).collect();
    let is_object = object.kind() == NodeKind::Object;
    if !is_object || after == names && !are_renamed(&keys, &names) {
        let gone: Vec<_> = keys.iter().copied().filter(gone).collect();
        return change_members(editor, object, &gone, wanted);
    }
    // Each place with the name and value to write there.
    let (here, more) = wanted.split_at(keys.len().min(wanted.len()));
    if more.len() > 1 {
        let member = |(name, new): &(&str, &EditValue)| ((*name).to_owned(), written(new));
        let all = NewValue::Map(wanted.iter().map(member).collect());
        return Ok(vec![editor.replace(object, &all)]);
    }
    let mut splices = Vec::new();
    for ((key, value), (name, new)) in object.members().zip(here) {
        if !key.is_text(name) {
            splices.push(editor.set_string(key, name));
        }
        if content(value) != new.content() {
            splices.push(editor.replace(value, &written(new)));
        }
    }
    if here.len() < keys.len() {
        splices.push(editor.remove(object, here.len()..keys.len()));
    }
    let more = more.iter();
    splices.extend(more.map(|(name, new)| editor.add_member(object, name, &written(new), None)));
    Ok(splices)
}

/// True if `keys` become `names` by renaming some of them in place.
fn are_renamed(keys: &[&str], names: &[&str]) -> bool {
    let stays =
        |(key, name): (&&str, &&str)| key == name || !names.contains(key) && !keys.contains(name);
    keys.len() == names.len() && keys.iter().zip(names).all(stays)
}

/// Removes the members `gone` of `object`, sets others, and appends new ones. All others stay untouched.
///
/// # Errors
/// If the value is not an object.
pub fn change_members<'a>(
    editor: &Editor<'a>,
    object: Value<'a>,
    gone: &[&str],
    wanted: &[(&str, &EditValue)],
) -> Result<Vec<Splice>, EditError> {
    let is_gone = |key: Value<'_>| gone.iter().any(|name| key.is_text(name));
    let new: Vec<_> = wanted.iter().filter(|(name, _)| object.get(name).is_none()).collect();
    let removes = object.members().any(|(key, _)| is_gone(key));
    if new.len() > 1 || removes && !new.is_empty() {
        // These would be several splices at one place, so rewrite the object with all members that stay.
        let stays = object.members().filter(|(key, _)| !is_gone(*key));
        let mut all: Vec<_> = stays
            .map(|(key, value)| {
                let new = wanted.iter().find(|(name, _)| key.is_text(name));
                let name = key.as_str().unwrap_or_default().into_owned();
                let raw = || NewValue::Raw(value.raw().to_owned());
                (name, new.map_or_else(raw, |(_, new)| written(new)))
            })
            .collect();
        let behind = new.iter().map(|(name, new)| ((*name).to_owned(), written(new)));
        all.extend(behind);
        return Ok(vec![editor.replace(object, &NewValue::Object(all))]);
    }
    let mut splices = remove_members(editor, object, gone);
    for (name, new) in wanted {
        match object.get(name) {
            Some(value) if content(value) == new.content() => {}
            _ => splices.push(set_member(editor, object, name, &written(new))?),
        }
    }
    Ok(splices)
}
