//! Writes edits of chat messages: their text, and the parts of tool calls.

use crate::dialog::{
    ApiCall, CallPart, Content, Dialog, Edit, EditError, Extent, Field, Payload, Role, Turn,
};
use crate::format::engine::edit::{
    EditedDialog, append, not_editable, object_of, remove_or_drop, set_text,
};
use crate::format::engine::read::extent;
use crate::format::engine::turns::{self, NewPlace};
use crate::format::engine::values::{CallKeys, embed, written_content};
use crate::format::families::calls_in_text::{self, with_answer};
use crate::format::families::chat::{
    ARGUMENTS, CONTENT, CONTENTS, answer_place, answering, no_answer, refuse_answer,
};
use crate::format::families::message_parts::{
    ANSWERS, TEXT_KEYS, TEXTS, arguments_in, content_in, only_text,
};
use crate::format::families::messages::call_id;
use crate::format::families::reasoning_in_text::with_said;
use crate::json::{Editor, NewValue, NodeKind, Splice, Value};

const KEYS: CallKeys = CallKeys {
    name: "name",
    arguments: "arguments",
    // A response is another message.
    response: "content",
};

/// Those of Inspect.
const NAMED_KEYS: CallKeys = CallKeys { name: "function", ..KEYS };

/// Returns the members that a call has.
fn keys(editor: &Editor<'_>, call: &ApiCall) -> CallKeys {
    let Some(value) = editor.tree().value_at(call.at.start) else {
        return KEYS;
    };
    let named = value.get(NAMED_KEYS.name).filter(|name| name.kind() == NodeKind::String);
    let arguments = arguments_in(value).map(|(name, _)| name);
    CallKeys {
        name: named.map_or(KEYS.name, |_| NAMED_KEYS.name),
        arguments: arguments.unwrap_or_else(|| ARGUMENTS.near(editor, value)),
        ..KEYS
    }
}

/// Writes an edit of a message or its calls.
///
/// # Errors
/// If the text has no place for it.
pub fn write(editor: &Editor<'_>, edited: &EditedDialog<'_>) -> Result<Vec<Splice>, EditError> {
    let turns = &edited.before.turns;
    let (turn, (before, _)) = (edited.edit.turn(), edited.turns());
    if let Some(written) = write_in_text(editor, edited.edit, before) {
        return written;
    }
    if let Some(written) = write_in_part(editor, edited.edit, before) {
        return written;
    }
    match edited.edit {
        Edit::SetText { text, .. } => {
            refuse_answer(turns, turn)?;
            let message = object_of(editor, before.at, "the message")?;
            set_content(editor, message, &before.text, text)
        }
        Edit::SetApi { call, name, .. } => {
            let call = &before.calls[*call];
            let mut splices = keys(editor, call).write(editor, edited.edit, &before.calls)?;
            if call.answered_as.is_some() {
                let answer = answer(editor, turns, turn, call)?;
                splices.push(set_text(editor, answer, "name", name));
            }
            Ok(splices)
        }
        Edit::SetJson { call, part, text, .. } => {
            let (number, call) = (*call, &before.calls[*call]);
            match part {
                CallPart::Arguments => Ok(vec![set_arguments(editor, call, text)?]),
                CallPart::Response => {
                    let answer = answer(editor, turns, turn, call)?;
                    let at = answer_place(call.response.as_ref()).unwrap_or_default();
                    let value = editor.tree().value_at(at.start);
                    let old = call.response.as_ref().and_then(Payload::text);
                    let old = old.map_or("", |old| old.as_str());
                    match value.map(|value| (value, value.as_str())) {
                        Some((value, Some(whole))) => {
                            let new = with_answer(&whole, before, number, text);
                            Ok(vec![editor.replace(value, &NewValue::String(new))])
                        }
                        Some((part, None)) if part.get(ANSWERS).is_some() => {
                            let reason = "it is not in exactly one part that is text";
                            Err(not_editable("response", &reason))
                        }
                        _ => set_content(editor, answer, old, text),
                    }
                }
            }
        }
        Edit::SetValue { call, part, .. } => {
            let call = &before.calls[*call];
            match part {
                CallPart::Response if call.response.is_some() => {
                    Err(not_editable("response", &"it is not a text"))
                }
                CallPart::Response => Err(no_answer()),
                CallPart::Arguments => {
                    has_place_for_fields(editor, call)?;
                    keys(editor, call).write(editor, edited.edit, &before.calls)
                }
            }
        }
        Edit::AddCall { .. } => add_call(editor, edited),
        Edit::RemoveCall { call, .. } => {
            if before.calls[*call].in_text {
                let reason = "it is written in the text; edit the text";
                return Err(not_editable("the call", &reason));
            }
            if let Some(at) = answer_place(before.calls[*call].response.as_ref())
                && let Some(answer) = answering(turns, turn, at)
            {
                let reason = format!("turn {answer} is its response, which would answer nothing");
                return Err(not_editable("the call", &reason));
            }
            let message = object_of(editor, before.at, "the message")?;
            let at = before.calls[*call].at;
            let removed = remove_or_drop(editor, message, TOOL_CALLS, at);
            let removed = removed.or_else(|why| {
                let mut members = message.members();
                let old = members.position(|(key, _)| key.is_text(OLD_CALL));
                let removed = old.map(|place| editor.remove(message, place..place + 1));
                let list = content_in(message).filter(|_| old.is_none());
                let part = || editor.remove_at(list?, at.start);
                removed.or_else(part).ok_or(why)
            });
            Ok(vec![removed?])
        }
        Edit::RenameValue { call, .. } | Edit::RemoveValue { call, .. } => {
            let keys = keys(editor, &before.calls[*call]);
            keys.write(editor, edited.edit, &before.calls)
        }
        _ => Ok(Vec::new()),
    }
}

