//! A slot of the dialogue state is missing from the next state.
//!
//! A state grows: what the user said holds until another value, or `dontcare`, replaces it. In the
//! simulated dialogues, no slot ever disappears. In `MultiWOZ` and ConvLab-3, which list every slot in every
//! state, a slot that had a value is empty instead; this is a note, as users change their minds.
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
use crate::dialog::{Content, EditValue, StateSlot};
use crate::lint::engine::{Applicability, Check, Diagnostic, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::slot_lookup::StateSlots;
use crate::lint::repair::shown;

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
            let near = unknown.filter_map(|s| Some(ontology.slots_near(&s.slot).first()?.name));
            near.collect()
        });
        for lost in before {
            let value = lost.value.as_str();
            // In some corpora every slot is always there, and empty until it has a value.
            let held = now.first(&lost.slot);
            let is_empty = held.is_some_and(|held| held.value.as_str().is_empty());
            // A slot with an unknown name should not be there, and slot-unknown reports a slot whose name
            // is now misspelled.
            if says_nothing(value)
                || held.is_some() && !is_empty
                || is_empty && !matches!(lost.value, Content::Text(_))
                || !ontology.knows_slot(&lost.slot)
                || meant.contains(lost.slot.as_str())
                || is_of_other_service(subject, state, &lost.slot)
            {
                continue;
            }
            let (missing, most) = if is_empty {
                ("empty", Severity::Note)
            } else {
                ("missing", Severity::Error)
            };
            let shown = shown(&lost.value);
            let message = format!("{} was {shown}, but is {missing} here", lost.slot);
            let diagnostic = found.add_at_most(most, subject.spot_of(number), message);
            if !is_empty {
                offer_name(subject, (&known, state), lost, diagnostic);
            }
            let Some(said) = EditValue::of(&lost.value) else {
                continue;
            };
            let edits = set_state(subject, number, &lost.slot, |held| {
                let is_lost = held.is_none_or(|held| held.as_str().is_empty());
                is_lost.then(|| said.clone())
            });
            let title = format!("restore {} {shown}", lost.slot);
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

/// True for a value of a slot that was never filled.
fn says_nothing(value: &str) -> bool {
    value.is_empty() || value.eq_ignore_ascii_case("not mentioned")
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
    let edits = rename_state(subject, &wrong.slot, &lost.value, &right.slot);
    let title = format!("rename {} to {}", wrong.slot, right.slot);
    diagnostic.fix(title, Applicability::Unsafe, edits);
}
