//! Dialogs as messages of chat APIs: roles, texts, tool calls and their answers.

use std::collections::HashSet;

use serde::Serialize;

use super::left_out::LeftOut;
use super::payload;
use crate::dialog::{ApiCall, Content, Dialog, LOST_ANSWER, Role, Turn};
use crate::format::{ChatRole, Family, call_id, without_calls};

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    pub role: &'static str,
    pub content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolCall {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Function {
    name: String,
    /// JSON.
    arguments: String,
}

pub const ASSISTANT: &str = "assistant";

impl Message {
    fn new(role: &'static str, content: Option<String>) -> Self {
        Self { role, content, tool_calls: Vec::new(), tool_call_id: None }
    }
}

/// Returns the messages of each turn. Counts the turns and calls that cannot be messages.
pub fn messages(
    dialog: &Dialog,
    format: &'static Family,
    left_out: &mut LeftOut,
) -> Vec<Vec<Message>> {
    let last = dialog.turns.len().saturating_sub(1);
    let mut ids = HashSet::new();
    let is_spoken = |turn: &Turn| matches!(turn.speaker.role, Role::User | Role::System);
    let first = dialog.turns.iter().position(is_spoken).unwrap_or_default();
    let aside = dialog.branches.turns(|_| true);
    let turns = dialog.turns.iter().enumerate();
    let messages = turns.map(|(number, turn)| {
        let lost = turn.unread.count(LOST_ANSWER);
        left_out.several(
            ["result without a call", "results without a call"],
            usize::try_from(lost).unwrap_or(usize::MAX),
        );
        let role = role(turn, format, number < first);
        let Some(role) = role.filter(|_| !aside.contains(&number)) else {
            if lost == 0 && !turn.text.is_empty() {
                left_out.one(["turn by another speaker", "turns by other speakers"]);
            }
            left_out.several(["API call", "API calls"], turn.calls.len());
            return Vec::new();
        };
        let calls = calls(turn, number, number == last, &mut ids, left_out);
        let is_in_text = turn.calls.iter().any(|call| call.in_text);
        let text = if is_in_text && !calls.is_empty() {
            without_calls(&turn.text)
        } else {
            turn.text.clone()
        };
        let text = Some(text).filter(|text| !text.is_empty());
        let is_chat = format.is_session();
        if calls.is_empty() {
            let has_other = !turn.calls.is_empty() || is_chat && role == ASSISTANT || lost > 0;
            let is_empty = text.is_none() && has_other;
            return if is_empty {
                Vec::new()
            } else {
                vec![Message::new(role, Some(text.unwrap_or_default()))]
            };
        }
        let (tool_calls, answers): (Vec<_>, Vec<_>) = calls.into_iter().unzip();
        let calling = Message { tool_calls, ..Message::new(ASSISTANT, None) };
        let answers = answers.into_iter().flatten();
        match text {
            // One message of the chat has both.
            Some(text) if is_chat && role == ASSISTANT => {
                let calling = Message { content: Some(text), ..calling };
                [calling].into_iter().chain(answers).collect()
            }
            // The assistant calls before it answers.
            Some(text) if role == ASSISTANT => {
                let said = Message::new(role, Some(text));
                [calling].into_iter().chain(answers).chain([said]).collect()
            }
            Some(text) => {
                let said = Message::new(role, Some(text));
                [said, calling].into_iter().chain(answers).collect()
            }
            None => [calling].into_iter().chain(answers).collect(),
        }
    });
    let mut messages: Vec<Vec<Message>> = messages.collect();
    if let (Some(said), Some(first)) = (instructions(dialog), messages.first_mut()) {
        first.insert(0, Message::new("system", Some(said.to_owned())));
    }
    messages
}

/// The members of a dialog with the instructions of its model, in several forms of chats.
const INSTRUCTIONS: [&str; 4] = ["system", "instructions", "system_prompt", "systemInstruction"];

/// Returns the instructions of the model, if the user speaks first and a member of the dialog has them.
pub fn instructions(dialog: &Dialog) -> Option<&str> {
    let mut fields = dialog.fields.iter().filter(|field| INSTRUCTIONS.contains(&&*field.name));
    let said = fields.find_map(|field| match &field.content {
        Content::Text(text) => Some(text.as_str()).filter(|text| !text.is_empty()),
        Content::Raw(_) => None,
    });
    let is_first = |turn: &Turn| turn.speaker.role == Role::User;
    said.filter(|_| dialog.turns.first().is_some_and(is_first))
}

/// Returns the role of a turn, which may come before all that people and the system say; None if chats have none for it, or its text is
/// elsewhere.
fn role(turn: &Turn, format: &'static Family, is_before: bool) -> Option<&'static str> {
    match turn.speaker.role {
        Role::User => Some("user"),
        Role::System => Some(ASSISTANT),
        Role::Context | Role::Other => match format.chat().map(|chat| chat.role_of(turn)) {
            Some(ChatRole::Instructions) => Some("system"),
            Some(ChatRole::User) => Some("user"),
            Some(ChatRole::Assistant) => Some(ASSISTANT),
            Some(ChatRole::Tool | ChatRole::Unknown) => None,
            // Instructions of a session.
            None => {
                let has_text = format.is_session() && !turn.text.is_empty();
                let is_named = ["system", "developer"].contains(&&*turn.speaker.name);
                (has_text && (is_named || is_before)).then_some("system")
            }
        },
    }
}

/// Returns the calls of a turn with their answers. Chats need an answer to each call before the next turn.
fn calls(
    turn: &Turn,
    number: usize,
    is_last: bool,
    ids: &mut HashSet<String>,
    left_out: &mut LeftOut,
) -> Vec<(ToolCall, Option<Message>)> {
    let mut all = Vec::new();
    for (place, call) in turn.calls.iter().enumerate() {
        if call.response.is_none() && !is_last {
            left_out.one(["call without a result", "calls without a result"]);
            continue;
        }
        let id = call_id(call).map(str::to_owned);
        let id = id.filter(|id| !id.is_empty() && !ids.contains(id));
        let id = id.unwrap_or_else(|| format!("call_{number}_{place}"));
        ids.insert(id.clone());
        let answer = call.response.as_ref().map(|response| Message {
            tool_call_id: Some(id.clone()),
            ..Message::new("tool", payload::text(response))
        });
        all.push((tool_call(call, id), answer));
    }
    all
}

fn tool_call(call: &ApiCall, id: String) -> ToolCall {
    let arguments = call.arguments.as_ref().and_then(payload::text);
    ToolCall {
        id,
        kind: "function",
        function: Function {
            name: call.name.to_string(),
            arguments: arguments.unwrap_or_else(|| "{}".to_owned()),
        },
    }
}
