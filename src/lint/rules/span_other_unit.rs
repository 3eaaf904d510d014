//! The numbers of a segment fit only if they count something else than code points.
//!
//! Python counts code points, and so do these corpora. Java and JavaScript count UTF-16 units, in which
//! an emoji is two; other programs count bytes, in which every letter beyond ASCII is several; and some
//! name the last character that is covered instead of the one behind it. Behind the first such
//! character all segments are off.
//!
//! It is told where the numbers cover just what is quoted once they are counted so. That ends are
//! included is told only if it is so in the whole dialog.
//!
//! The fix writes the numbers in code points (safe).
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "👍 two for Dune", "segments": [{"start_index": 11, "end_index": 15, "text": "Dune",
//!   "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```text good
//! user: 👍 two for «Dune»{movie}
//! ```

use crate::lint::misplaced::{Misplaced, misplaced};
use crate::lint::repair::{offer_places, quoted};
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "span-other-unit",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_other_unit.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for mention in subject.mentions() {
        let Some(span) = mention.of.span else {
            continue;
        };
        let Some(problem @ Misplaced::OtherUnit(unit)) = misplaced(subject, mention) else {
            continue;
        };
        let quote = quoted(mention.of.quote.as_deref().unwrap_or_default());
        let message = format!("{span} covers {quote} only if it counts {}", unit.name());
        let diagnostic = found.add(mention.spot(), message);
        offer_places(diagnostic, subject, mention, problem);
    }
}