/// Writes an edit of the name or the arguments of a call in the text of a message; None if it is another edit.
fn write_in_text(
    editor: &Editor<'_>,
    edit: &Edit,
    before: &Turn,
) -> Option<Result<Vec<Splice>, EditError>> {
    let call = calls_in_text::call_of(edit)?;
    before.calls.get(call).filter(|call| call.in_text)?;
    let written = || {
        let message = object_of(editor, before.at, "the message")?;
        let new = calls_in_text::edited(&before.text, edit)?;
        set_content(editor, message, &before.text, &new)
    };
    Some(written())
}

/// Writes an edit of the name or the arguments of a call in the text of a part; None if it is another edit.
fn write_in_part(
    editor: &Editor<'_>,
    edit: &Edit,
    before: &Turn,
) -> Option<Result<Vec<Splice>, EditError>> {
    let number = calls_in_text::call_of(edit)?;
    let at = before.calls.get(number)?.at;
    let value = editor.tree().value_at(at.start)?;
    let text = value.as_str()?;
    // A call has its position in the turn.
    let first = before.calls.iter().position(|call| call.at.start == at.start)?;
    let mut calls = vec![ApiCall::default(); first];
    calls.extend(calls_in_text::calls_in(&text, None));
    let new = calls_in_text::edited_json(&text, calls, edit);
    Some(new.map(|new| vec![editor.replace(value, &NewValue::String(new))]))
}

/// Adds a message after the one before it, in one of the `lists` of a dialog.
///
/// # Errors
/// If there is no list for it.
pub fn add_turn<'a>(
    editor: &Editor<'a>,
    edited: &EditedDialog<'_>,
    lists: &[(&'static str, Value<'a>)],
) -> Result<Vec<Splice>, EditError> {
    let mut at = edited.edit.turn();
    let mut list = None;
    for (_, of) in lists.iter().filter(|(_, of)| of.kind() == NodeKind::Array) {
        list = Some(*of);
        let count = of.elements().count();
        if at <= count {
            break;
        }
        at -= count;
    }
    let list = list.ok_or_else(|| not_editable("the turn", &"there is no list of messages"))?;
    let place = NewPlace { list, at };
    let new = &edited.after.turns[edited.edit.turn()];
    let text = |key: &str, text: &str| (key.to_owned(), NewValue::String(text.to_owned()));
    let said =
        place.like().and_then(|like| Some((CONTENTS.of(like, |_| true)?.0, content_in(like)?)));
    let home = said.map_or(CONTENT, |(home, _)| home);
    let part = said.and_then(|(_, said)| said.elements().next());
    let kind = part.and_then(|part| part.get("type")?.as_str());
    let content = match kind.filter(|kind| TEXTS.contains(&kind.as_ref())) {
        Some(kind) => {
            let mut keys = TEXT_KEYS.into_iter().chain([CONTENT]);
            let has = |key: &&str| part.is_some_and(|part| part.get(key).is_some());
            let key = keys.find(has).unwrap_or(TEXT_KEYS[0]);
            let part = NewValue::Object(vec![text("type", &kind), text(key, edited.new_text())]);
            (home.to_owned(), NewValue::Array(vec![part]))
        }
        None => text(home, edited.new_text()),
    };
    let members = vec![text("role", &new.speaker.name), content];
    turns::add_turn(editor, edited, &place, members, None)
}

