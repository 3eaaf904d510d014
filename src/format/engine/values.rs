//! Writes named values: adds, changes, renames and removes members of an object.

use crate::dialog::{CallPart, Content, Dialog, EditValue, Extent, Field, Payload, Short};
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Value};

/// Returns the arguments or the response of a new call.
pub fn written_payload(payload: &Payload) -> NewValue {
    match payload {
        Payload::Fields(fields) => {
            let member = |field: &Field| (field.name.to_string(), NewValue::from(&field.content));
            NewValue::Map(fields.iter().map(member).collect())
        }
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => {
            NewValue::String(text.to_string())
        }
    }
}

/// Makes one payload of the last call of a turn JSON in a string, laid out as that of another call.
pub fn embed(dialog: &mut Dialog, turn: usize, part: CallPart) {
    let is_like = |text: &&Short| {
        let mut parser = Parser::new();
        let tree = parser.parse_str(text);
        tree.is_ok_and(|tree| tree.root().members().next().is_some())
    };
    let (before, after) = dialog.turns.split_at((turn + 1).min(dialog.turns.len()));
    let turns = before.iter().rev().chain(after);
    let calls = turns.flat_map(|turn| turn.calls.iter().rev());
    let mut texts = calls.filter_map(|call| call.payload(part)?.text());
    let like = texts.find(is_like).map_or(r#"{"a": 1}"#, |like| like.as_str());
    let call = dialog.turns.get(turn).and_then(|turn| turn.calls.last());
    let new = call.and_then(|call| call.payload(part)).map(written_payload);
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
        *call.payload_mut(part) = text;
    }
}

/// Returns the object at a place of the text; None if there is another value, or none.
pub fn object_at<'a>(editor: &Editor<'a>, at: Extent) -> Option<Value<'a>> {
    let value = editor.tree().value_at(at.start).filter(|_| at.is_placed());
    value.filter(|value| value.kind() == NodeKind::Object)
}

/// Sets the member `key` of an object to `new`, or adds it as other objects of the text have it.
pub fn set<'a>(editor: &Editor<'a>, object: Value<'a>, key: &str, new: &NewValue) -> Splice {
    match object.get(key) {
        Some(value) => editor.replace(value, new),
        None => editor.add_member(object, key, new, editor.holder(key, object)),
    }
}

/// Appends values to the array under `key` of an object, which is added if it is missing or null; None if there is
/// another value, which would be lost.
pub fn append<'a>(
    editor: &Editor<'a>,
    object: Value<'a>,
    key: &str,
    new: Vec<NewValue>,
) -> Option<Splice> {
    let Some(value) = object.get(key) else {
        let is_object = object.kind() == NodeKind::Object;
        return is_object.then(|| set(editor, object, key, &NewValue::Array(new)));
    };
    let like = editor.namesake(key, value);
    match value.kind() {
        NodeKind::Array => Some(editor.insert(value, usize::MAX, &new, like)),
        NodeKind::Null => Some(editor.replace_like(value, &NewValue::Array(new), like)),
        _ => None,
    }
}

/// Gives `object` exactly these members, in this order. Members already in place stay untouched. None for another value.
pub fn set_members<'a>(
    editor: &Editor<'a>,
    object: Value<'a>,
    wanted: &[(&str, &EditValue)],
) -> Option<Vec<Splice>> {
    if object.kind() != NodeKind::Object {
        return None;
    }
    let find = |key: Value<'_>| wanted.iter().find(|(name, _)| key.is_text(name));
    let members = || object.members().enumerate();
    let (stay, gone): (Vec<_>, Vec<_>) = members().partition(|(_, (key, _))| find(*key).is_some());
    let are_in_order = stay.iter().zip(wanted).all(|((_, (key, _)), (name, _))| key.is_text(name));
    let new = &wanted[stay.len().min(wanted.len())..];
    // Several splices may not be at one place.
    if !are_in_order || new.len() + usize::from(!gone.is_empty()) > 1 {
        let member = |(name, new): &(&str, &EditValue)| {
            let is_same = |own: &Value<'_>| Content::of(*own) == new.content();
            let own = object.get(name).filter(is_same);
            let value =
                own.map_or_else(|| NewValue::from(*new), |own| NewValue::Raw(own.raw().to_owned()));
            ((*name).to_owned(), value)
        };
        let new = NewValue::Map(wanted.iter().map(member).collect());
        return Some(vec![editor.replace(object, &new)]);
    }
    let mut splices: Vec<_> = gone
        .chunk_by(|(one, _), (next, _)| one + 1 == *next)
        .map(|run| editor.remove(object, run[0].0..run[0].0 + run.len()))
        .collect();
    for ((_, (_, value)), (_, new)) in stay.iter().zip(wanted) {
        if Content::of(*value) != new.content() {
            splices.push(editor.replace(*value, &NewValue::from(*new)));
        }
    }
    let added =
        new.iter().map(|(name, new)| editor.add_member(object, name, &NewValue::from(*new), None));
    splices.extend(added);
    Some(splices)
}
