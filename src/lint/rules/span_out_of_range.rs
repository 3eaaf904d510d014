//! A segment reaches beyond the end of its turn's text.
//!
//! Its numbers point at characters that are not there, so whatever reads the corpus takes the wrong
//! text for it, or stops. Numbers are counted in code points; slots of the simulated dialogues, which
//! count tokens, are the business of slot-out-of-range.
//!
//! The fix puts the segment where its quoted text stands, if it stands there once (safe); else it
//! ends the segment with the turn (unsafe), for often the text was cut short.
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

use crate::lint::misplaced::{Misplaced, misplaced};
use crate::lint::repair::offer_places;
use crate::lint::{Findings, Look, Rule, Severity, Subject};
use crate::text::count;

pub static RULE: Rule = Rule {
    name: "span-out-of-range",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_out_of_range.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let problem = Misplaced::OutOfRange;
    for mention in subject.mentions() {
        let Some(span) = mention.of.span else {
            continue;
        };
        if misplaced(subject, mention) != Some(problem) {
            continue;
        }
        let length = count(mention.said);
        let message = format!("{span} reaches beyond the turn, which has {length} code points");
        let diagnostic = found.add(mention.spot(), message);
        offer_places(diagnostic, subject, mention, problem);
    }
}
