//! The dialogue state has a value that was not said before.
//!
//! A state holds what the user wants so far. In sim-M and sim-R every value of it is, to the letter, a
//! slot of an utterance or a value of an act up to there; in sim-GEN, which has no slots, every value
//! was said. A value that was not was made up, or the slot that should cover it slipped.
//!
//! It is told where the value first appears, and not again while it stays. `dontcare` is said in many
//! ways and always all right. Found too is a slot of the user's utterance that covers a part of the
//! value and something else beside it.
//!
//! The fixes move or add the slot if the user's utterance says the value, or make the value the one
//! that was said last, or else the one before, for as long as it stays (unsafe).
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

use super::slot_value::{cover, is_open, places, says, set_state};
use crate::dialog::{Said, StateSlot, Turn};
use crate::lint::{Applicability, Findings, Look, Mention, Rule, Severity, Subject};
use crate::ontology::near;
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "state-value-unsupported",
    severity: Severity::Warning,
    on: true,
    source: include_str!("state_value_unsupported.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut before: &[StateSlot] = &[];
    for (number, turn) in subject.turns() {
        let Some(state) = &turn.state else {
            continue;
        };
        for StateSlot { slot, value, at } in state {
            let value = value.as_str();
            if is_open(value) {
                continue;
            }
            let spot = subject.spot_at(number, *at);
            let here = (number, turn);
            if let Some(slipped) = slipped(subject, here, slot, value) {
                let covered = slipped.text();
                let message =
                    format!("{slot} is \"{value}\", but the slot here covers \"{covered}\"");
                let diagnostic = found.add(spot, message);
                cover(subject, here, (slot, value), diagnostic);
                continue;
            }
            let same = |b: &StateSlot| b.slot == *slot && b.value.as_str() == value;
            if before.iter().any(same) || is_said(subject, number, slot, value) {
                continue;
            }
            let message = format!("{slot} is \"{value}\", which nobody said before");
            let diagnostic = found.add(spot, message);
            cover(subject, here, (slot, value), diagnostic);
            let last = before.iter().find(|b| b.slot == *slot);
            let meant = meant(subject, here, slot, value);
            if let Some(meant) = meant.or_else(|| last.map(|last| last.value.as_str())) {
                let said = Said::Text(meant.to_owned());
                let title = format!("make it \"{meant}\"");
                let edits = set_state(subject, number, slot, |held| {
                    held.is_some_and(|h| h.as_str() == value)
                        .then(|| said.clone())
                });
                diagnostic.fix(title, Applicability::Unsafe, edits);
            }
        }
        before = state;
    }
}

/// The slot of the turn that should cover `value`, and covers a part of it and something else.
fn slipped<'s>(
    subject: &'s Subject<'_>,
    (number, turn): (usize, &Turn),
    slot: &str,
    value: &str,
) -> Option<&'s Mention<'s>> {
    let own = subject.mentions_of(number);
    let mut of_slot = own.iter().filter(|m| m.label() == slot).peekable();
    of_slot.peek()?;
    if own.iter().any(|m| says(m, slot, value)) {
        return None;
    }
    of_slot.find(|m| {
        let span = m.of.span;
        let crosses = |(start, end)| {
            span.is_some_and(|s| s.start < end && start < s.end && (s.start < start || end < s.end))
        };
        places(turn, value).any(crosses)
    })
}

/// What was said last of a slot, if that was one thing; in sim-GEN, where nothing marks what is said,
/// the word of the utterance that resembles the value.
fn meant<'s>(
    subject: &'s Subject<'_>,
    (number, turn): (usize, &'s Turn),
    slot: &str,
    value: &str,
) -> Option<&'s str> {
    if subject.dialog.units != Units::Tokens {
        let mut near = near(value, turn.text.split_whitespace()).into_iter();
        return near
            .next()
            .filter(|_| near.len() == 0)
            .map(|near| near.name);
    }
    let mentions = subject.mentions().iter().rev();
    let mut of_slot = mentions.filter(|m| m.turn <= number && m.label() == slot);
    let last = of_slot.next()?;
    let text = Some(last.text()).filter(|text| !text.is_empty());
    let others = of_slot.take_while(|m| m.turn == last.turn).count();
    text.filter(|_| others == 0)
}

fn is_said(subject: &Subject<'_>, until: usize, slot: &str, value: &str) -> bool {
    let turns = &subject.dialog.turns[..=until];
    let acts = turns.iter().flat_map(|turn| &turn.acts);
    let mut values = acts
        .flat_map(|act| &act.slots)
        .filter(|said| said.slot == slot);
    let by_act = |said: &str| said == value || said.split('|').any(|one| one == value);
    if values.any(|said| said.value.as_ref().is_some_and(|v| by_act(v.as_str()))) {
        return true;
    }
    if subject.dialog.units == Units::Tokens {
        let mentions = subject.mentions().iter().take_while(|m| m.turn <= until);
        mentions.into_iter().any(|m| says(m, slot, value))
    } else {
        turns.iter().any(|turn| has(turn, value))
    }
}

/// True if a turn says `value`, whatever blanks and signs stand between its letters.
fn has(turn: &Turn, value: &str) -> bool {
    let letters = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    letters(&turn.text).contains(&letters(value))
}
