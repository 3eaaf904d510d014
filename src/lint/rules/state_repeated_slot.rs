//! A slot stands twice in one dialogue state.
//!
//! A state says of each slot what the user wants. Where one is there twice, some readers take the first
//! value and some the last, and whoever counts slots counts one too many. Mostly an element was copied,
//! or a new value was added where the old one should have been changed.
//!
//! The fix removes what is there again with the same value (safe), or the value that nobody said
//! (unsafe); of two values that were both said somebody has to choose.
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
//!   "dialogue_state": [{"slot": "movie", "value": "ouija"}, {"slot": "movie", "value": "ouija"}],
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

use super::slot_value::is_said;
use crate::dialog::{Edit, Said, StateSlot};
use crate::lint::slot_lookup::StateSlots;
use crate::lint::slots::is_open;
use crate::lint::{Applicability, Findings, Look, Rule, Severity, Subject};
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "state-repeated-slot",
    severity: Severity::Error,
    on: true,
    source: include_str!("state_repeated_slot.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // Where the state is a map, a key is there twice: another rule's business.
    if subject.dialog.units != Units::Tokens {
        return;
    }
    for (number, turn) in subject.turns() {
        let state = turn.state.as_deref().unwrap_or_default();
        let slots = StateSlots::new(state);
        for again in state {
            let first = slots.first(&again.slot);
            if let Some(first) = first.filter(|first| !std::ptr::eq(*first, again)) {
                tell(subject, number, (first, again), found);
            }
        }
    }
}

fn tell(
    subject: &Subject<'_>,
    number: usize,
    (first, again): (&StateSlot, &StateSlot),
    found: &mut Findings<'_>,
) {
    let slot = &again.slot;
    let (one, other) = (first.value.as_str(), again.value.as_str());
    let spot = subject.spot_at(number, again.at);
    let remove = |value: &StateSlot| {
        // A list or an object is no value that an edit could name.
        let said = Said::like(Some(&value.value), value.value.as_str());
        let edit = (said.content() == value.value).then(|| Edit::RemoveState {
            turn: number,
            slot: slot.to_string(),
            value: Some(said),
        });
        edit.into_iter().collect::<Vec<_>>()
    };
    if first.value == again.value {
        let message = format!("{slot} \"{one}\" stands here twice");
        let title = "remove the second one";
        found
            .add(spot, message)
            .fix(title, Applicability::Safe, remove(again));
        return;
    }
    let message = format!("{slot} is \"{one}\", and \"{other}\" too");
    let diagnostic = found.add(spot, message);
    let said = |value: &str| is_open(value) || is_said(subject, number, slot, value);
    let (of_one, of_other) = (said(one), said(other));
    let mut choices = [(first, of_one, of_other), (again, of_other, of_one)];
    choices.sort_by_key(|(_, said, _)| *said);
    for (value, said, instead) in choices {
        let applicability = if instead && !said {
            Applicability::Unsafe
        } else {
            Applicability::Display
        };
        let title = format!("remove \"{}\"", value.value.as_str());
        diagnostic.fix(title, applicability, remove(value));
    }
}
