//! A call of a tool has no answer before the user or the assistant speaks.
//!
//! Services reject such a chat, and a model learns to go on without the result. A call in the last
//! message of a chat is not reported. If an answer that names another call follows, chat-answer-orphan
//! reports that instead.
//!
//! In a session of an agent, whose calls may be answered at any time, a call is reported if a later turn has a text,
//! unless the session went back to before the call.
//! In forms in which calls have no ids, another call of the tool must be answered, too: some tools never answer.
//!
//! There is no fix, because the missing answer is unknown.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "when is high tide in Porto?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
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

use std::collections::HashSet;

use crate::dialog::{ApiCall, Role, Turn};
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::{Chat, ChatCall};

pub static RULE: Rule = Rule {
    name: "chat-call-unanswered",
    severity: Severity::Error,
    on: true,
    source: include_str!("chat_call_unanswered.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return of_session(subject, found);
    };
    for calls in chat.calls.chunk_by(|one, other| one.turn == other.turn) {
        of_turn(subject, chat, calls, found);
    }
}

/// Finds those of a session behind which somebody says something.
fn of_session(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.is_chat() {
        return;
    }
    let turns = &subject.dialog.turns;
    let calls = turns.iter().flat_map(|turn| &turn.calls);
    let answered = calls.filter(|call| call.response.is_some());
    let answered: HashSet<&str> = answered.map(|call| call.name.as_str()).collect();
    let speaks = |turn: &Turn| {
        matches!(turn.speaker.role, Role::User | Role::System) && !turn.text.is_empty()
    };
    let last = turns.iter().rposition(speaks).unwrap_or_default();
    let taken_back = subject.dialog.branches.turns(|branch| branch.taken_back);
    let all = turns[..last].iter().enumerate();
    for (turn, of) in all.filter(|(turn, _)| !taken_back.contains(turn)) {
        let is_lost = |call: &&ApiCall| {
            call.response.is_none() && (call.is_awaited || answered.contains(&*call.name))
        };
        for call in of.calls.iter().filter(is_lost) {
            let message = format!("{} has no answer", call.name);
            found.add(subject.location_at(turn, call.at), message);
        }
    }
}

fn of_turn(
    subject: &Subject<'_>,
    chat: &Chat<'_>,
    calls: &[ChatCall<'_>],
    found: &mut Findings<'_>,
) {
    let turn = calls[0].turn;
    let until = chat.next_side(turn);
    if turn + 1 == chat.roles.len() {
        return;
    }
    // The user's next message may hold the answer, too.
    let is_late = |call: &&ChatCall<'_>| call.answer.is_none_or(|answer| answer > until);
    // Without ids, one message may answer all calls.
    if calls.iter().all(|call| call.id.is_none()) && calls.iter().any(|call| !is_late(&call)) {
        return;
    }
    let orphans = (turn + 1..until).filter(|turn| chat.is_orphan(*turn));
    for call in calls.iter().filter(is_late).skip(orphans.count()) {
        let name = &call.of.name;
        let message = match call.answer {
            Some(answer) => format!("{name} is answered only in turn {answer}, after turn {until}"),
            None => format!("{name} has no answer"),
        };
        found.add(subject.location_at(call.turn, call.of.at), message);
    }
}
