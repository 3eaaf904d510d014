//! Writes edits of chat messages: their text, and the parts of tool calls.

use crate::dialog::{ApiCall, CallPart, Edit, EditError, Payload, Turn};
use crate::format::engine::edit::{EditCheck, not_editable, object_of, set_text};
use crate::format::engine::values::CallKeys;
use crate::format::families::chat::{answer_place, answering, no_answer, refuse_answer};
use crate::format::families::messages::only_text;
use crate::json::{Editor, NewValue, NodeKind, Splice, Value};

const KEYS: CallKeys = CallKeys {
    name: "name",
    arguments: "arguments",
    // A response is another message.
    response: "content",
};

/// Writes an edit of a message or its calls.
///
/// # Errors
/// If the text has no place for it.
pub fn write(editor: &Editor<'_>, changed: &EditCheck<'_>) -> Result<Vec<Splice>, EditError> {
    let turns = &changed.before.turns;
    let (turn, (before, _)) = (changed.edit.turn(), changed.turns());
    match changed.edit {
        Edit::SetText { text, .. } => {
            refuse_answer(turns, turn)?;
            let message = object_of(editor, before.at, "the message")?;
            set_content(editor, message, (&before.text, text))
        }
        Edit::SetApi { call, name, .. } => {
            let call = &before.calls[*call];
            let mut splices = KEYS.write(editor, changed.edit, &before.calls)?;
            if call.answered_as.is_some() {
                let answer = answer(editor, (turns, turn), call)?;
                splices.push(set_text(editor, answer, "name", name));
            }
            Ok(splices)
        }
        Edit::SetJson {
            call, part, text, ..
        } => {
            let call = &before.calls[*call];
            match part {
                CallPart::Arguments => Ok(vec![set_arguments(editor, call, text)?]),
                CallPart::Response => {
                    let answer = answer(editor, (turns, turn), call)?;
                    let old = call.response.as_ref().and_then(Payload::text);
                    let old = old.map_or("", |old| old.as_str());
                    set_content(editor, answer, (old, text))
                }
            }
        }
        Edit::SetValue { call, part, .. } => {
            let call = &before.calls[*call];
            match part {
                CallPart::Response => Err(no_answer()),
                CallPart::Arguments => {
                    has_place_for_fields(editor, call)?;
                    KEYS.write(editor, changed.edit, &before.calls)
                }
            }
        }
        _ => KEYS.write(editor, changed.edit, &before.calls),
    }
}

/// The message that answers a call of turn `asked`.
fn answer<'a>(
    editor: &Editor<'a>,
    (turns, asked): (&[Turn], usize),
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
    (old, new): (&str, &str),
) -> Result<Vec<Splice>, EditError> {
    if old == new {
        return Ok(Vec::new());
    }
    let text = NewValue::String(new.to_owned());
    let Some(content) = message.get("content") else {
        let like = editor.holder("content", message);
        return Ok(vec![editor.add_member(message, "content", &text, like)]);
    };
    let refused = |reason: &str| Err(not_editable("the text", &reason));
    match content.kind() {
        NodeKind::String | NodeKind::Null => Ok(vec![editor.replace(content, &text)]),
        NodeKind::Array => match only_text(content) {
            Some(part) => Ok(vec![editor.replace(part, &text)]),
            None => refused("`content` does not have exactly one part that is text"),
        },
        other => refused(&format!("`content` is {}", other.name())),
    }
}

/// Sets arguments that are JSON in a string.
fn set_arguments(editor: &Editor<'_>, call: &ApiCall, text: &str) -> Result<Splice, EditError> {
    let function = object_of(editor, call.at, "the call")?;
    let new = NewValue::String(text.to_owned());
    Ok(match function.get(KEYS.arguments) {
        Some(value) => editor.replace(value, &new),
        None => {
            let like = editor.holder(KEYS.arguments, function);
            editor.add_member(function, KEYS.arguments, &new, like)
        }
    })
}

/// Refuses to give a call its first argument as an object if other calls have theirs in a string.
fn has_place_for_fields(editor: &Editor<'_>, call: &ApiCall) -> Result<(), EditError> {
    if call.arguments.is_some() {
        return Ok(());
    }
    let function = object_of(editor, call.at, "the call")?;
    if function.get(KEYS.arguments).is_some() {
        return Err(not_editable("arguments", &"they are null"));
    }
    let like = editor.holder(KEYS.arguments, function);
    let like = like.and_then(|like| like.get(KEYS.arguments));
    if like.is_some_and(|like| like.kind() == NodeKind::String) {
        return Err(not_editable(
            "arguments",
            &"those of other calls are JSON in a string; use set_json",
        ));
    }
    Ok(())
}
