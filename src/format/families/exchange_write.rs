//! Writes acts, intents and state of the simulated corpora.
//!
//! They are in the exchange, next to its utterances: see [`crate::format::families::exchange`].

use crate::dialog::{Edit, EditError, EditValue, EditedPart, Role, SlotValue, StateSlot, Turn};
use crate::format::engine::edit::{
    EditedDialog, append, append_all, not_editable, object_of, value_of,
};
use crate::format::engine::turns::{NewPlace, remove_element};
use crate::format::engine::values::{
    ONE_VALUE, change_members, remove_members, set_member, set_members, written, written_content,
};
use crate::json::{Editor, NewValue, Splice, Value};

/// The form in which a corpus writes acts and state.
pub enum Style {
    /// sim-M, sim-R: an act has a `type`, and may have one `slot` and its `value`; the state is a list.
    Listed,
    /// sim-GEN: an act has a `name` and `slot_values`; the state is a map.
    Mapped,
}

/// Writes an edit of acts, intents or state into the text.
///
/// # Errors
/// If the corpus has no place for it.
pub fn write(
    style: &Style,
    title: &'static str,
    editor: &Editor<'_>,
    edited: &EditedDialog<'_>,
) -> Result<Vec<Splice>, EditError> {
    let (before, _) = edited.turns();
    let utterance = value_of(editor, before.at, "the utterance")?;
    let exchange = editor
        .parent(utterance)
        .ok_or_else(|| not_editable("the turn", &"it is not part of an exchange"))?;
    let acts = if before.speaker.role == Role::User { "user_acts" } else { "system_acts" };
    match edited.edit {
        Edit::SetAct { act, name, slots, .. } => {
            let object = object_of(editor, before.acts[*act].at, "the act")?;
            style.set_act(title, editor, object, name, slots)
        }
        Edit::AddAct { name, slots, .. } => {
            let act = style.new_act(title, name, slots)?;
            Ok(vec![append(editor, exchange, acts, act)?])
        }
        Edit::RemoveAct { act, .. } => {
            let value = value_of(editor, before.acts[*act].at, "the act")?;
            let array = editor.parent(value);
            let array =
                array.ok_or_else(|| not_editable("the act", &"it is not part of an exchange"))?;
            let removed = editor.remove_at(array, value.range().start);
            Ok(removed.into_iter().collect())
        }
        Edit::SetIntents { intents, .. } => {
            is_last(edited, "intents")?;
            set_intents(editor, exchange, intents)
        }
        Edit::SetState { slot, value, .. } => {
            is_last(edited, "the dialogue state")?;
            if matches!(value, EditValue::Several(_)) {
                return Err(not_editable("the state", &ONE_VALUE));
            }
            style.set_state(editor, exchange, before, slot, value)
        }
        Edit::RenameState { slot, to, .. } => {
            style.rename_state(editor, exchange, before, slot, to)
        }
        Edit::RemoveState { slot, .. } => {
            Ok(style.remove_state(editor, exchange, edited.edit.touches(before), slot))
        }
        _ => Ok(Vec::new()),
    }
}

/// Removes a turn: the whole exchange if it has no other, or what the system says and does in it.
///
/// # Errors
/// If it is the user's turn of an exchange in which the system speaks too.
fn remove_turn(editor: &Editor<'_>, edited: &EditedDialog<'_>) -> Result<Vec<Splice>, EditError> {
    let turns = &edited.before.turns;
    let turn = &turns[edited.edit.turn()];
    let utterance = value_of(editor, turn.at, "the utterance")?;
    let exchange = editor
        .parent(utterance)
        .ok_or_else(|| not_editable("the turn", &"it is not part of an exchange"))?;
    let is_beside = |other: &&Turn| {
        other.exchange.start == turn.exchange.start && other.at.start != turn.at.start
    };
    if !turns.iter().any(|other| is_beside(&other)) {
        return Ok(vec![remove_element(editor, exchange)?]);
    }
    if turn.speaker.role == Role::User {
        let reason = "the state of its exchange is the one after it; remove the system's turn \
                      before it first, then it goes with the whole exchange";
        return Err(not_editable("the turn", &reason));
    }
    Ok(remove_members(editor, exchange, &["system_utterance", "system_acts"]))
}

/// Adds or removes a turn; `utterance` writes the words of a new one.
///
/// # Errors
/// If there is no place for it, or it cannot go.
pub fn write_turns(
    style: &Style,
    editor: &Editor<'_>,
    edited: &EditedDialog<'_>,
    utterance: impl Fn(&Turn) -> NewValue,
) -> Result<Vec<Splice>, EditError> {
    match edited.edit {
        Edit::RemoveTurn { .. } => remove_turn(editor, edited),
        _ => add_turn(style, editor, edited, utterance),
    }
}

