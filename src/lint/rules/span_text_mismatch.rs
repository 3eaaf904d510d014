//! A segment covers something else than it quotes.
//!
//! The numbers say one thing and the text beside them another, so that two readers of the corpus learn
//! two different values. Often the utterance was edited after it was labelled, or the numbers are one
//! off.
//!
//! The fix puts the segment where its quoted text stands, nearest to its numbers: safe if that is the
//! only place, or nearer by far than any other. If the numbers cover the same words, written with other
//! capitals or blanks, the quoted text is written anew (safe). If what is quoted is nowhere, the place
//! that is most like it is offered (unsafe).
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

use crate::lint::misplaced::{Misplaced, misplaced};
use crate::lint::repair::{offer_places, quoted};
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "span-text-mismatch",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_text_mismatch.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let problem = Misplaced::Mismatch;
    for mention in subject.mentions() {
        if misplaced(subject, mention) != Some(problem) {
            continue;
        }
        let quote = mention.of.quote.as_deref().unwrap_or_default();
        let (covers, quotes) = (quoted(mention.text()), quoted(quote));
        let message = format!("covers {covers}, but quotes {quotes}");
        let diagnostic = found.add(mention.spot(), message);
        offer_places(diagnostic, subject, mention, problem);
    }
}
