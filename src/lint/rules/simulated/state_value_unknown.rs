//! A slot of the dialogue state has a value that the ontology does not list.
//!
//! Some slots have few values: a meal is breakfast, brunch, lunch or dinner. Trackers choose among
//! these, so that any other value counts as an error of the tracker. SGD and ConvLab-3 call such slots
//! categorical; the ontology of `MultiWOZ` lists the values of every slot.
//!
//! Only slots whose values are listed are checked. Capitals, spaces and punctuation are ignored, and
//! `dontcare`, `not mentioned` and `none` are allowed everywhere, and so is a value that three or more
//! slots of a state have: a translation of these. A value is reported where it first appears.
//!
//! The fix changes the value to a listed one that differs by a letter or two, in this and the following
//! states (unsafe). Numbers have no such fix.
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
//!   "dialogue_state": [{"slot": "meal", "value": "lunhc"}],
//!   "user_utterance": {"text": "a table for lunhc", "tokens": ["a", "table", "for", "lunhc"],
//!     "slots": [{"slot": "meal", "start": 3, "exclusive_end": 4}]}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [],
//!   "dialogue_state": [{"slot": "meal", "value": "lunch"}],
//!   "user_utterance": {"text": "a table for lunch", "tokens": ["a", "table", "for", "lunch"],
//!     "slots": [{"slot": "meal", "start": 3, "exclusive_end": 4}]}}]}
//! ```

use super::slot_value::set_state;
use crate::dialog::{Content, EditValue, StateSlot};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::slot_lookup::StateSlots;
use crate::ontology::near;

pub static RULE: Rule = Rule {
    name: "state-value-unknown",
    severity: Severity::Warning,
    on: true,
    source: include_str!("state_value_unknown.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let known = &subject.ontology.state;
    if known.is_empty() {
        return;
    }
    let mut before: &[StateSlot] = &[];
    for (number, turn) in subject.turns() {
        let Some(state) = &turn.state else {
            continue;
        };
        let earlier = StateSlots::new(before);
        for StateSlot { slot, value, at } in state {
            if earlier.has(slot, value.as_str()) {
                continue;
            }
            let unknown = values(value)
                .into_iter()
                .find(|value| !known.allows(slot, value) && !is_placeholder(state, value));
            if let Some(unknown) = unknown {
                let title = &subject.ontology.title;
                let message =
                    format!("\"{unknown}\" is not a value of {slot} in the {title} ontology");
                let diagnostic = found.add(subject.location_at(number, *at), message);
                // A value among others cannot be changed alone.
                if unknown != value.as_str() {
                    continue;
                }
                let right = meant(known.values(slot).into_iter().flatten(), &unknown);
                if let Some(right) = right {
                    let edits = set_state(subject, number, slot, |held| {
                        held.is_some_and(|held| held == value)
                            .then(|| EditValue::Text(right.to_owned()))
                    });
                    let title = format!("change to \"{right}\"");
                    diagnostic.fix(title, Applicability::Unsafe, edits);
                }
            }
        }
        before = state;
    }
}

/// The number of slots of a state with the same value from which on it says that they have none.
const SLOTS_WITHOUT_VALUE: usize = 3;

/// True for a value that many slots of a state have, whatever they are about.
fn is_placeholder(state: &[StateSlot], value: &str) -> bool {
    let same = state.iter().filter(|other| other.value.as_str() == value);
    same.take(SLOTS_WITHOUT_VALUE).count() == SLOTS_WITHOUT_VALUE
}

/// Returns the values of a slot: one, or the texts of a list.
fn values(value: &Content) -> Vec<String> {
    let list = match value {
        Content::Text(_) => None,
        Content::Raw(raw) => serde_json::from_str::<Vec<String>>(raw).ok(),
    };
    list.unwrap_or_else(|| vec![value.as_str().to_owned()])
}

/// Returns the only listed value that differs from an unknown one by a letter or two.
fn meant<'l>(listed: impl Iterator<Item = &'l String>, unknown: &str) -> Option<&'l str> {
    if unknown.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let sound = listed.filter(|value| !value.contains(char::is_control));
    match near(unknown, sound.map(String::as_str)).as_slice() {
        [only] => Some(only.name),
        _ => None,
    }
}
