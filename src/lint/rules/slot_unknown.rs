//! An act or a dialogue state has a slot that the corpus does not use.
//!
//! Slots are a short closed list; another name is a slip. Whoever follows a slot through the states of a
//! dialog loses it there, and a model learns one slot too many. Slots of utterances are looked at by
//! label-unknown.
//!
//! The fix is the name that is meant, in every state up to the one that has it right: safe where only
//! capitals or separators differ, unsafe where letters differ, for display where several are equally
//! near. A slot that the state has under its right name too is removed, if both have the same value
//! (unsafe).
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

use super::names;
use super::slot_value::{is_repeated, set_act_slot};
use crate::dialog::{Edit, StateSlot};
use crate::lint::slot_lookup::StateSlots;
use crate::lint::{Applicability, Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "slot-unknown",
    severity: Severity::Warning,
    on: true,
    source: include_str!("slot_unknown.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.ontology.labels.is_empty() {
        return;
    }
    let mut before: &[StateSlot] = &[];
    for (number, turn) in subject.turns() {
        for (place, act) in turn.acts.iter().enumerate() {
            for (slot, said) in act.slots.iter().enumerate() {
                // That an act says a value of no slot is told by another rule.
                if said.slot.is_empty() || subject.ontology.knows_label(&said.slot) {
                    continue;
                }
                let spot = subject.spot_at(number, act.at);
                let told = (spot, message(subject, &said.slot));
                let near = subject.ontology.labels_near(&said.slot);
                names::unknown(subject.ontology, told, &near, found, |right| {
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
            let known = subject.ontology.knows_label(&of.slot);
            // It is told where it first appears, and not again while it stays.
            if !known && earlier.first(&of.slot).is_none() {
                tell(subject, number, state, of, found);
            }
        }
        before = state;
    }
}

fn message(subject: &Subject<'_>, slot: &str) -> String {
    format!("\"{slot}\" is no slot of {}", subject.ontology.title)
}

fn tell(
    subject: &Subject<'_>,
    number: usize,
    state: &[StateSlot],
    of: &StateSlot,
    found: &mut Findings<'_>,
) {
    let told = (subject.spot_at(number, of.at), message(subject, &of.slot));
    let near = subject.ontology.labels_near(&of.slot);
    let likeness = near.first().map(|near| near.name);
    // Each name needs edits of several states, which are added below.
    let diagnostic = names::unknown(subject.ontology, told, &near, found, |_| None);
    let twin = state.iter().find(|s| Some(s.slot.as_str()) == likeness);
    if let Some(twin) = twin {
        let applicability = if twin.value == of.value {
            Applicability::Unsafe
        } else {
            Applicability::Display
        };
        let title = format!("remove it, for {} is there", twin.slot);
        let edit = Edit::RemoveState {
            turn: number,
            slot: of.slot.to_string(),
            value: None,
        };
        let edits = if is_repeated(state, &of.slot) {
            Vec::new()
        } else {
            vec![edit]
        };
        diagnostic.fix(title, applicability, edits);
        return;
    }
    for this in &near {
        let edits = renamed(subject, number, &of.slot, this.name);
        diagnostic.fix(this.name, names::applicability(&near, this), edits);
    }
}

/// Edits that rename a slot in the state of turn `from` and in those that follow, as long as they have it
/// and not the right one beside it.
fn renamed(subject: &Subject<'_>, from: usize, slot: &str, to: &str) -> Vec<Edit> {
    let states = subject.turns().skip(from);
    let states = states.filter_map(|(turn, of)| Some((turn, of.state.as_ref()?)));
    let have = states.take_while(|(_, state)| {
        let mut own = state.iter().filter(|s| s.slot == slot);
        own.next().is_some() && own.next().is_none() && !state.iter().any(|s| s.slot == to)
    });
    have.map(|(turn, _)| Edit::RenameState {
        turn,
        slot: slot.to_owned(),
        to: to.to_owned(),
    })
    .collect()
}
