//! A dialogue state contains the same slot twice.
//!
//! A state has one value for each slot. If a slot occurs twice, some readers take the first value
//! and some the last, and statistics count one slot too many. Usually an element was copied, or a
//! new value was added instead of changing the old one.
//!
//! The fix removes a repetition with the same value (safe), or the value that nobody mentioned
//! (unsafe). If both values were mentioned, the fixes are manual: choose which one to remove.
//!
//! The rule applies to the simulated dialogues, whose states are lists. In other families, the state is an
//! object, and duplicate-key reports a name that it has twice.
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

use super::slot_value::is_mentioned;
use crate::dialog::{Edit, EditValue, StateSlot};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::slot_lookup::StateSlots;
use crate::lint::facts::slots::is_open;
use crate::lint::repair::shown;

pub static RULE: Rule = Rule {
    name: "state-repeated-slot",
    severity: Severity::Error,
    on: true,
    source: include_str!("state_repeated_slot.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // If the state is an object, duplicate-key reports it.
    if !subject.dialog.units.is_tokens() {
        return;
    }
    for (number, turn) in subject.turns() {
        let state = turn.state.as_deref().unwrap_or_default();
        let slots = StateSlots::new(state);
        for again in state {
            let first = slots.first(&again.slot);
            if let Some(first) = first.filter(|first| !std::ptr::eq(*first, again)) {
                report(subject, number, first, again, found);
            }
        }
    }
}

fn report(
    subject: &Subject<'_>,
    number: usize,
    first: &StateSlot,
    again: &StateSlot,
    found: &mut Findings<'_>,
) {
    let slot = &again.slot;
    let (one, other) = (first.value.as_str(), again.value.as_str());
    let location = subject.location_at(number, again.at);
    let remove = |value: &StateSlot| {
        // Edits that remove a slot cannot refer to values that are lists or objects.
        let said = EditValue::of(&value.value);
        let said = said.filter(|said| !matches!(said, EditValue::Several(_)));
        let edit = said.map(|said| Edit::RemoveState {
            turn: number,
            slot: slot.to_string(),
            value: Some(said),
        });
        edit.into_iter().collect::<Vec<_>>()
    };
    if first.value == again.value {
        let message = format!("{slot} {} is repeated", shown(&first.value));
        let title = "remove the repetition";
        found.add(location, message).fix(title, Applicability::Safe, remove(again));
        return;
    }
    let (shown_one, shown_other) = (shown(&first.value), shown(&again.value));
    let message = format!("{slot} is both {shown_one} and {shown_other}");
    let diagnostic = found.add(location, message);
    let is_known = |value: &str| is_open(value) || is_mentioned(subject, number, slot, value);
    let (of_one, of_other) = (is_known(one), is_known(other));
    let mut choices = [(first, of_one, of_other), (again, of_other, of_one)];
    choices.sort_by_key(|(_, is_known, _)| *is_known);
    for (value, is_known, instead) in choices {
        let applicability =
            if instead && !is_known { Applicability::Unsafe } else { Applicability::Display };
        let title = format!("remove {}", shown(&value.value));
        diagnostic.fix(title, applicability, remove(value));
    }
}
