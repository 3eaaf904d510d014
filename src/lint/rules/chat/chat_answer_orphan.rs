//! An answer of a tool belongs to no call of the chat.
//!
//! Its `tool_call_id` is that of no earlier call, or the call already has an answer. Services reject
//! such a chat. Most often the id was changed or cut; then one call before it has no answer.
//!
//! An answer behind a message of the assistant with parts that are not read is passed over, because its call may be
//! one of them. So is a chat without any message of the assistant, because its calls are elsewhere.
//!
//! There is no fix, because turnwise has no edit that changes the id of an answer.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "when is high tide in Porto?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
//!   {"role": "tool", "tool_call_id": "call_l", "content": "14:10"},
//!   {"role": "assistant", "content": "At 14:10."}]}
//! ```
//!
//! ```json good
//! {"messages": [
//!   {"role": "user", "content": "when is high tide in Porto?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
//!   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
//!   {"role": "assistant", "content": "At 14:10."}]}
//! ```

use crate::dialog::{LOST_ANSWER, Role, Turn};
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::{Chat, ChatCall};
use crate::text::quoted;

pub static RULE: Rule = Rule {
    name: "chat-answer-orphan",
    severity: Severity::Error,
    on: true,
    source: include_str!("chat_answer_orphan.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return of_session(subject, found);
    };
    let turns = &subject.dialog.turns;
    if !turns.iter().any(|turn| turn.speaker.role == Role::System) {
        return;
    }
    let is_orphan = |turn: &usize| chat.is_orphan(*turn) || lost_answers(&turns[*turn]) > 0;
    for turn in (0..chat.roles.len()).filter(is_orphan) {
        // If the message is not an object, or its id is not a string, schema reports it.
        if subject.issues.iter().any(|issue| issue.turn == Some(turn)) {
            continue;
        }
        if may_be_unread(&turns[..turn]) {
            continue;
        }
        if chat.is_orphan(turn) && lost_answers(&turns[turn]) < 2 {
            found.add(subject.location_of(turn), message(subject, chat, turn));
        } else {
            add_parts(subject, turn, found);
        }
    }
}

/// Finds those of a session, in which answers are parts of turns.
fn of_session(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for turn in 0..subject.dialog.turns.len() {
        if subject.is_chat() {
            add_parts(subject, turn, found);
        }
    }
}

/// Adds a problem for each answer in a turn that is not read, because it belongs to no call.
fn add_parts(subject: &Subject<'_>, turn: usize, found: &mut Findings<'_>) {
    for _ in 0..lost_answers(&subject.dialog.turns[turn]) {
        let message = "no call before waits for an answer in this turn: none has its id, or it has been answered already";
        found.add(subject.location_of(turn), message.to_owned());
    }
}

fn lost_answers(turn: &Turn) -> u64 {
    turn.unread.count(LOST_ANSWER)
}

/// True if the message of the assistant before has parts that are not read.
fn may_be_unread(before: &[Turn]) -> bool {
    let mut calling = before.iter().rev();
    let calling = calling.find(|turn| turn.speaker.role == Role::System);
    calling.is_some_and(|turn| !turn.unread.is_empty())
}

fn message(subject: &Subject<'_>, chat: &Chat<'_>, turn: usize) -> String {
    let mut fields = subject.dialog.turns[turn].fields.iter();
    let id = fields.find(|field| field.name == "tool_call_id" && field.content.as_str() != "null");
    let Some(id) = id.map(|field| field.content.as_str()) else {
        return "no call waits for this answer".to_owned();
    };
    let is_before = |call: &&ChatCall<'_>| call.turn < turn;
    let mut before = chat.calls.iter().filter(is_before);
    if before.any(|call| call.id == Some(id)) {
        return format!("another answer to the call {}", quoted(id));
    }
    let waits = |call: &&ChatCall<'_>| call.answer.is_none() && chat.next_side(call.turn) > turn;
    let waiting = chat.calls.iter().filter(is_before).rfind(waits);
    let hint = waiting
        .and_then(|call| call.id)
        .map_or_else(String::new, |id| format!("; the call {} has no answer", quoted(id)));
    format!("no call before has the id {}{hint}", quoted(id))
}
