//! Google's generated corpus sim-GEN: plain utterances, acts with slot values, state as a map.

use super::edit::{Changed, value_of};
use super::read::{Reader, content, extent, field, members};
use super::shape::{any_has, has_objects};
use super::{Format, Sign};
use crate::dialog::{
    Act, ActSlot, Dialog, Edit, Field, Issue, Refused, Role, Speaker, StateSlot, Turn,
};
use crate::json::{Editor, Kind, New, Splice, Tree, Value};
use crate::text::Units;

pub struct SimGen;

const TITLE: &str = "Simulated dialogues (sim-GEN)";

impl Format for SimGen {
    fn name(&self) -> &'static str {
        "sim-gen"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["sim-GEN"]
    }

    fn title(&self) -> &'static str {
        TITLE
    }

    fn holds(&self) -> &'static str {
        "utterances, dialogue acts with slot values, dialogue state, database state"
    }

    fn schema(&self) -> &'static str {
        include_str!("../../assets/schemas/sim-gen.schema.json")
    }

    fn signs(&self, root: Value<'_>) -> Vec<Sign> {
        let string = |kind| kind == Kind::String;
        let utterance = any_has(root, "turns", "user_utterance", string)
            || any_has(root, "turns", "system_utterance", string);
        vec![
            Sign::new("`turns`, an array of objects", has_objects(root, "turns")),
            Sign::new("`user_utterance`, a string, in the turns", utterance),
        ]
    }

    fn read(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
        let root = tree.root();
        let mut reader = Reader::default();
        let mut dialog = Dialog::new(Units::CodePoints);
        dialog.at = extent(root);
        if reader.is_object(root, "dialog") {
            let [id, turns] = members(root, ["dialogue_id", "turns"], &mut dialog.fields);
            let id = reader.required(id, root, "the dialog", "dialogue_id");
            dialog.id = reader.text(id, "dialogue_id");
            if let Some(turns) = reader.required(turns, root, "the dialog", "turns") {
                for (position, value) in reader.elements(turns, "turns").enumerate() {
                    exchange(&mut reader, value, position as u32, &mut dialog.turns);
                }
            }
        }
        (dialog, reader.finish())
    }

    fn lacks(&self, edit: &Edit) -> Option<&'static str> {
        match edit {
            Edit::SetText { .. } => None,
            _ if edit.is_of_votes() => Some("votes"),
            _ => Some("segments"),
        }
    }

    fn write(&self, editor: &Editor<'_>, changed: &Changed<'_>) -> Result<Vec<Splice>, Refused> {
        let Edit::SetText { text, .. } = changed.edit else {
            return Ok(Vec::new());
        };
        let (before, _) = changed.turns();
        let utterance = value_of(editor, before.at, "the utterance")?;
        Ok(vec![editor.replace(utterance, &New::String(text.clone()))])
    }
}

/// A turn of the file: what the system says, then what the user answers, and the state after it.
fn exchange(reader: &mut Reader, value: Value<'_>, index: u32, turns: &mut Vec<Turn>) {
    reader.turn = Some(turns.len());
    if !reader.is_object(value, "turns") {
        return;
    }
    let keys = [
        "system_utterance",
        "system_acts",
        "user_utterance",
        "user_acts",
        "dialogue_state",
        "database_state",
    ];
    let mut fields = Vec::new();
    let [system, system_acts, user, user_acts, state, database] = members(value, keys, &mut fields);
    if system.is_none() && user.is_none() {
        reader.missing(value, "the turn", "user_utterance");
    }
    let system_acts = system_acts
        .map(|v| acts(reader, v, "system_acts"))
        .unwrap_or_default();
    let first = turns.len();
    if let Some(system) = system {
        turns.push(utterance(
            reader,
            system,
            Role::System,
            "system_utterance",
            index,
        ));
        turns[first].acts = system_acts;
    }
    reader.turn = Some(turns.len());
    if let Some(user) = user {
        turns.push(utterance(reader, user, Role::User, "user_utterance", index));
    }
    let user_acts = user_acts
        .map(|v| acts(reader, v, "user_acts"))
        .unwrap_or_default();
    let state = state.map(|v| states(reader, v));
    if let Some(database) = database {
        reader.is_object(database, "database_state");
        let (name, content) = ("database_state".into(), content(database));
        fields.push(Field {
            name,
            content,
            known: true,
            at: extent(database),
        });
    }
    if turns.len() > first
        && let Some(turn) = turns.last_mut()
    {
        turn.acts.extend(user_acts);
        turn.state = state;
        turn.fields.extend(fields);
    }
}

fn utterance(
    reader: &mut Reader,
    value: Value<'_>,
    role: Role,
    member: &'static str,
    index: u32,
) -> Turn {
    let name = if role == Role::User { "user" } else { "system" }.into();
    let text = reader.text(Some(value), member);
    let speaker = Speaker { role, name };
    Turn {
        speaker,
        index: Some(index),
        text,
        at: extent(value),
        ..Turn::default()
    }
}

fn acts(reader: &mut Reader, value: Value<'_>, member: &'static str) -> Vec<Act> {
    let elements = reader.elements(value, member);
    elements.map(|value| act(reader, value, member)).collect()
}

fn act(reader: &mut Reader, value: Value<'_>, member: &'static str) -> Act {
    let mut act = Act {
        at: extent(value),
        ..Act::default()
    };
    if !reader.is_object(value, member) {
        return act;
    }
    let name = reader.required(value.get("name"), value, "the act", "name");
    act.name = reader.text(name, "name");
    if let Some(slots) = value.get("slot_values")
        && reader.is_object(slots, "slot_values")
    {
        let slot = |(key, value)| {
            let Field { name, content, .. } = field(key, value, true);
            ActSlot {
                slot: name,
                value: Some(content),
            }
        };
        act.slots = slots.members().map(slot).collect();
    }
    act
}

fn states(reader: &mut Reader, value: Value<'_>) -> Vec<StateSlot> {
    reader.is_object(value, "dialogue_state");
    let slot = |(key, value)| {
        let Field {
            name, content, at, ..
        } = field(key, value, true);
        StateSlot {
            slot: name,
            value: content,
            at,
        }
    };
    value.members().map(slot).collect()
}
