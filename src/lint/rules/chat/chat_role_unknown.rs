//! A message of a chat has a role that the format does not know.
//!
//! Chat templates stop at an unknown role or drop the message. Most often the name is misspelled. Roles
//! are `system`, `developer`, `user`, `assistant`, `tool` and `function`; in the `ShareGPT` form `system`,
//! `human` and `user`, `gpt`, `assistant` and others, `function_call`, `observation` and `tool`.
//!
//! There is no fix, because turnwise has no edit that changes a role.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "is the harbour café open?"},
//!   {"role": "asistant", "content": "Until six."}]}
//! ```
//!
//! ```json good
//! {"messages": [
//!   {"role": "user", "content": "is the harbour café open?"},
//!   {"role": "assistant", "content": "Until six."}]}
//! ```

use crate::format::ChatRole;
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::text::quoted;

pub static RULE: Rule = Rule {
    name: "chat-role-unknown",
    severity: Severity::Error,
    on: true,
    source: include_str!("chat_role_unknown.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    for (position, turn) in subject.turns() {
        let name = &turn.speaker.name;
        // If the role is missing or is not a string, schema reports it.
        let reported = || {
            let mut issues = subject.issues.iter();
            name.is_empty() && issues.any(|issue| issue.turn == Some(position))
        };
        if chat.roles[position] == ChatRole::Unknown && !reported() {
            let message = format!("unknown role {}", quoted(name));
            found.add(subject.location_of(position), message);
        }
    }
}