/// The member with the calls of a message, and the one from before there were several.
const TOOL_CALLS: &str = "tool_calls";
const OLD_CALL: &str = "function_call";

/// Gives a new call the members and the kind of arguments that other calls of the dialog have. Without others, it
/// has an id, a type, and arguments that are JSON in a string.
pub fn complete_call(after: &mut Dialog, turn: usize) {
    let calls = |turns: &[Turn]| -> Vec<ApiCall> {
        let calls = turns.iter().flat_map(|turn| &turn.calls);
        calls.cloned().collect()
    };
    let Some((_, later)) = after.turns.split_at_checked(turn + 1) else {
        return;
    };
    let later = calls(later);
    let mut earlier = calls(&after.turns[..=turn]);
    earlier.pop();
    let like = earlier.last().or(later.first());
    let text = |name: &str, text: &str| Field {
        name: name.into(),
        content: Content::Text(text.into()),
        known: true,
        at: Extent::default(),
    };
    let ids: Vec<&str> = earlier.iter().chain(&later).filter_map(call_id).collect();
    let free = |number: &usize| !ids.contains(&format!("call_{number}").as_str());
    let id = (1..=ids.len() + 1).find(free).unwrap_or(1);
    let id = text("id", &format!("call_{id}"));
    let number = after.turns[turn].calls.len() - 1;
    let fields = match like {
        None => vec![id, text("type", "function")],
        Some(like) => {
            let known = like.fields.iter().filter_map(|field| match field.name.as_str() {
                "id" => Some(id.clone()),
                "type" => Some(field.clone()),
                "index" => Some(Field {
                    content: Content::Raw(number.to_string().into()),
                    ..field.clone()
                }),
                _ => None,
            });
            known.collect()
        }
    };
    let are_fields = matches!(like.map(|like| &like.arguments), Some(Some(Payload::Fields(_))));
    if let Some(call) = after.turns[turn].calls.last_mut() {
        call.fields = fields;
    }
    if !are_fields {
        embed(after, turn, CallPart::Arguments);
    }
}

