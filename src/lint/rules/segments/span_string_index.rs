//! A segment's offset is a string, but the corpus uses numbers.
//!
//! `"8"` is not `8`: comparing, slicing and sorting by such an offset fail, sometimes silently
//! (`"10"` sorts before `"8"`). Taskmaster-4 writes all its offsets as strings, so they are not
//! reported there.
//!
//! The fix writes the offset as a number (safe).
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "two for Dune", "segments": [{"start_index": "8", "end_index": "12", "text": "Dune",
//!   "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```text good
//! user: two for «Dune»{movie}
//! ```

use crate::dialog::Edit;
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::issues::mention_with_string_index;

pub static RULE: Rule = Rule {
    name: "span-string-index",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_string_index.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut last = None;
    for issue in subject.issues {
        let Some(mention) = mention_with_string_index(subject, issue) else {
            continue;
        };
        // Usually both offsets of a segment are strings; report them once.
        let place = (mention.turn, mention.segment);
        if last.replace(place) == Some(place) {
            continue;
        }
        let Some(span) = mention.of.span else {
            continue;
        };
        let message = format!("the offsets {span} are written as strings");
        let edit = Edit::SetSpan {
            turn: mention.turn,
            segment: mention.segment,
            start: span.start,
            end: span.end,
        };
        let diagnostic = found.add(mention.location(), message);
        // Other rules fix wrong offsets, and those fixes write numbers too.
        if mention.is_valid {
            diagnostic.fix("write them as numbers", Applicability::Safe, vec![edit]);
        }
    }
}
