//! A slot of the dialogue state is missing from the next state.
//!
//! A state grows: what the user said holds until another value, or `dontcare`, replaces it. In the
//! simulated dialogues, no slot ever disappears.
//!
//! The fix is unsafe. If the next state has the value under another name, it renames one of the two
//! slots, so that both have the name under which the value was mentioned more often. Otherwise it
//! adds the slot with its old value to every state that lacks it. If it renames, adding is a second
//! fix, which is manual.
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [
//!   {"user_acts": [], "user_intents": [], "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!    "user_utterance": {"text": "ouija", "tokens": ["ouija"],
//!      "slots": [{"slot": "movie", "start": 0, "exclusive_end": 1}]}},
//!   {"system_acts": [{"type": "OTHER"}],
//!    "system_utterance": {"text": "for two ?", "tokens": ["for", "two", "?"], "slots": []},
//!    "user_acts": [], "user_intents": [], "dialogue_state": [],
//!    "user_utterance": {"text": "yes", "tokens": ["yes"], "slots": []}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [
//!   {"user_acts": [], "user_intents": [], "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!    "user_utterance": {"text": "ouija", "tokens": ["ouija"],
//!      "slots": [{"slot": "movie", "start": 0, "exclusive_end": 1}]}},
//!   {"system_acts": [{"type": "OTHER"}],
//!    "system_utterance": {"text": "for two ?", "tokens": ["for", "two", "?"], "slots": []},
//!    "user_acts": [], "user_intents": [],
//!    "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!    "user_utterance": {"text": "yes", "tokens": ["yes"], "slots": []}}]}
//! ```

use std::cell::LazyCell;
use std::collections::HashSet;

use super::slot_value::{rename_state, set_state};
use crate::dialog::{EditValue, StateSlot};
use crate::lint::engine::{Applicability, Check, Diagnostic, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::slot_lookup::StateSlots;

pub static RULE: Rule = Rule {
    name: "state-lost-slot",
    severity: Severity::Warning,
    on: true,
    source: include_str!("state_lost_slot.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.format.keeps_state() {
        return;
    }
    let ontology = subject.ontology;
    let mut before: &[StateSlot] = &[];
    for (number, turn) in subject.turns() {
        let Some(state) = &turn.state else {
            continue;
        };
        let (known, now) = (StateSlots::new(before), StateSlots::new(state));
        // The slots that unknown names are most likely meant to be.
        let meant: LazyCell<HashSet<&str>, _> = LazyCell::new(|| {
            let unknown = state.iter().filter(|s| !ontology.knows_slot(&s.slot));
            let near = unknown.filter_map(|s| Some(ontology.labels_near(&s.slot).first()?.name));
            near.collect()
        });
        for lost in before {
            // A slot with an unknown name should not be there, and slot-unknown reports a slot whose name
            // is now misspelled.
            if now.first(&lost.slot).is_some()
                || !ontology.knows_slot(&lost.slot)
                || meant.contains(lost.slot.as_str())
                || is_of_other_service(subject, state, &lost.slot)
            {
                continue;
            }
            let value = lost.value.as_str();
            let message = format!("{} was \"{value}\", but is missing here", lost.slot);
            let diagnostic = found.add(subject.spot_of(number), message);
            offer_name(subject, (&known, state), lost, diagnostic);
            let said = EditValue::like(Some(&lost.value), value);
            let edits = set_state(subject, number, &lost.slot, |held| {
                held.is_none().then(|| said.clone())
            });
            let title = format!("restore {} \"{value}\"", lost.slot);
            let applicability = if diagnostic.fixes.is_empty() {
                Applicability::Unsafe
            } else {
                Applicability::Display
            };
            diagnostic.fix(title, applicability, edits);
        }
        before = state;
    }
}

/// True if a slot is called `service.slot` and the state is about other services only: the states of
/// several services take turns.
fn is_of_other_service(subject: &Subject<'_>, state: &[StateSlot], slot: &str) -> bool {
    let Some((service, _)) = slot.split_once('.') else {
        return false;
    };
    let is_same = |other: &StateSlot| {
        other
            .slot
            .split_once('.')
            .is_some_and(|(s, _)| s == service)
    };
    subject.format.declared().is_some() && !state.iter().any(is_same)
}

/// Offers to use one name for a slot whose value the new state has under another name.
fn offer_name(
    subject: &Subject<'_>,
    (known, state): (&StateSlots<'_>, &[StateSlot]),
    lost: &StateSlot,
    diagnostic: &mut Diagnostic,
) {
    let mut same = state.iter().filter(|s| s.value == lost.value);
    let Some(new) = same.find(|s| known.first(&s.slot).is_none()) else {
        return;
    };
    let value = lost.value.as_str();
    let times = |slot: &StateSlot| subject.times_said(&slot.slot, value);
    let (wrong, right) = if times(new) > times(lost) {
        (lost, new)
    } else {
        (new, lost)
    };
    let edits = rename_state(subject, &wrong.slot, value, &right.slot);
    let title = format!("rename {} to {}", wrong.slot, right.slot);
    diagnostic.fix(title, Applicability::Unsafe, edits);
}