/// Adds a call to a message, in the form of other calls of the dialog.
fn add_call(editor: &Editor<'_>, edited: &EditedDialog<'_>) -> Result<Vec<Splice>, EditError> {
    let (before, after) = edited.turns();
    let refused = |reason: &str| Err(not_editable("the call", &reason));
    if before.speaker.role != Role::System {
        return refused("only messages of the assistant have calls");
    }
    let Some(call) = after.calls.last() else {
        return Ok(Vec::new());
    };
    if call.response.is_some() {
        return refused("its response would be a message of its own");
    }
    let mut turns = edited.before.turns.iter();
    let is_part = |turn: &Turn, call: &ApiCall| {
        let message = editor.tree().value_at(turn.at.start);
        let said = message.and_then(content_in);
        said.is_some_and(|said| extent(said).holds(call.at))
    };
    if turns.any(|turn| turn.calls.iter().any(|call| is_part(turn, call))) {
        return refused("the calls of this dialog are parts of messages");
    }
    let message = object_of(editor, before.at, "the message")?;
    let others = call.fields.iter();
    let others = others.map(|field| (field.name.to_string(), written_content(&field.content)));
    let mut members: Vec<_> = others.collect();
    let is_there = |value: &Value<'_>| value.kind() != NodeKind::Null;
    if message.get(OLD_CALL).as_ref().is_some_and(is_there) {
        return refused("a message has at most one `function_call`");
    }
    let own = message.get(TOOL_CALLS);
    if own.filter(is_there).is_some_and(|own| own.kind() != NodeKind::Array) {
        return refused("its `tool_calls` is not a list");
    }
    let list = own.filter(|own| own.elements().next().is_some());
    let list = list.or_else(|| editor.namesake(TOOL_CALLS, message));
    let old = editor.holder(OLD_CALL, message).and_then(|like| like.get(OLD_CALL));
    if list.is_none() && old.is_some_and(|old| old.kind() == NodeKind::Object) {
        members.extend(KEYS.new_call(call));
        let (new, like) = (NewValue::Object(members), editor.holder(OLD_CALL, message));
        return Ok(vec![editor.add_member(message, OLD_CALL, &new, like)]);
    }
    let first = list.and_then(|list| list.elements().next());
    match first.map(|like| like.get(NAMED_KEYS.name).map(Value::kind)) {
        Some(None) => members.extend(KEYS.new_call(call)),
        Some(Some(NodeKind::String)) => members.extend(NAMED_KEYS.new_call(call)),
        _ => {
            let function = NewValue::Object(KEYS.new_call(call));
            members.push((NAMED_KEYS.name.to_owned(), function));
        }
    }
    Ok(vec![append(editor, message, TOOL_CALLS, NewValue::Object(members))?])
}

/// Returns the message that answers a call of turn `asked`.
fn answer<'a>(
    editor: &Editor<'a>,
    turns: &[Turn],
    asked: usize,
    call: &ApiCall,
) -> Result<Value<'a>, EditError> {
    let at = answer_place(call.response.as_ref()).ok_or_else(no_answer)?;
    let turn = answering(turns, asked, at).ok_or_else(no_answer)?;
    object_of(editor, turns[turn].at, "the message")
}

/// Sets the text of a message from `old` to `new`.
fn set_content<'a>(
    editor: &Editor<'a>,
    message: Value<'a>,
    old: &str,
    new: &str,
) -> Result<Vec<Splice>, EditError> {
    if old == new {
        return Ok(Vec::new());
    }
    let text = |whole: Option<Value<'_>>| {
        let whole = whole.and_then(Value::as_str).unwrap_or_default();
        NewValue::String(with_said(&whole, old, new))
    };
    let Some(content) = content_in(message) else {
        let like = editor.holder(CONTENT, message);
        return Ok(vec![editor.add_member(message, CONTENT, &text(None), like)]);
    };
    let refused = |reason: &str| Err(not_editable("the text", &reason));
    match content.kind() {
        NodeKind::String | NodeKind::Null => {
            Ok(vec![editor.replace(content, &text(Some(content)))])
        }
        NodeKind::Array => match only_text(content) {
            Some(part) => Ok(vec![editor.replace(part, &text(Some(part)))]),
            None => refused("`content` does not have exactly one part that is text"),
        },
        other => refused(&format!("`content` is {}", other.name())),
    }
}

/// Sets arguments that are JSON in a string.
fn set_arguments(editor: &Editor<'_>, call: &ApiCall, text: &str) -> Result<Splice, EditError> {
    let function = object_of(editor, call.at, "the call")?;
    let new = NewValue::String(text.to_owned());
    let key = keys(editor, call).arguments;
    Ok(match function.get(key) {
        Some(value) => editor.replace(value, &new),
        None => editor.add_member(function, key, &new, editor.holder(key, function)),
    })
}

/// Refuses to give a call its first argument as an object if other calls have theirs in a string.
fn has_place_for_fields(editor: &Editor<'_>, call: &ApiCall) -> Result<(), EditError> {
    if call.arguments.is_some() {
        return Ok(());
    }
    let function = object_of(editor, call.at, "the call")?;
    let key = keys(editor, call).arguments;
    if function.get(key).is_some() {
        return Err(not_editable("arguments", &"they are null"));
    }
    let like = editor.holder(key, function).and_then(|like| like.get(key));
    if like.is_some_and(|like| like.kind() == NodeKind::String) {
        return Err(not_editable(
            "arguments",
            &"those of other calls are JSON in a string; use set_json",
        ));
    }
    Ok(())
}
