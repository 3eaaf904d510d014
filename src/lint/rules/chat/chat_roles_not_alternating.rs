//! Two messages of the user, or two of the assistant, follow each other.
//!
//! Many chat templates require that user and assistant alternate, and stop or join the two messages.
//! Instructions between the two do not count. Messages of the assistant may follow each other if the
//! first one calls a tool.
//!
//! There is no fix, because only a person can tell whether a message is missing or both belong together.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "is the harbour café open?"},
//!   {"role": "user", "content": "hello?"},
//!   {"role": "assistant", "content": "Until six."}]}
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

pub static RULE: Rule = Rule {
    name: "chat-roles-not-alternating",
    severity: Severity::Warning,
    on: true,
    source: include_str!("chat_roles_not_alternating.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    let mut before = None;
    for (position, turn) in subject.turns() {
        let role = chat.roles[position];
        let side = match role {
            ChatRole::Instructions => continue,
            // A call expects an answer, even if there is none.
            ChatRole::Assistant if turn.calls.is_empty() => Some("assistant"),
            ChatRole::User => Some("user"),
            ChatRole::Assistant | ChatRole::Tool | ChatRole::Unknown => None,
        };
        let again = match role {
            ChatRole::Assistant => before == Some("assistant"),
            _ => side.is_some() && before == side,
        };
        if again {
            let side = before.unwrap_or_default();
            let message = format!("two messages of the {side} follow each other");
            found.add(subject.location_of(position), message);
        }
        before = side;
    }
}
