//! A segment ends before it starts.
//!
//! Such a segment covers nothing, and programs that slice by its offsets get an empty text or fail.
//! Usually the two offsets were swapped, or an annotator selected from right to left.
//!
//! The fix swaps the offsets or moves the segment to its quoted text; it is safe if the quoted text
//! occurs there exactly. A slot of a simulated dialogue quotes no text, so the fix moves it to
//! where the turn mentions a value that an act or the state has for it; this is safe if swapping
//! the offsets gives exactly that place.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "two for Dune", "segments": [{"start_index": 12, "end_index": 8, "text": "Dune",
//!   "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```text good
//! user: two for «Dune»{movie}
//! ```

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::span_fault::{SpanFault, misplaced};
use crate::lint::repair::offer_places;

pub static RULE: Rule = Rule {
    name: "span-reversed",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_reversed.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let problem = SpanFault::Reversed;
    for mention in subject.mentions() {
        let Some(span) = mention.of.span else {
            continue;
        };
        if misplaced(subject, mention) != Some(problem) {
            continue;
        }
        let message = format!("span {span} ends before it starts");
        let diagnostic = found.add(mention.location(), message);
        offer_places(diagnostic, subject, mention, problem);
    }
}
