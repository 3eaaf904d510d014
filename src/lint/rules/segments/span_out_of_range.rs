//! A segment extends past the end of its turn's text.
//!
//! Its offsets refer to characters that do not exist, so programs that read the corpus take the
//! wrong text or fail. Offsets count code points. Slots of simulated dialogues count tokens;
//! slot-out-of-range checks them.
//!
//! The fix moves the segment to its quoted text if that occurs once (safe). Otherwise it ends the
//! segment at the end of the turn (unsafe), because the text was often cut short.
//!
//! The rule does not apply to families whose segments count words, such as the simulated dialogues and
//! `MultiWOZ`: slot-out-of-range checks those.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "two for Dune", "segments": [{"start_index": 8, "end_index": 15, "text": "Dune",
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
use crate::text::count;

pub static RULE: Rule = Rule {
    name: "span-out-of-range",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_out_of_range.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let problem = SpanFault::OutOfRange;
    for mention in subject.mentions() {
        let Some(span) = mention.of.span else {
            continue;
        };
        if misplaced(subject, mention) != Some(problem) {
            continue;
        }
        let length = count(mention.said);
        let message =
            format!("span {span} extends past the end of the turn ({length} code points)");
        let diagnostic = found.add(mention.location(), message);
        offer_places(diagnostic, subject, mention, problem);
    }
}
