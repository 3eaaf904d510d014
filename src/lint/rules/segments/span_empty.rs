//! A segment is empty or covers only whitespace.
//!
//! A label without text is counted, but it has no value to learn or to look up. Often the last
//! letter of the segment was cut off, or the text that it covered was deleted.
//!
//! The fix moves the segment to its quoted text (safe if that occurs once) or deletes the segment
//! (unsafe). Where segments count words, the fix moves it to where the turn has its quote or, without one, mentions
//! a value that an act or the state has for it (unsafe).
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

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::span_fault::{SpanFault, misplaced};
use crate::lint::repair::offer_places;

pub static RULE: Rule = Rule {
    name: "span-empty",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_empty.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let problem = SpanFault::Empty;
    for mention in subject.mentions() {
        let Some(span) = mention.of.span else {
            continue;
        };
        if misplaced(subject, mention) != Some(problem) {
            continue;
        }
        let message = if span.start == span.end {
            format!("span {span} is empty")
        } else {
            format!("span {span} covers only whitespace")
        };
        let diagnostic = found.add(mention.location(), message);
        offer_places(diagnostic, subject, mention, problem);
    }
}
