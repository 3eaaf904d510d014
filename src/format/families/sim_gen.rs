//! Google's generated corpus sim-GEN: plain utterances, acts with slot values, state as a map.

use crate::dialog::{
    Act, ActSlot, Dialog, Edit, EditError, EditKind, Field, Issue, StateSlot, Turn,
};
use crate::format::engine::edit::{EditedDialog, value_of};
use crate::format::engine::read::{Reader, content, each, extent, field};
use crate::format::families::exchange::{self, Sides};
use crate::format::families::exchange_write::{self, Style};
use crate::format::{Format, Sign};
use crate::json::{Editor, NewValue, NodeKind, Splice, Tree, Value};
use crate::text::Units;

pub struct SimGen;

const TITLE: &str = "Simulated dialogues (sim-GEN)";

const SIDES: Sides = Sides {
    units: Units::CodePoints,
    user_answers: false,
    utterance: |reader, value, member, turn| turn.text = reader.text(Some(value), member),
    act,
    state: states,
    own: "database_state",
    read_own: database,
};

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

    fn id_key(&self) -> &'static str {
        exchange::ID
    }

    fn schema(&self) -> &'static str {
        include_str!("../../../assets/schemas/sim-gen.schema.json")
    }

    fn signs(&self, root: Value<'_>) -> Vec<Sign> {
        exchange::signs(root, "`user_utterance`, a string, in its turns", |v| {
            v.kind() == NodeKind::String
        })
    }

    fn read_form(&self, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
        exchange::read(&SIDES, tree)
    }

    fn has(&self) -> &'static [EditKind] {
        &[EditKind::Text, EditKind::Acts, EditKind::State, EditKind::Turns, EditKind::Fields]
    }

    fn complete(&self, edit: &Edit, after: &mut Dialog) {
        exchange::complete(edit, after);
    }

    fn write_turns(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        exchange_write::write_turns(&Style::Mapped, editor, edited, |turn| {
            NewValue::String(turn.text.clone())
        })
    }

    fn write(
        &self,
        editor: &Editor<'_>,
        edited: &EditedDialog<'_>,
    ) -> Result<Vec<Splice>, EditError> {
        let Edit::SetText { text, .. } = edited.edit else {
            return exchange_write::write(&Style::Mapped, TITLE, editor, edited);
        };
        let (before, _) = edited.turns();
        let utterance = value_of(editor, before.at, "the utterance")?;
        Ok(vec![editor.replace(utterance, &NewValue::String(text.clone()))])
    }
}

fn database(reader: &mut Reader, value: Value<'_>, turn: &mut Turn) {
    reader.is_object(value, "database_state");
    turn.fields.push(Field {
        name: "database_state".into(),
        content: content(value),
        known: true,
        at: extent(value),
    });
}

fn act(reader: &mut Reader, value: Value<'_>) -> Act {
    let mut act = Act { at: extent(value), ..Act::default() };
    let name = reader.required(value.get("name"), value, "the act", "name");
    act.name = reader.text(name, "name");
    if let Some(slots) = value.get("slot_values")
        && reader.is_object(slots, "slot_values")
    {
        let slot = |(key, value)| {
            let Field { name, content, .. } = field(key, value, true);
            ActSlot { slot: name, value: Some(content) }
        };
        act.slots = each(slots.members(), slot);
    }
    act
}

fn states(reader: &mut Reader, value: Value<'_>) -> Vec<StateSlot> {
    reader.is_object(value, "dialogue_state");
    let slot = |(key, value)| {
        let Field { name, content, at, .. } = field(key, value, true);
        StateSlot { slot: name, value: content, at }
    };
    each(value.members(), slot)
}
