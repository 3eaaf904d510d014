//! An act or dialogue state has a slot that is not in the ontology of its corpus.
//!
//! The list of slots is short and fixed, so another name is a typo. Programs that follow a slot
//! through the states of a dialog lose it there, and models learn one slot too many. label-unknown
//! checks the slots of utterances.
//!
//! The fix changes the name to the intended slot, in this state and those after it, up to the first
//! without the typo. It is safe if only capitalization or separators differ, unsafe if letters
//! differ, manual if several slots are equally close. If the state has the intended slot as well,
//! with the same value, the fix removes the unknown one (unsafe).
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
//!   "dialogue_state": [{"slot": "moive", "value": "ouija"}],
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

use super::slot_value::{is_repeated, set_act_slot};
use crate::dialog::{Edit, StateSlot};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::slot_lookup::StateSlots;
use crate::lint::rules::names;

pub static RULE: Rule = Rule {
    name: "slot-unknown",
    severity: Severity::Warning,
    on: true,
    source: include_str!("slot_unknown.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.ontology.labels.is_empty() && subject.ontology.state.is_empty() {
        return;
    }
    let mut before: &[StateSlot] = &[];
    for (number, turn) in subject.turns() {
        for (place, act) in turn.acts.iter().enumerate() {
            for (slot, said) in act.slots.iter().enumerate() {
                // act-value-without-slot reports an act without a slot name.
                if said.slot.is_empty() || subject.ontology.knows_label(&said.slot) {
                    continue;
                }
                let location = subject.location_at(number, act.at);
                let message = names::message("slot", &said.slot, subject.ontology);
                let near = subject.ontology.labels_near(&said.slot);
                names::unknown(subject.ontology, location, message, &near, found, |right| {
                    set_act_slot((number, place), act, slot, |slot| {
                        right.clone_into(&mut slot.slot);
                    })
                });
            }
        }
        let Some(state) = &turn.state else {
            continue;
        };
        let earlier = StateSlots::new(before);
        for of in state {
            // A slot that was never filled says nothing.
            let known = of.value.as_str().is_empty() || subject.ontology.knows_slot(&of.slot);
            // Reported where it first appears, not again while it stays.
            if !known && earlier.first(&of.slot).is_none() {
                report(subject, number, state, of, found);
            }
        }
        before = state;
    }
}

fn report(
    subject: &Subject<'_>,
    number: usize,
    state: &[StateSlot],
    of: &StateSlot,
    found: &mut Findings<'_>,
) {
    let message = names::message("slot", &of.slot, subject.ontology);
    let location = subject.location_at(number, of.at);
    let near = subject.ontology.slots_near(&of.slot);
    let nearest = near.first().map(|near| near.name);
    // Each fix needs edits of several states, so the fixes are added below.
    let diagnostic = names::unknown(subject.ontology, location, message, &near, found, |_| None);
    let correct = state.iter().find(|s| Some(s.slot.as_str()) == nearest);
    if let Some(correct) = correct {
        let applicability =
            if correct.value == of.value { Applicability::Unsafe } else { Applicability::Display };
        let title = format!("remove it, because {} is already there", correct.slot);
        let edit = Edit::RemoveState { turn: number, slot: of.slot.to_string(), value: None };
        let edits = if is_repeated(state, &of.slot) { Vec::new() } else { vec![edit] };
        diagnostic.fix(title, applicability, edits);
        return;
    }
    for this in &near {
        let edits = renamed(subject, number, &of.slot, this.name);
        diagnostic.fix(names::title(this), names::applicability(&near, this), edits);
    }
}

/// Edits that rename a slot in the state of turn `from` and in the following states, up to the first
/// that lacks the slot or also has the right one.
fn renamed(subject: &Subject<'_>, from: usize, slot: &str, to: &str) -> Vec<Edit> {
    let states = subject.turns().skip(from);
    let states = states.filter_map(|(turn, of)| Some((turn, of.state.as_ref()?)));
    let have = states.take_while(|(_, state)| {
        let mut own = state.iter().filter(|s| s.slot == slot);
        own.next().is_some() && own.next().is_none() && !state.iter().any(|s| s.slot == to)
    });
    have.map(|(turn, _)| Edit::RenameState { turn, slot: slot.to_owned(), to: to.to_owned() })
        .collect()
}