/// Adds a turn: the system's to the exchange of a user's turn that has none, or the user's as an exchange of its own.
/// `utterance` writes its words.
///
/// # Errors
/// If there is no place for it.
fn add_turn(
    style: &Style,
    editor: &Editor<'_>,
    edited: &EditedDialog<'_>,
    utterance: impl Fn(&Turn) -> NewValue,
) -> Result<Vec<Splice>, EditError> {
    let refused = |reason: &str| Err(not_editable("the turn", &reason));
    let (turns, turn) = (&edited.before.turns, edited.edit.turn());
    let new = &edited.after.turns[turn];
    let said = ("user_utterance".to_owned(), utterance(new));
    let (before, behind) = turns.split_at(turn);
    let (last, next) = (before.last(), behind.first());
    let is_inside =
        last.zip(next).is_some_and(|(last, next)| last.exchange.start == next.exchange.start);
    if is_inside {
        return refused("it would come between the two turns of an exchange");
    }
    match new.speaker.name.as_str() {
        "user" => {
            let place = NewPlace::under(editor, "turns", edited.edit)?;
            let is_next = |element: Value<'_>| {
                next.is_some_and(|next| element.range().start == next.exchange.start)
            };
            let at = place.list.elements().position(is_next);
            let mut members = vec![said, ("user_acts".to_owned(), NewValue::Array(Vec::new()))];
            if let Some(state) = &new.state {
                members.push(("dialogue_state".to_owned(), style.state(state)));
            }
            let at = at.unwrap_or(usize::MAX);
            let new = NewValue::Object(members);
            Ok(vec![editor.insert(place.list, at, &[new], None)])
        }
        "system" => {
            let Some(next) = next.filter(|next| next.speaker.role == Role::User) else {
                return refused("the system speaks before a user's turn, at most once");
            };
            let user = value_of(editor, next.at, "the utterance")?;
            let exchange = editor
                .parent(user)
                .ok_or_else(|| not_editable("the turn", &"it is not part of an exchange"))?;
            let like = editor.holder("system_utterance", exchange);
            let order = |key: &str| {
                let keys = like.into_iter().flat_map(Value::members);
                let mut keys = keys.map(|(known, _)| known);
                keys.position(|known| known.is_text(key)).unwrap_or(usize::MAX)
            };
            let acts = ("system_acts", NewValue::Array(Vec::new()));
            let mut members = [("system_utterance", said.1), acts];
            members.sort_by_key(|(key, _)| order(key));
            let add = |(key, new): &(&str, NewValue)| editor.add_member(exchange, key, new, like);
            Ok(members.iter().map(add).collect())
        }
        other => refused(&format!("{other:?} is neither \"user\" nor \"system\"")),
    }
}

/// Checks that a turn is the last of its exchange. Only the last turn has the exchange's intents and
/// state.
fn is_last(edited: &EditedDialog<'_>, what: &'static str) -> Result<(), EditError> {
    let turn = edited.edit.turn();
    let here = &edited.before.turns[turn];
    let next = edited.before.turns.get(turn + 1);
    if next.is_some_and(|next| next.index == here.index) {
        let reason = format!("the exchange stores it in turn {}", turn + 1);
        return Err(not_editable(what, &reason));
    }
    Ok(())
}

fn set_intents<'a>(
    editor: &Editor<'a>,
    exchange: Value<'a>,
    intents: &[String],
) -> Result<Vec<Splice>, EditError> {
    let names: Vec<_> = intents.iter().map(String::as_str).collect();
    let filled = |array: &Value<'a>| array.elements().next().is_some();
    if let Some(array) = exchange.get("user_intents").filter(filled) {
        return Ok(editor.set_strings(array, &names));
    }
    let new = intents.iter().cloned().map(NewValue::String).collect();
    Ok(vec![append_all(editor, exchange, "user_intents", new)?])
}

impl Style {
    /// Returns a whole state.
    fn state(&self, slots: &[StateSlot]) -> NewValue {
        let members = slots.iter();
        match self {
            Self::Listed => {
                let slot = |slot: &StateSlot| {
                    NewValue::Object(vec![
                        ("slot".to_owned(), NewValue::String(slot.slot.to_string())),
                        ("value".to_owned(), written_content(&slot.value)),
                    ])
                };
                NewValue::Array(members.map(slot).collect())
            }
            Self::Mapped => {
                let slot = |slot: &StateSlot| (slot.slot.to_string(), written_content(&slot.value));
                NewValue::Map(members.map(slot).collect())
            }
        }
    }

