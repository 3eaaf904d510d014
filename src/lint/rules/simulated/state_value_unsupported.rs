//! The dialogue state has a value that is not mentioned earlier in the dialog.
//!
//! A state holds what the user wants so far. In sim-M and sim-R, every value of a state is, to the
//! letter, the text of a slot or a value of an act up to that turn; in sim-GEN, which has no slots,
//! some utterance contains it. Any other value was made up, or the slot that should cover it is
//! misplaced.
//!
//! A value is reported where it first appears, but not again in the following states that repeat
//! it. `dontcare` can be said in many ways and is never reported.
//!
//! The rule also reports a slot of the user's utterance if it covers part of the value and something
//! else; if it covers text at or next to the value, and no act or state has that text as a value; or
//! if it covers the value, but has another name, under which the value occurs nowhere else in the
//! dialog.
//!
//! If the user's utterance has the value, the fixes move, rename or add the slot there. If the rest of
//! the dialog has the value under another slot's name, they rename the slot of the state. Otherwise
//! they change the value, in every state that repeats it, to the one mentioned last for the slot, or
//! else to that of the state before. They are unsafe, or manual if two choices are equally likely.
//!
//! The rule does not apply to `MultiWOZ`, SGD, ConvLab-3 and other corpora whose states have normalised values. A
//! format of your own needs `literal = true` in its `[state]`.
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
//!   "dialogue_state": [{"slot": "movie", "value": "avatar"}],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
//!     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
//!   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
//!     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
//! ```

use std::cmp::Ordering;

use foldhash::HashSet;

use super::slot_value::{cover, is_mentioned, misnamed, rename_state, set_state};
use crate::dialog::{Content, EditValue, Span, StateSlot, Turn};
use crate::lint::engine::{Applicability, Check, Diagnostic, Findings, Rule, Severity};
use crate::lint::facts::slot_lookup::StateSlots;
use crate::lint::facts::slots::{
    free_places, has_value, is_covered, is_open, is_stray, places, segment_confirms,
};
use crate::lint::facts::{Mention, Subject};
use crate::lint::repair::shown;
use crate::ontology::near;

pub static RULE: Rule = Rule {
    name: "state-value-unsupported",
    severity: Severity::Warning,
    on: true,
    source: include_str!("state_value_unsupported.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.format.has_literal_values() {
        return;
    }
    let mut before: &[StateSlot] = &[];
    for (number, turn) in subject.turns() {
        let Some(state) = &turn.state else {
            continue;
        };
        let (slots, earlier) = (StateSlots::new(state), StateSlots::new(before));
        for StateSlot { slot, value, at } in state {
            let (shown_value, value) = (shown(value), value.as_str());
            // Other rules report repeated and unknown slots.
            if is_open(value) || slots.has_several(slot) || !subject.ontology.knows_label(slot) {
                continue;
            }
            let location = subject.location_at(number, *at);
            if let Some(slipped) = slipped(subject, number, slot, value) {
                let (label, covered) = (slipped.label(), slipped.text());
                let message = if label == slot {
                    format!("{slot} is {shown_value}, but the slot here covers \"{covered}\"")
                } else {
                    format!(
                        "{slot} is {shown_value}, but the slot that covers the value here is {label}"
                    )
                };
                let diagnostic = found.add(location, message);
                cover(subject, number, slot, value, diagnostic);
                continue;
            }
            if earlier.has(slot, value)
                || is_mentioned(subject, number, slot, value)
                || segment_confirms(subject, number, slot, value)
            {
                continue;
            }
            let message =
                format!("{slot} is {shown_value}, which is not mentioned earlier in the dialog");
            let diagnostic = found.add(location, message);
            offer_names(subject, number, before, &slots, slot, value, diagnostic);
            let last = earlier.first(slot);
            let meant = meant(subject, number, turn, slot, value);
            let meant = meant.map(|meant| Content::Text(meant.into()));
            let meant = meant.or_else(|| last.map(|last| last.value.clone()));
            if let Some(meant) = meant
                && let Some(said) = EditValue::of(&meant)
            {
                let title = format!("change to {}", shown(&meant));
                let edits = set_state(subject, number, slot, |held| {
                    held.is_some_and(|h| h.as_str() == value).then(|| said.clone())
                });
                diagnostic.fix(title, Applicability::Unsafe, edits);
            }
        }
        before = state;
    }
}

