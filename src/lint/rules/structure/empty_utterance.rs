//! An utterance is empty or contains only whitespace.
//!
//! Either the text was lost, or the system gave no answer. When the texts of a dialog are joined,
//! the turn disappears.
//!
//! There is no fix, because the missing text is unknown.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [
//!   {"index": 0, "speaker": "USER", "text": "two for Dune"},
//!   {"index": 1, "speaker": "ASSISTANT", "text": " "}]}
//! ```
//!
//! ```text good
//! user: two for Dune
//! assistant: at which theater?
//! ```

use crate::dialog::{Dialog, Issue, Role, Turn};
use crate::format::{CALLS_DIGEST, ChatRole, REASONING_FIELD, answered_call};
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::whitespace::is_blank;

pub static RULE: Rule = Rule {
    name: "empty-utterance",
    severity: Severity::Warning,
    on: true,
    source: include_str!("empty_utterance.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.format.is_companion() || is_log_of_calls(subject.dialog) {
        return;
    }
    for (position, turn) in subject.turns() {
        if !turn.text.chars().all(is_blank) {
            continue;
        }
        // If the text is missing or is not a string, schema reports it; if segments point into it, a
        // rule for segments does.
        let is_here = |issue: &Issue| issue.turn == Some(position);
        if subject.issues.iter().any(is_here) || !turn.segments.is_empty() {
            continue;
        }
        if subject.format.is_described() && need_not_speak(subject, position)
            || is_message_without_text(subject, turn)
        {
            continue;
        }
        let message = if turn.text.is_empty() {
            "the utterance is empty"
        } else {
            "the utterance contains only whitespace"
        };
        found.add(subject.location_of(position), message);
    }
}

/// True for the log of votes on a dialog with calls. Of these and their results it only has a digest.
fn is_log_of_calls(dialog: &Dialog) -> bool {
    let mut fields = dialog.turns.iter().flat_map(|turn| &turn.fields);
    fields.any(|field| field.name == CALLS_DIGEST)
}

/// True if a turn of a declared format need not say anything: it calls an API, its speaker is hidden, it has parts
/// other than texts, or it is the response of a call.
fn need_not_speak(subject: &Subject<'_>, position: usize) -> bool {
    let turn = &subject.dialog.turns[position];
    !turn.calls.is_empty()
        || turn.speaker.role == Role::Context
        || !turn.unread.is_empty()
        || turn.fields.iter().any(|field| field.name == REASONING_FIELD)
        || answered_call(&subject.dialog.turns, position).is_some()
}

/// True if a message of a chat may have no text: an assistant's, which chat-empty-assistant checks, the
/// answer of a tool, or one with an image.
fn is_message_without_text(subject: &Subject<'_>, turn: &Turn) -> bool {
    let Some(chat) = subject.format.chat() else {
        return false;
    };
    matches!(chat.role_of(turn), ChatRole::Assistant | ChatRole::Tool)
        || turn.fields.iter().any(|field| field.name == "content")
}
