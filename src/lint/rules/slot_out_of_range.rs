//! A slot reaches beyond the last token of its utterance.
//!
//! Its numbers point at tokens that are not there, so whatever reads the corpus takes the wrong text
//! for it, or stops. Numbers are counted in tokens, the end is the first one not covered.
//!
//! The fixes put the slot where the turn says what an act or the state has for it, or end it with the
//! utterance (unsafe). If it lies within the text, it is the tokens that lack something: they are taken
//! from the text (unsafe).
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
//!     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 4}]}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
//!     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
//! ```

use super::tokens_text_mismatch::from_text;
use crate::dialog::Span;
use crate::lint::repair::offer_slot_places;
use crate::lint::slots::words;
use crate::lint::{Applicability, Findings, Look, Rule, Severity, Subject};
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "slot-out-of-range",
    severity: Severity::Error,
    on: true,
    source: include_str!("slot_out_of_range.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::Tokens {
        return;
    }
    for mention in subject.mentions() {
        let Some(span) = mention.of.span.filter(|span| span.start < span.end) else {
            continue;
        };
        let Span { start, end } = span;
        let turn = &subject.dialog.turns[mention.turn];
        let length = turn.tokens.len() as u32;
        if end <= length {
            continue;
        }
        let message = format!("{span} reaches beyond the utterance, which has {length} tokens");
        let diagnostic = found.add(mention.spot(), message);
        if end as usize <= words(turn).len() {
            let (title, edit) = from_text(mention.turn, turn);
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
            continue;
        }
        let end = length;
        offer_slot_places(diagnostic, subject, mention, Some(Span { start, end }));
    }
}
