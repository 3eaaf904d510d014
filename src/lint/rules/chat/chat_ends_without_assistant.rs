//! A chat does not end with a message of the assistant.
//!
//! There is nothing to learn after the last message of the assistant, and fine-tuning services reject
//! such a chat. Logs of agents often end with the user, so this is a note; the profiles of trainers
//! make it more. A last message that calls a tool is fine, and so is a dialog that is only a `prompt`.
//!
//! There is no fix, because the missing message is unknown.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "is the harbour café open?"},
//!   {"role": "assistant", "content": "Until six."},
//!   {"role": "user", "content": "thanks"}]}
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
    name: "chat-ends-without-assistant",
    severity: Severity::Note,
    on: true,
    source: include_str!("chat_ends_without_assistant.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    let last = chat.roles.iter().rposition(|role| *role != ChatRole::Instructions);
    if (chat.form.is_prompt)(subject.tree.root()) {
        return;
    }
    if let Some(last) = last
        && matches!(chat.roles[last], ChatRole::User | ChatRole::Tool)
    {
        let name = &subject.dialog.turns[last].speaker.name;
        let message = format!("the last message of the chat has the role {name}");
        found.add(subject.location_of(last), message);
    }
}
