//! A slot of the dialogue state is gone in the next state.
//!
//! A state grows: what the user has said holds until it is replaced by another value, or by
//! `dontcare`. In the simulated dialogues no slot ever disappears.
//!
//! The fix adds the slot with the value it had to every state that lacks it (unsafe).
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [
//!   {"user_acts": [], "user_intents": [], "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!    "user_utterance": {"text": "ouija", "tokens": ["ouija"],
//!      "slots": [{"slot": "movie", "start": 0, "exclusive_end": 1}]}},
//!   {"user_acts": [], "user_intents": [], "dialogue_state": [],
//!    "user_utterance": {"text": "yes", "tokens": ["yes"], "slots": []}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [
//!   {"user_acts": [], "user_intents": [], "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!    "user_utterance": {"text": "ouija", "tokens": ["ouija"],
//!      "slots": [{"slot": "movie", "start": 0, "exclusive_end": 1}]}},
//!   {"user_acts": [], "user_intents": [], "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!    "user_utterance": {"text": "yes", "tokens": ["yes"], "slots": []}}]}
//! ```

use super::slot_value::set_state;
use crate::dialog::{Said, StateSlot};
use crate::lint::{Applicability, Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "state-lost-slot",
    severity: Severity::Warning,
    on: true,
    source: include_str!("state_lost_slot.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut before: &[StateSlot] = &[];
    for (number, turn) in subject.turns() {
        let Some(state) = &turn.state else {
            continue;
        };
        for lost in before {
            if !state.iter().any(|slot| slot.slot == lost.slot) {
                let value = lost.value.as_str();
                let message = format!("{} was \"{value}\" and is gone", lost.slot);
                let said = Said::like(Some(&lost.value), value);
                let edits = set_state(subject, number, &lost.slot, |held| {
                    held.is_none().then(|| said.clone())
                });
                let title = format!("{} stays \"{value}\"", lost.slot);
                found.add(subject.spot_of(number), message).fix(
                    title,
                    Applicability::Unsafe,
                    edits,
                );
            }
        }
        before = state;
    }
}
