//! A slot extends past the last token of its utterance.
//!
//! Its offsets refer to tokens that do not exist, so programs that read the corpus take the wrong
//! text or fail. Offsets count tokens, and the end is exclusive.
//!
//! The fixes move the slot to where the turn mentions a value that an act or the state has for it,
//! or end the slot at the end of the utterance (unsafe). If the slot lies within the text, the
//! tokens are incomplete, and the fix sets them from the text instead (unsafe).
//!
//! The rule applies to families whose segments count words: the simulated dialogues and `MultiWOZ`. For others,
//! span-out-of-range does the same.
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
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::elsewhere::QuotesElsewhere;
use crate::lint::facts::tokens::words;
use crate::lint::repair::offer_slot_places;

pub static RULE: Rule = Rule {
    name: "slot-out-of-range",
    severity: Severity::Error,
    on: true,
    source: include_str!("slot_out_of_range.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.dialog.units.is_tokens() {
        return;
    }
    // A turn with such a span, and whether it is reported as a whole.
    let mut reported: Option<(usize, bool)> = None;
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
        // span-quoted-elsewhere reports the turn as a whole.
        if reported.is_none_or(|(turn, _)| turn != mention.turn) {
            let is_reported =
                QuotesElsewhere::of(subject, mention.turn).is_some_and(|q| q.are_most());
            reported = Some((mention.turn, is_reported));
        }
        if reported.is_some_and(|(_, is_reported)| is_reported) {
            continue;
        }
        let message =
            format!("span {span} extends past the end of the utterance ({length} tokens)");
        let diagnostic = found.add(mention.location(), message);
        if end as usize <= words(turn).len() {
            let (title, edit) = from_text(mention.turn, turn);
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
            continue;
        }
        let end = length;
        offer_slot_places(diagnostic, subject, mention, Some(Span { start, end }));
    }
}
