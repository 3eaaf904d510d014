//! A segment covers nothing, or nothing but blanks.
//!
//! A label that stands on nothing labels nothing: it is counted, but there is no value to learn or to
//! look up. Often its last letter was cut off, or the text it stood on was deleted.
//!
//! The fix puts the segment where its quoted text stands (safe if it stands there once), or deletes it
//! (unsafe). A slot of the simulated dialogues quotes nothing: it goes where the turn says what an act
//! or the state has for it (unsafe).
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "2 for Dune", "segments": [{"start_index": 0, "end_index": 0, "text": "2",
//!   "annotations": [{"name": "num.tickets"}]}]}]}
//! ```
//!
//! ```text good
//! user: «2»{num.tickets} for Dune
//! ```

use crate::lint::misplaced::{Misplaced, misplaced};
use crate::lint::repair::offer_places;
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "span-empty",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_empty.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let problem = Misplaced::Empty;
    for mention in subject.mentions() {
        let Some(span) = mention.of.span else {
            continue;
        };
        if misplaced(subject, mention) != Some(problem) {
            continue;
        }
        let message = if span.start == span.end {
            format!("{span} covers nothing")
        } else {
            format!("{span} covers nothing but blanks")
        };
        let diagnostic = found.add(mention.spot(), message);
        offer_places(diagnostic, subject, mention, problem);
    }
}
