//! A segment's offsets count something other than code points.
//!
//! Python counts code points, and so do these corpora. Java and JavaScript count UTF-16 units, in
//! which an emoji counts as two; other programs count bytes, in which every letter beyond ASCII
//! counts as several; and some give the last character covered instead of the one after it. After
//! the first character that counts differently, all segments are off.
//!
//! A segment is reported if its offsets, counted in another unit, cover exactly the quoted text.
//! Inclusive ends are reported only if the whole dialog has them.
//!
//! The fix converts the offsets to code points (safe). In a format of your own it is not safe if most segments of the
//! dialog are so, because the `unit` or the `ends` in its description may be what is wrong: `turnwise formats check`
//! tries others.
//!
//! The rule does not apply to families whose segments count words, such as the simulated dialogues and
//! `MultiWOZ`.
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

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::span_fault::{SpanFault, misplaced};
use crate::lint::repair::{offer_places, quoted};

pub static RULE: Rule = Rule {
    name: "span-other-unit",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_other_unit.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for mention in subject.mentions() {
        let Some(span) = mention.of.span else {
            continue;
        };
        let Some(problem @ SpanFault::OtherUnit(unit)) = misplaced(subject, mention) else {
            continue;
        };
        let quote = quoted(mention.of.exact_quote().unwrap_or_default());
        let message = format!("span {span} covers {quote} only if counted in {}", unit.name());
        let diagnostic = found.add(mention.location(), message);
        offer_places(diagnostic, subject, mention, problem);
    }
}
