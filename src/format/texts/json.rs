//! Calls that are the JSON of a text, an object with a name or a list of such objects, as `ShareGPT` and
//! LLaMA-Factory write them.

use crate::dialog::{ApiCall, Extent, Field, Payload};
use crate::format::engine::read::{extent, members};
use crate::format::engine::values::{object_at, set, written_payload};
use crate::format::families::homes::{ARGUMENTS, NAME};
use crate::format::families::taskmaster::all_fields;
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Value};

/// Returns a text of calls with them as they are in `new`; None if there are more or fewer of them, or they are not JSON.
pub fn with_calls(json: &str, old: &[ApiCall], new: &[ApiCall]) -> Option<String> {
    let placed = calls_in(json, None);
    let mut parser = Parser::new();
    let tree = parser.parse_str(json).ok()?;
    let editor = Editor::new(&tree, Escapes::seen_in(json));
    if placed.len() != old.len() || old.len() != new.len() {
        return None;
    }
    let mut splices = Vec::new();
    for (own, (old, new)) in placed.iter().zip(old.iter().zip(new)) {
        let object = object_at(&editor, own.at)?;
        if old.name != new.name {
            let name = NewValue::String(new.name.to_string());
            splices.push(set(&editor, object, NAME, &name));
        }
        if let Some(payload) = new.arguments.as_ref().filter(|_| old.arguments != new.arguments) {
            let key = arguments_key(object);
            match (&old.arguments, payload, object.get(key)) {
                (Some(Payload::Fields(old)), Payload::Fields(new), Some(members)) => {
                    splices.extend(changed_members(&editor, members, old, new));
                }
                (_, payload, _) => {
                    splices.push(set(&editor, object, key, &written_payload(payload)));
                }
            }
        }
    }
    Some(Patch::new(splices).ok()?.apply(json))
}

/// Returns the splices that make the members of an object, which were read as `old`, those of `new`. Fields of both have
/// a place in the file; those of `new` without one are added.
fn changed_members<'a>(
    editor: &Editor<'a>,
    object: Value<'a>,
    old: &[Field],
    new: &[Field],
) -> Vec<Splice> {
    let kept: Vec<_> = new.iter().filter(|field| field.at.is_placed()).collect();
    let is_all = kept.len() == old.len();
    let mut kept = kept.into_iter().peekable();
    let mut splices = Vec::new();
    for (place, ((key, value), own)) in object.members().zip(old).enumerate() {
        let Some(field) = kept.next_if(|field| is_all || field.name == own.name) else {
            splices.push(editor.remove(object, place..place + 1));
            continue;
        };
        if field.name != own.name {
            splices.push(editor.set_string(key, &field.name));
        }
        if field.content != own.content {
            splices.push(editor.replace(value, &NewValue::from(&field.content)));
        }
    }
    for field in new.iter().filter(|field| !field.at.is_placed()) {
        let value = NewValue::from(&field.content);
        splices.push(editor.add_member(object, &field.name, &value, None));
    }
    splices
}

/// Returns the calls in a text, which is an object with a name or a list of such objects; empty if it is anything
/// else. Each call is at `at` if given, otherwise at its place in the text.
pub fn calls_in(text: &str, at: Option<Extent>) -> Vec<ApiCall> {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_str(text) else {
        return Vec::new();
    };
    let root = tree.root();
    let objects: Vec<_> = match root.kind() {
        NodeKind::Object => vec![root],
        _ => root.elements().collect(),
    };
    let calls: Option<Vec<ApiCall>> = objects.into_iter().map(|object| call(object, at)).collect();
    calls.unwrap_or_default()
}

/// Returns the member of a call with its arguments, which models write in several ways.
fn arguments_key(object: Value<'_>) -> &'static str {
    let fits = |value: Value<'_>| matches!(value.kind(), NodeKind::Object | NodeKind::String);
    ARGUMENTS.of(object, fits).map_or("arguments", |(key, _)| key)
}

fn call(object: Value<'_>, at: Option<Extent>) -> Option<ApiCall> {
    let name = object.get(NAME)?.as_str()?;
    let placed = |value: Value<'_>| at.unwrap_or_else(|| extent(value));
    let mut call = ApiCall { name: name.into(), at: placed(object), ..ApiCall::default() };
    let mut others = Vec::new();
    let [_, arguments] = members(object, [NAME, arguments_key(object)], &mut others);
    call.arguments = match arguments.map(|value| (value.kind(), value)) {
        None | Some((NodeKind::Null, _)) => None,
        Some((NodeKind::String, value)) => {
            Some(Payload::Embedded { text: value.as_str()?.into(), at: placed(value) })
        }
        Some((NodeKind::Object, value)) => {
            let mut fields = all_fields(value);
            for field in &mut fields {
                field.at = at.unwrap_or(field.at);
            }
            Some(Payload::Fields(fields))
        }
        Some(_) => return None,
    };
    for field in &mut others {
        field.at = at.unwrap_or(field.at);
    }
    call.fields = others;
    Some(call)
}
