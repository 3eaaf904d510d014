//! Applies edits of a turn's acts, intents and state.

use super::apply::only;
use super::apply_calls::{is_single, named};
use super::edit::{Edit, SlotValue};
use super::error::EditError;
use super::model::{Act, ActSlot, Extent, Short, StateSlot, Turn};
use super::value::EditValue;

/// Applies an edit of acts, intents or state; ignores other edits.
pub fn apply(edit: &Edit, turn: &mut Turn) -> Result<(), EditError> {
    match edit {
        Edit::SetAct { turn: at, act, name, slots } => {
            let new = made(name, slots)?;
            let old = act_mut(turn, *at, *act)?;
            (old.name, old.slots) = (new.name, new.slots);
        }
        Edit::AddAct { name, slots, .. } => turn.acts.push(made(name, slots)?),
        Edit::RemoveAct { turn: at, act } => {
            act_mut(turn, *at, *act)?;
            turn.acts.remove(*act);
        }
        Edit::SetIntents { intents, .. } => {
            for intent in intents {
                named(intent, "intent")?;
            }
            turn.intents = intents.iter().map(|i| Short::from(i.as_str())).collect();
        }
        Edit::SetState { slot, value, .. } => {
            named(slot, "slot")?;
            let content = value.content();
            let state = turn.state.get_or_insert_default();
            match position(state, slot)? {
                Some(place) => {
                    // A list is only replaced by a list, so that no value is lost unseen.
                    if !matches!(value, EditValue::Several(_)) {
                        is_single(&state[place].value, slot)?;
                    }
                    state[place].value = content;
                }
                None => state.push(StateSlot {
                    slot: slot.as_str().into(),
                    value: content,
                    at: Extent::default(),
                }),
            }
        }
        Edit::RenameState { turn: at, slot, to } => {
            named(to, "slot")?;
            let state = turn.state.as_deref_mut().unwrap_or_default();
            let place = position(state, slot)?.ok_or_else(|| no_slot(*at, slot))?;
            if slot != to && state.iter().any(|s| s.slot == to) {
                let (part, name) = ("slots", to.clone());
                return Err(EditError::ValueExists { part, name });
            }
            state[place].slot = to.as_str().into();
        }
        Edit::RemoveState { turn: at, slot, value } => {
            let state = turn.state.as_deref().unwrap_or_default();
            let place = removed_slot(state, slot, value.as_ref())?;
            let place = place.ok_or_else(|| no_slot(*at, slot))?;
            turn.state.get_or_insert_default().remove(place);
        }
        _ => {}
    }
    Ok(())
}

/// Position of the slot to remove from a state: the only one named `slot`, or the last one with this
/// value.
///
/// # Errors
/// If there are several and no value distinguishes them.
pub(super) fn removed_slot(
    state: &[StateSlot],
    slot: &str,
    value: Option<&EditValue>,
) -> Result<Option<usize>, EditError> {
    let Some(value) = value.map(EditValue::content) else {
        return position(state, slot);
    };
    let is_meant = |s: &StateSlot| s.slot == slot && s.value == value;
    Ok(state.iter().rposition(is_meant))
}

fn no_slot(turn: usize, slot: &str) -> EditError {
    let slot = slot.to_owned();
    EditError::NoSlot { turn, slot }
}

fn act_mut(turn: &mut Turn, at: usize, act: usize) -> Result<&mut Act, EditError> {
    let count = turn.acts.len();
    turn.acts.get_mut(act).ok_or(EditError::NoAct { turn: at, act, count })
}

fn made(name: &str, slots: &[SlotValue]) -> Result<Act, EditError> {
    named(name, "act")?;
    let slot = |s: &SlotValue| ActSlot {
        slot: s.slot.as_str().into(),
        value: s.value.as_ref().map(EditValue::content),
    };
    Ok(Act { name: name.into(), slots: slots.iter().map(slot).collect(), at: Extent::default() })
}

/// Position of the only slot named `name`.
fn position(state: &[StateSlot], name: &str) -> Result<Option<usize>, EditError> {
    only(state.iter().map(|slot| &slot.slot), name)
}
