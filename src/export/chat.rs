//! `chat`: one dialog per line as messages of chat APIs, for fine-tuning.
//!
//! A dialog that already has this form, which is that of `OpenAI`'s API, stays as it is, with all its other members, unless
//! only some of its turns are written. Chats
//! of other APIs become messages like other dialogs: trainers take one form.

use std::io::{self, Write};

use serde::Serialize;

use super::chat_messages::{Message, instructions, messages};
use super::export_format::{ExportFormat, ExportSubject, ExportedDialog, Output};
use super::left_out::{LeftOut, TurnPart};
use crate::format::embedded::one_line;
use crate::json::{NodeKind, Parser, Value, output};

pub const FORMAT: ExportFormat = ExportFormat {
    name: "chat",
    writes: "dialogs as messages with roles and tool calls, for fine-tuning chat models",
    needs_problems: false,
    of: ExportSubject::Dialogs,
    output: Output::Lines("chat.jsonl", write),
};

/// Parts of turns that messages cannot hold.
pub const NOT_IN_MESSAGES: [TurnPart; 4] =
    [TurnPart::Segments, TurnPart::Acts, TurnPart::Intents, TurnPart::State];

#[derive(Serialize)]
struct Line {
    messages: Vec<Message>,
}

fn write(
    dialog: &ExportedDialog<'_>,
    out: &mut dyn Write,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    left_out.judgements(dialog.dialog);
    if let Some(json) = in_this_form(dialog) {
        return writeln!(out, "{}", one_line(&json));
    }
    let has_instructions = instructions(dialog.dialog).is_some();
    left_out.fields(dialog.dialog.fields.len() - usize::from(has_instructions));
    for (_, turn) in dialog.turns() {
        left_out.parts(turn, &NOT_IN_MESSAGES);
        left_out.parts(turn, &[TurnPart::Votes, TurnPart::Gold, TurnPart::Fields]);
    }
    let messages = messages(dialog.dialog, dialog.format, left_out);
    let messages: Vec<_> = dialog.turns().flat_map(|(turn, _)| messages[turn].clone()).collect();
    if messages.is_empty() {
        left_out.one(["dialog without messages", "dialogs without messages"]);
        return Ok(());
    }
    output::to_writer(out, &Line { messages })?;
    writeln!(out)
}

/// Returns the JSON of a dialog with a list of `messages` in the form of `OpenAI`'s API.
fn in_this_form(dialog: &ExportedDialog<'_>) -> Option<String> {
    if dialog.format.name() != "messages" || dialog.kept.contains(&false) {
        return None;
    }
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(dialog.json).ok()?;
    let list = tree.root().get("messages")?;
    // What says nothing where this form has it may say something elsewhere.
    let is_spoken = |message: Value<'_>| {
        let content = message.get("content").filter(|said| said.kind() != NodeKind::Null);
        content.is_some() || !dialog.format.has_text(message)
    };
    let is_one = |message| is_message(message) && is_spoken(message);
    let is_own = list.kind() == NodeKind::Array && list.elements().all(is_one);
    is_own.then(|| tree.root().raw().to_owned())
}

/// True for a message whose text, parts and calls are where `OpenAI`'s API has them.
fn is_message(message: Value<'_>) -> bool {
    let is_text = |value: Option<Value<'_>>| value.is_some_and(|v| v.kind() == NodeKind::String);
    let is_part = |part: Value<'_>| {
        let kind = part.get("type").and_then(Value::as_str);
        kind.is_some_and(|kind| PARTS.contains(&&*kind))
    };
    let is_call = |call: Value<'_>| {
        let function = call.get("function").filter(|function| is_text(function.get("name")));
        function.is_some_and(|function| function.get("arguments").is_some())
    };
    let content = message.get("content");
    let has_content = match content.map(Value::kind) {
        Some(NodeKind::Array) => content.is_some_and(|parts| parts.elements().all(is_part)),
        Some(NodeKind::String | NodeKind::Null) => true,
        Some(_) => false,
        None => message.get("value").is_none(),
    };
    let mut calls = message.get("tool_calls").into_iter().flat_map(Value::elements);
    is_text(message.get("role")) && has_content && calls.all(is_call)
}

/// The kinds of parts of messages in `OpenAI`'s API.
const PARTS: [&str; 5] = ["text", "image_url", "input_audio", "file", "refusal"];
