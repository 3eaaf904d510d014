//! A message of the assistant has neither a text nor a call.
//!
//! Trained on such a chat, a model learns to say nothing. Either the text was lost, or a conversion
//! dropped what the message held.
//!
//! There is no fix, because the missing text is unknown.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "is the harbour café open?"},
//!   {"role": "assistant", "content": ""}]}
//! ```
//!
//! ```json good
//! {"messages": [
//!   {"role": "user", "content": "is the harbour café open?"},
//!   {"role": "assistant", "content": "Until six."}]}
//! ```

use crate::dialog::{Field, Issue};
use crate::format::ChatRole;
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::whitespace::is_blank;

pub static RULE: Rule = Rule {
    name: "chat-empty-assistant",
    severity: Severity::Warning,
    on: true,
    source: include_str!("chat_empty_assistant.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    // What was said in another form: a part that is not text, a refusal, a sound.
    let holds = |field: &Field| {
        let name = field.name.as_str();
        matches!(name, "content" | "refusal" | "audio" | "reasoning")
            && field.content.as_str() != "null"
    };
    for (position, turn) in subject.turns() {
        let is_here = |issue: &Issue| issue.turn == Some(position);
        if chat.roles[position] == ChatRole::Assistant
            && turn.calls.is_empty()
            && turn.text.chars().all(is_blank)
            && !turn.fields.iter().any(holds)
            && !subject.issues.iter().any(is_here)
        {
            let message = "the message of the assistant is empty";
            found.add(subject.location_of(position), message);
        }
    }
}
