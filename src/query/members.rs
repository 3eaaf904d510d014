//! Members by their names: which of them a name in a query means, and whether one of those has the value.
//!
//! A name means the member called exactly so if there is one; else the members whose paths end in it;
//! else all members with it in their paths. So `reward` never counts what `info.reward_info` holds.

use super::value::{Closeness, NamedValue};
use crate::dialog::{ApiCall, Content, Field, Payload};
use crate::json::{Elements, Members, NodeKind, Parser, Value};

/// A member: its path, with dots between names, and its value.
pub(super) struct Member<'m> {
    pub path: &'m str,
    pub value: &'m str,
    /// The value is an object or a list.
    pub is_open: bool,
}

impl Member<'_> {
    /// True for a list, whose elements are values of its name.
    pub fn is_list(&self) -> bool {
        self.is_open && self.value.starts_with('[')
    }
}

/// Finds the members that a condition means, and whether one of them meets it.
pub(super) struct Lookup<'w> {
    wanted: &'w NamedValue,
    closest: Option<Closeness>,
    met: bool,
}

impl<'w> Lookup<'w> {
    pub fn new(wanted: &'w NamedValue) -> Self {
        Self { wanted, closest: None, met: false }
    }

    pub fn see(&mut self, member: &Member<'_>) {
        // The elements of a list alone have no name.
        let named = Some(member.path).filter(|path| !path.is_empty());
        let Some(close) = named.and_then(|path| self.wanted.name.closeness(path)) else {
            return;
        };
        if self.closest.is_none_or(|closest| close < closest) {
            (self.closest, self.met) = (Some(close), false);
        }
        self.met |= self.closest == Some(close) && self.wanted.is_value(member);
    }

    /// How close the names of the members meant are; None if there are none.
    pub fn closest(&self) -> Option<Closeness> {
        self.closest
    }

    pub fn is_met(&self) -> bool {
        self.met
    }
}

/// True if the arguments of a call have a member that is wanted.
pub(super) fn is_in_arguments(wanted: &NamedValue, payload: Option<&Payload>) -> bool {
    let mut lookup = Lookup::new(wanted);
    each_of_payload(payload, &mut |member| lookup.see(&member));
    lookup.is_met()
}

/// True if the answer to a call has a member that is wanted or, in plain text, contains the name.
pub(super) fn is_in_answer(wanted: &NamedValue, call: &ApiCall) -> bool {
    let mut lookup = Lookup::new(wanted);
    each_of_answer(call, &mut |member| lookup.see(&member));
    let text = call.response.as_ref().and_then(Payload::text);
    let plain = text.filter(|text| wanted.value.is_none() && is_plain_text(text));
    lookup.is_met() || plain.is_some_and(|text| wanted.name.matches(text))
}

/// Passes the members of the answer to a call to `see`, and those beside it that tell more, such as `is_error`.
pub(super) fn each_of_answer(call: &ApiCall, see: &mut dyn FnMut(Member<'_>)) {
    each_of_payload(call.response.as_ref(), see);
    for field in call.marks() {
        each_of(&field.name, &field.content, see);
    }
}

/// True if a text is not a JSON object or list.
fn is_plain_text(text: &str) -> bool {
    let is_open = |kind| matches!(kind, NodeKind::Object | NodeKind::Array);
    let begins = text.trim_start().starts_with(['{', '[']);
    !begins || !Parser::new().parse_str(text).is_ok_and(|tree| is_open(tree.root().kind()))
}

pub(super) fn each_of_payload(payload: Option<&Payload>, see: &mut dyn FnMut(Member<'_>)) {
    match payload {
        None => {}
        Some(Payload::Fields(fields)) => each_of_fields(fields, see),
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => {
            each_inside("", text, see);
        }
    }
}

pub(super) fn each_of_fields<'f>(
    fields: impl IntoIterator<Item = &'f Field>,
    see: &mut dyn FnMut(Member<'_>),
) {
    for field in fields {
        each_of(&field.name, &field.content, see);
    }
}

/// Passes a value with this name, and the elements and members inside it, to `see`.
pub(super) fn each_of(name: &str, content: &Content, see: &mut dyn FnMut(Member<'_>)) {
    let is_open = match content {
        Content::Raw(raw) => raw.starts_with(['{', '[']),
        Content::Text(_) => false,
    };
    see(Member { path: name, value: content.as_str(), is_open });
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
    fn new(value: Value<'t>, path: usize) -> Self {
        Self { members: value.members(), elements: value.elements(), path }
    }
}

/// Passes each value inside the JSON `text`, whose path is `path`, to `see`. Elements of lists have the path of
/// their list. A text that is not JSON has no members.
pub(super) fn each_inside(path: &str, text: &str, see: &mut dyn FnMut(Member<'_>)) {
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
        let is_open = matches!(value.kind(), NodeKind::Object | NodeKind::Array);
        let text = value.as_str().unwrap_or_else(|| value.raw().into());
        see(Member { path: &path, value: &text, is_open });
        if is_open {
            open.push(OpenValue::new(value, path.len()));
        }
    }
}
