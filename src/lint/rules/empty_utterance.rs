//! A turn says nothing.
//!
//! Its text is empty, or nothing but blanks. Either what was said was lost, or the system had no
//! answer; a reader who joins texts does not see that anybody spoke.
//!
//! There is no fix: what was said is not known.
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

use crate::dialog::Issue;
use crate::lint::repair::is_blank;
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "empty-utterance",
    severity: Severity::Warning,
    on: true,
    source: include_str!("empty_utterance.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.format.is_companion() {
        return;
    }
    for (position, turn) in subject.turns() {
        if !turn.text.chars().all(is_blank) {
            continue;
        }
        // Where the text is missing or is no text, schema says so; where segments point into it, a
        // rule for segments.
        let told = |issue: &Issue| issue.turn == Some(position);
        if subject.issues.iter().any(told) || !turn.segments.is_empty() {
            continue;
        }
        let message = if turn.text.is_empty() {
            "the utterance is empty"
        } else {
            "the utterance is nothing but blanks"
        };
        found.add(subject.spot_of(position), message);
    }
}
