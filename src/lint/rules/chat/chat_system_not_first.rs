//! Instructions to the assistant come after other messages of a chat.
//!
//! Many chat templates accept a system message only at the beginning; others move it there or drop it.
//! If several messages with instructions begin the chat, they are not reported.
//!
//! There is no fix, because turnwise has no edit that moves a turn.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "is the harbour café open?"},
//!   {"role": "system", "content": "Be brief."},
//!   {"role": "assistant", "content": "Until six."}]}
//! ```
//!
//! ```json good
//! {"messages": [
//!   {"role": "system", "content": "Be brief."},
//!   {"role": "user", "content": "is the harbour café open?"},
//!   {"role": "assistant", "content": "Until six."}]}
//! ```

use crate::format::ChatRole;
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;

pub static RULE: Rule = Rule {
    name: "chat-system-not-first",
    severity: Severity::Warning,
    on: true,
    source: include_str!("chat_system_not_first.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    let is_system = |role: &ChatRole| *role == ChatRole::Instructions;
    let first = chat.roles.iter().position(|role| !is_system(role));
    for (position, turn) in subject.turns().skip(first.unwrap_or(chat.roles.len())) {
        if is_system(&chat.roles[position]) {
            let name = &turn.speaker.name;
            let message = format!("the {name} message comes after other messages");
            found.add(subject.location_of(position), message);
        }
    }
}