/// Offers to unify the names under which utterances and states have the value: the slot that covers it
/// here is misnamed, or the state has a value of the previous state under another name.
fn offer_names(
    subject: &Subject<'_>,
    number: usize,
    before: &[StateSlot],
    now: &StateSlots<'_>,
    slot: &str,
    value: &str,
    diagnostic: &mut Diagnostic,
) {
    let rename = |diagnostic: &mut Diagnostic, to: &str, applicability| {
        let held = now.first(slot).map(|held| &held.value);
        let edits = held.map(|held| rename_state(subject, slot, held, to));
        let edits = edits.unwrap_or_default();
        diagnostic.fix(format!("rename the slot to {to}"), applicability, edits);
    };
    let mut same = before.iter().filter(|b| b.value.as_str() == value);
    let lost = same.find(|b| now.first(&b.slot).is_none());
    let other = misnamed(subject, number, slot, value);
    let by_dialog = other.as_ref().map(|(_, which)| *which);
    if let Some(lost) = lost {
        rename(diagnostic, &lost.slot, Applicability::Unsafe);
    }
    if let Some((mention, Ordering::Greater)) = other {
        rename(diagnostic, mention.label(), Applicability::Unsafe);
    }
    cover(subject, number, slot, value, diagnostic);
    if let (Some((mention, _)), Some(Ordering::Equal)) = (other, by_dialog) {
        rename(diagnostic, mention.label(), Applicability::Display);
    }
}

/// Returns the slot of the turn that should cover `value`. It covers part of the value and something else; or text
/// at or next to the value, which no act or state has as a value; or the value, but under another name, for
/// which nothing in the dialog has it.
fn slipped<'s>(
    subject: &'s Subject<'_>,
    number: usize,
    slot: &str,
    value: &str,
) -> Option<&'s Mention<'s>> {
    let own = subject.mentions_of(number);
    if own.is_empty()
        || is_covered(subject, number, slot, value)
        || segment_confirms(subject, number, slot, value)
    {
        return None;
    }
    let of_slot = subject.labelled(slot, number).rev().map(|(_, m)| m);
    let of_slot: Vec<_> = of_slot.take_while(|m| m.turn == number).collect();
    let misplaced = of_slot.into_iter().rev().find(|m| {
        let Some(s) = m.of.span else {
            return false;
        };
        places(subject, number, value).into_iter().any(|place| {
            let shares = s.start < place.end && place.start < s.end;
            let touches = s.start <= place.end && place.start <= s.end;
            let more = s.start < place.start || place.end < s.end;
            shares && more || touches && is_stray(subject, m)
        })
    });
    misplaced.or_else(|| {
        let free: HashSet<Span> = free_places(subject, number, slot, value).into_iter().collect();
        if free.is_empty() {
            return None;
        }
        let is_free = |m: &&Mention<'_>| m.of.span.is_some_and(|span| free.contains(&span));
        let mut others = own.iter().filter(is_free);
        others.find(|m| {
            let label = m.label();
            // Other messages report a misspelled name and a value that is not mentioned earlier.
            subject.ontology.knows_label(label)
                && !has_value(subject, number, label, value)
                && is_stray(subject, m)
                && is_mentioned(subject, number, slot, value)
        })
    })
}

/// Returns the value of a slot that was mentioned last, if there is exactly one; in sim-GEN, which has no slots
/// in utterances, the word of the utterance that resembles the value.
fn meant<'s>(
    subject: &'s Subject<'_>,
    number: usize,
    turn: &'s Turn,
    slot: &str,
    value: &str,
) -> Option<&'s str> {
    if !subject.dialog.units.is_tokens() {
        let mut near = near(value, turn.text.split_whitespace()).into_iter();
        return near.next().filter(|_| near.len() == 0).map(|near| near.name);
    }
    let mut of_slot = subject.labelled(slot, number).rev().map(|(_, m)| m);
    let last = of_slot.next()?;
    let text = Some(last.text()).filter(|text| !text.is_empty());
    let is_alone = of_slot.next().is_none_or(|m| m.turn != last.turn);
    text.filter(|_| is_alone)
}
