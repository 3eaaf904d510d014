//! Shared code of the rules on the arguments of calls in chats.

use std::ops::Range;

use crate::dialog::{CallPart, Edit, EditValue, Extent, Payload};
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Tree};
use crate::lint::facts::call_faults::{CallFault, CallFaultKind, arguments};
use crate::lint::facts::{ChatCall, Location, Subject};

/// Returns the faults of calls, each with its call.
pub fn faults<'s, 'a>(
    subject: &'s Subject<'a>,
) -> impl Iterator<Item = (&'s ChatCall<'a>, &'s CallFaultKind)> {
    let calls = subject.tool_calls();
    let faults = subject.call_faults().iter();
    faults.filter_map(move |CallFault { call, what }| Some((calls.get(*call)?, what)))
}

/// Returns the place of the arguments of a call, or of the call.
pub fn location(subject: &Subject<'_>, call: &ChatCall<'_>) -> Location {
    let at = match &call.of.arguments {
        Some(Payload::Embedded { at, .. } | Payload::Text { at, .. }) => *at,
        _ => call.of.at,
    };
    subject.location_at(call.turn, at)
}

/// Returns the place of the argument `name` of a call.
pub fn location_of(subject: &Subject<'_>, call: &ChatCall<'_>, name: &str) -> Location {
    let fields = match &call.of.arguments {
        Some(Payload::Fields(fields)) => &fields[..],
        _ => &[],
    };
    let field = fields.iter().find(|field| field.name == name);
    match field.map(|field| field.at) {
        Some(at) if at != Extent::default() || at.end > 0 => subject.location_at(call.turn, at),
        _ => location(subject, call),
    }
}

/// Returns the edit that replaces the JSON text of a call's arguments.
pub fn set_json(call: &ChatCall<'_>, text: String) -> Edit {
    Edit::SetJson { turn: call.turn, call: call.call, part: CallPart::Arguments, text }
}

/// Returns the edit that renames the argument `name`; None if it is inside another one.
pub fn rename(call: &ChatCall<'_>, name: &str, to: &str) -> Option<Edit> {
    if let Some(Payload::Fields(fields)) = &call.of.arguments {
        let is_there = fields.iter().any(|field| field.name == name);
        return is_there.then(|| Edit::RenameValue {
            turn: call.turn,
            call: call.call,
            part: CallPart::Arguments,
            name: name.to_owned(),
            to: to.to_owned(),
        });
    }
    patched(call, |tree, editor| {
        let (key, _) = tree.root().member(name)?;
        Some(editor.set_string(key, to))
    })
}

/// Returns the edit that writes `new`, a JSON value, at the bytes `place` of the arguments, which hold the argument
/// `name`; None if that is not possible.
pub fn replace(call: &ChatCall<'_>, name: &str, place: &Range<usize>, new: &str) -> Option<Edit> {
    if let Some(Payload::Fields(fields)) = &call.of.arguments {
        fields.iter().find(|field| field.name == name)?;
        let mut parser = Parser::new();
        let tree = parser.parse_str(new).ok()?;
        let value = tree.root();
        let value = match value.kind() {
            NodeKind::String => EditValue::Text(value.as_str()?.into_owned()),
            _ => EditValue::Spelled { json: new.to_owned() },
        };
        return Some(Edit::SetValue {
            turn: call.turn,
            call: call.call,
            part: CallPart::Arguments,
            name: name.to_owned(),
            value,
        });
    }
    patched(call, |tree, editor| {
        let value = tree.value_at(u32::try_from(place.start).ok()?)?;
        Some(editor.replace(value, &NewValue::Raw(new.to_owned())))
    })
}

/// Returns the edit that changes one value of arguments that are JSON in a string.
fn patched(
    call: &ChatCall<'_>,
    change: impl for<'t> FnOnce(&'t Tree<'t>, &Editor<'t>) -> Option<Splice>,
) -> Option<Edit> {
    let text = arguments(call)?;
    let mut parser = Parser::new();
    let tree = parser.parse_str(&text).ok()?;
    let editor = Editor::new(&tree, Escapes::seen_in(&text));
    let patch = Patch::new(vec![change(&tree, &editor)?]).ok()?;
    Some(set_json(call, patch.apply(&text)))
}
