//! A dialog is not of the form that its family has.
//!
//! A field is missing, or holds something else than it should: a number where a text belongs, an
//! object where a list does. Programs that read the corpus stop there, or silently take nothing for
//! it. What the form is, `turnwise schema` prints.
//!
//! Offsets that are strings of digits are found by span-string-index, labels of votes that are none by
//! vote-unknown-label.
//!
//! There is no fix: what is missing is not known.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [
//!   {"index": 0, "speaker": "USER", "text": 12}]}
//! ```
//!
//! ```text good
//! user: two for Dune
//! ```

use super::span_string_index::is_string_index;
use super::vote_unknown_label::is_vote_label;
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "schema",
    severity: Severity::Error,
    on: true,
    source: include_str!("schema.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for issue in subject.issues {
        if is_string_index(subject, issue) || is_vote_label(subject, issue) {
            continue;
        }
        let mut spot = subject.spot_in(issue.at);
        spot.turn = spot.turn.or(issue.turn);
        found.add(spot, issue.problem.to_string());
    }
}
