//! The tokens of an utterance differ from its text split at whitespace.
//!
//! Slots count tokens. If the tokens differ from the text, a slot covers something other than what
//! people read.
//!
//! The fixes set the tokens from the text, change the text to match the tokens, or set the tokens
//! from the text and move the slots with their words. Their order depends on the slots: the text or
//! the tokens win, whichever gives the slots values that acts and states have. If that does not
//! decide, the words that occur elsewhere in the dialog do, and otherwise the text wins. The first
//! fix is unsafe, the others are manual. If the text has more words than there are tokens, cutting
//! the text down is never the first fix.
//!
//! The rule applies to families whose segments count words, and only the simulated dialogues have tokens of
//! their own.
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "four", "ouija"], "slots": []}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"], "slots": []}}]}
//! ```

use std::cmp::Ordering;

use crate::dialog::{Edit, Span, Turn};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::tokens::{covered, first_difference, tokens, words};
use crate::text::{MappedSpan, Units};

pub static RULE: Rule = Rule {
    name: "tokens-text-mismatch",
    severity: Severity::Error,
    on: true,
    source: include_str!("tokens_text_mismatch.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.dialog.units.is_tokens() {
        return;
    }
    for (number, turn) in subject.turns() {
        let Some(place) = first_difference(turn) else {
            continue;
        };
        let message = match turn.tokens.get(place) {
            Some(token) => {
                format!("token {place} is \"{token}\", but the text differs there")
            }
            None => format!("the text continues after its {place} tokens"),
        };
        let diagnostic = found.add(subject.location_of(number), message);
        let mut applicability = Applicability::Unsafe;
        for (title, edit) in repairs(subject, number, turn) {
            diagnostic.fix(title, applicability, vec![edit]);
            applicability = Applicability::Display;
        }
    }
}

/// Returns the edit that sets the tokens of a turn from its text. Slots keep their offsets.
pub fn from_text(number: usize, turn: &Turn) -> (String, Edit) {
    let tokens = words(turn).into_iter().map(str::to_owned).collect();
    let edit = Edit::SetTokens { turn: number, tokens };
    ("set the tokens from the text".to_owned(), edit)
}

/// Returns every edit that makes the text and the tokens agree, the most likely first.
fn repairs(subject: &Subject<'_>, number: usize, turn: &Turn) -> Vec<(String, Edit)> {
    let (old, new) = (tokens(turn), words(turn));
    let spans: Vec<Option<Span>> = turn.segments.iter().map(|s| s.span).collect();
    let moved = moved(turn, subject.dialog.units);
    let set_text = |text: String| Edit::SetText { turn: number, text, drop: false, shrink: false };
    let joined = turn.tokens.join(" ");
    let title = format!("change the text to \"{joined}\"");
    let text = (title, set_text(joined));
    let keep_slots = Some(from_text(number, turn)).filter(|_| fits(&spans, &old, &new));
    let move_slots = moved.as_ref().filter(|moved| **moved != spans).map(|_| {
        let title = "set the tokens from the text and move the slots with their words";
        (title.to_owned(), set_text(turn.text.clone()))
    });
    let values = |spans: &[Option<Span>], tokens: &[&str]| {
        let labels = turn.segments.iter().map(|s| s.labels.first());
        let spans = spans.iter().zip(labels);
        let known = spans.filter(|(span, label)| {
            let text = span.and_then(|span| covered(tokens, span));
            let label = label.map_or("", |label| &label.name);
            text.is_some_and(|text| subject.times_said(label, &text) > 0)
        });
        known.count()
    };
    let by_slots = values(&spans, &new).cmp(&values(&spans, &old));
    let preference = by_slots.then_with(|| by_words(subject, number, &old, &new));
    let order = match (preference, new.len() > old.len()) {
        (Ordering::Less, true) => [move_slots, keep_slots, Some(text)],
        (Ordering::Less, false) => [Some(text), move_slots, keep_slots],
        (Ordering::Equal | Ordering::Greater, _) => [keep_slots, move_slots, Some(text)],
    };
    order.into_iter().flatten().collect()
}

/// True if every span that fits the old tokens also fits the new ones.
fn fits(spans: &[Option<Span>], old: &[&str], new: &[&str]) -> bool {
    let holds = |tokens: &[&str], span: &Span| span.end as usize <= tokens.len();
    let mut spans = spans.iter().flatten();
    spans.all(|span| holds(new, span) || !holds(old, span))
}

/// Returns the spans of the slots after moving with their words to the tokens of the text; None if that would
/// cut a slot.
fn moved(turn: &Turn, units: Units) -> Option<Vec<Option<Span>>> {
    let moved = turn.moved_by(&turn.text, false, units);
    let spans = moved.into_iter().zip(&turn.segments).map(|(moved, segment)| match moved {
        None => Some(segment.span),
        Some(MappedSpan::To(range)) => Some(Some(Span {
            start: u32::try_from(range.start).ok()?,
            end: u32::try_from(range.end).ok()?,
        })),
        Some(MappedSpan::Cut) => None,
    });
    spans.collect()
}

/// Compares the words in which two equally long lists of tokens differ: greater if only the new words all
/// occur elsewhere in the dialog, less if only the old words all do.
fn by_words(subject: &Subject<'_>, number: usize, old: &[&str], new: &[&str]) -> Ordering {
    if old.len() != new.len() {
        return Ordering::Equal;
    }
    let occurs = |word: &str| {
        let others = subject.turns().filter(|(other, _)| *other != number);
        let mut words = others.flat_map(|(_, turn)| &turn.tokens);
        words.any(|token| token == word)
    };
    let differ = || old.iter().zip(new).filter(|(old, new)| old != new);
    let of_old = differ().all(|(old, _)| occurs(old));
    let of_new = differ().all(|(_, new)| occurs(new));
    of_new.cmp(&of_old)
}
