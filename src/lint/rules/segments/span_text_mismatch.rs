//! A segment's quoted text differs from the text at its offsets.
//!
//! The offsets and the quoted text disagree, so two readers of the corpus can learn two different
//! values. Often the utterance was edited after it was labelled, or the offsets are off by one.
//!
//! The fix moves the segment to the occurrence of its quoted text that is nearest to the offsets:
//! safe if it is the only one, or much nearer than any other. If the offsets cover the same words
//! with different capitalization or whitespace, the fix changes the quoted text instead (safe). If
//! the quoted text does not occur, the fix moves the segment to the most similar text (unsafe).
//!
//! The rule does not apply to families whose segments have no quotes, such as SGD, nor to those whose quotes
//! need not be the text, such as `MultiWOZ`: span-quoted-elsewhere checks the latter.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "two for Dune", "segments": [{"start_index": 7, "end_index": 11, "text": "Dune",
//!   "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "two for Dune", "segments": [{"start_index": 8, "end_index": 12, "text": "dune",
//!   "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```text good
//! user: two for «Dune»{movie}
//! ```

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::span_fault::{SpanFault, misplaced};
use crate::lint::repair::{offer_places, quoted};

pub static RULE: Rule = Rule {
    name: "span-text-mismatch",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_text_mismatch.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let problem = SpanFault::Mismatch;
    for mention in subject.mentions() {
        if misplaced(subject, mention) != Some(problem) {
            continue;
        }
        let quote = mention.of.exact_quote().unwrap_or_default();
        let (covers, quotes) = (quoted(mention.text()), quoted(quote));
        let message = format!("the segment quotes {quotes}, but its offsets cover {covers}");
        let diagnostic = found.add(mention.location(), message);
        offer_places(diagnostic, subject, mention, problem);
    }
}