    fn set_act<'a>(
        &self,
        title: &'static str,
        editor: &Editor<'a>,
        act: Value<'a>,
        name: &str,
        slots: &[SlotValue],
    ) -> Result<Vec<Splice>, EditError> {
        match self {
            Self::Listed => {
                let mut wanted = listed(title, slots)?;
                let gone: Vec<_> = ["slot", "value"]
                    .into_iter()
                    .filter(|key| !wanted.iter().any(|(name, _)| name == key))
                    .collect();
                wanted.push(("type", EditValue::Text(name.into())));
                let wanted: Vec<_> = wanted.iter().map(|(key, new)| (*key, new)).collect();
                change_members(editor, act, &gone, &wanted)
            }
            Self::Mapped => {
                let mut splices =
                    vec![crate::format::engine::edit::set_text(editor, act, "name", name)];
                let wanted = mapped(slots)?;
                match act.get("slot_values") {
                    Some(map) => splices.extend(set_members(editor, map, &wanted)?),
                    None if wanted.is_empty() => {}
                    None => {
                        let map = map_of(&wanted);
                        splices.push(editor.add_member(
                            act,
                            "slot_values",
                            &map,
                            editor.holder("slot_values", act),
                        ));
                    }
                }
                Ok(splices)
            }
        }
    }

    fn new_act(
        &self,
        title: &'static str,
        name: &str,
        slots: &[SlotValue],
    ) -> Result<NewValue, EditError> {
        let named = |key: &str| (key.to_owned(), NewValue::String(name.to_owned()));
        Ok(NewValue::Object(match self {
            Self::Listed => {
                let mut members = vec![named("type")];
                let wanted = listed(title, slots)?;
                members.extend(wanted.iter().map(|(key, v)| ((*key).to_owned(), written(v))));
                members
            }
            Self::Mapped => {
                let mut members = vec![named("name")];
                let wanted = mapped(slots)?;
                if !wanted.is_empty() {
                    members.push(("slot_values".to_owned(), map_of(&wanted)));
                }
                members
            }
        }))
    }

    fn set_state<'a>(
        &self,
        editor: &Editor<'a>,
        exchange: Value<'a>,
        before: &Turn,
        slot: &str,
        value: &EditValue,
    ) -> Result<Vec<Splice>, EditError> {
        let key = "dialogue_state";
        let old = before.state.iter().flatten().find(|s| s.slot == slot);
        Ok(vec![match (self, old, exchange.get(key)) {
            (Self::Listed, Some(old), _) => {
                let object = object_of(editor, old.at, "the slot")?;
                set_member(editor, object, "value", &written(value))?
            }
            (Self::Listed, None, _) => {
                let new = NewValue::Object(vec![
                    ("slot".to_owned(), NewValue::String(slot.to_owned())),
                    ("value".to_owned(), written(value)),
                ]);
                append(editor, exchange, key, new)?
            }
            (Self::Mapped, _, Some(map)) => set_member(editor, map, slot, &written(value))?,
            (Self::Mapped, _, None) => {
                let map = map_of(&[(slot, value)]);
                editor.add_member(exchange, key, &map, editor.holder(key, exchange))
            }
        }])
    }

    fn rename_state(
        &self,
        editor: &Editor<'_>,
        exchange: Value<'_>,
        before: &Turn,
        slot: &str,
        to: &str,
    ) -> Result<Vec<Splice>, EditError> {
        let old = before.state.iter().flatten().find(|s| s.slot == slot);
        Ok(match (self, old) {
            (Self::Listed, Some(old)) => {
                let object = object_of(editor, old.at, "the slot")?;
                vec![crate::format::engine::edit::set_text(editor, object, "slot", to)]
            }
            (Self::Listed, None) => Vec::new(),
            (Self::Mapped, _) => {
                let state = exchange.get("dialogue_state");
                let key = state.and_then(|state| state.member(slot));
                let renamed = key.map(|(key, _)| editor.set_string(key, to));
                renamed.into_iter().collect()
            }
        })
    }

    fn remove_state(
        &self,
        editor: &Editor<'_>,
        exchange: Value<'_>,
        removed: EditedPart,
        slot: &str,
    ) -> Vec<Splice> {
        let Some(state) = exchange.get("dialogue_state") else {
            return Vec::new();
        };
        match (self, removed) {
            (Self::Mapped, _) => remove_members(editor, state, &[slot]),
            (Self::Listed, EditedPart::Element(_, start)) => {
                editor.remove_at(state, start).into_iter().collect()
            }
            (Self::Listed, _) => Vec::new(),
        }
    }
}

/// Returns the members of an act besides its type; it can have one slot.
fn listed(
    title: &'static str,
    slots: &[SlotValue],
) -> Result<Vec<(&'static str, EditValue)>, EditError> {
    let slot = match slots {
        [] => return Ok(Vec::new()),
        [slot] => slot,
        _ => return Err(EditError::OneSlot { family: title }),
    };
    let mut members = Vec::new();
    if !slot.slot.is_empty() {
        members.push(("slot", EditValue::Text(slot.slot.clone())));
    }
    members.extend(slot.value.clone().map(|value| ("value", value)));
    Ok(members)
}

/// Returns the slots of an act with their values; each must have one.
fn mapped(slots: &[SlotValue]) -> Result<Vec<(&str, &EditValue)>, EditError> {
    let pair = |slot: &SlotValue| !slot.slot.is_empty() && slot.value.is_some();
    if !slots.iter().all(pair) {
        let reason = "each of its slots needs a name and a value";
        return Err(not_editable("the act", &reason));
    }
    let values = slots.iter().filter_map(|slot| slot.value.as_ref());
    Ok(slots.iter().map(|slot| slot.slot.as_str()).zip(values).collect())
}

fn map_of(members: &[(&str, &EditValue)]) -> NewValue {
    let member = |(name, new): &(&str, &EditValue)| ((*name).to_owned(), written(new));
    NewValue::Map(members.iter().map(member).collect())
}
