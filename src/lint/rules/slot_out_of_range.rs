//! A slot reaches beyond the last token of its utterance.
//!
//! Its numbers point at tokens that are not there, so whatever reads the corpus takes the wrong text
//! for it, or stops. Numbers are counted in tokens, the end is the first one not covered.
//!
//! The fix ends the slot with the utterance (unsafe).
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

use crate::dialog::{Edit, Span};
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
        let Some(Span { start, end }) = mention.of.span.filter(|span| span.start < span.end) else {
            continue;
        };
        let length = subject.dialog.turns[mention.turn].tokens.len() as u32;
        if end <= length {
            continue;
        }
        let message =
            format!("{start}..{end} reaches beyond the utterance, which has {length} tokens");
        let diagnostic = found.add(mention.spot(), message);
        if start < length {
            let edit = Edit::SetSpan {
                turn: mention.turn,
                segment: mention.segment,
                start,
                end: length,
            };
            let title = format!("end at {length}, with the utterance");
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
        }
    }
}
