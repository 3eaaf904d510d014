//! The members of calls, turns and dialogs, and those inside them.

use super::value::Value;
use crate::dialog::{ApiCall, Content, Field, Payload};
use crate::json::{self, Elements, Members, Parser};

/// Passes the path of a member, with dots between names, and its value.
pub(super) type See<'s> = &'s mut dyn FnMut(&str, Value<'_>);

/// Passes the members of the answer to a call to `see`, and those beside it that tell more, such as `is_error`.
pub(super) fn each_of_answer(call: &ApiCall, see: See<'_>) {
    each_of_payload(call.response.as_ref(), see);
    for field in call.marks() {
        each_of(&field.name, &field.content, see);
    }
}

/// True if a text is not a JSON object or list.
pub(super) fn is_plain_text(text: &str) -> bool {
    let begins = text.trim_start().starts_with(['{', '[']);
    !begins || !Parser::new().parse_str(text).is_ok_and(|tree| tree.root().is_container())
}

pub(super) fn each_of_payload(payload: Option<&Payload>, see: See<'_>) {
    match payload {
        None => {}
        Some(Payload::Fields(fields)) => each_of_fields(fields, see),
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => {
            each_inside("", text, see);
        }
    }
}

pub(super) fn each_of_fields<'f>(fields: impl IntoIterator<Item = &'f Field>, see: See<'_>) {
    for field in fields {
        each_of(&field.name, &field.content, see);
    }
}

/// Passes a value with this name, and the elements and members inside it, to `see`.
pub(super) fn each_of(name: &str, content: &Content, see: See<'_>) {
    let is_open = content.is_container();
    see(name, if is_open { Value::Open(content.as_str()) } else { Value::Text(content.as_str()) });
    if is_open {
        each_inside(name, content.as_str(), see);
    }
}

/// An object or array of which some members or elements are still to be visited.
struct OpenValue<'t> {
    members: Members<'t>,
    elements: Elements<'t>,
    /// The length of its path, in bytes.
    path: usize,
}

impl<'t> OpenValue<'t> {
    fn new(value: json::Value<'t>, path: usize) -> Self {
        Self { members: value.members(), elements: value.elements(), path }
    }
}

/// Passes each value inside the JSON `text`, whose path is `path`, to `see`. Elements of lists have the path of
/// their list. A text that is not JSON has no members.
pub(super) fn each_inside(path: &str, text: &str, see: See<'_>) {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_str(text) else {
        return;
    };
    let mut path = path.to_owned();
    // Values may be nested more deeply than functions can call each other.
    let mut open = vec![OpenValue::new(tree.root(), path.len())];
    while let Some(inside) = open.last_mut() {
        path.truncate(inside.path);
        let value = if let Some((name, value)) = inside.members.next() {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&name.as_str().unwrap_or_default());
            value
        } else if let Some(element) = inside.elements.next() {
            element
        } else {
            open.pop();
            continue;
        };
        let is_open = value.is_container();
        let text = value.as_str().unwrap_or_else(|| value.raw().into());
        see(&path, if is_open { Value::Open(&text) } else { Value::Text(&text) });
        if is_open {
            open.push(OpenValue::new(value, path.len()));
        }
    }
}
