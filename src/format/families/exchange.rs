//! Shared code of Google's three simulated corpora, in which an element of `turns` is an exchange.
//!
//! An exchange holds the system's utterance and the user's answer, the acts of both, and the dialogue
//! state after the answer. In the model, each utterance is a separate turn; the parts that belong to the
//! whole exchange go to its last turn.

use crate::dialog::{Act, Dialog, Edit, Extent, Issue, Role, Speaker, StateSlot, Turn};
use crate::format::Sign;
use crate::format::engine::read::{self, Frame, Reader, each, extent, members};
use crate::format::engine::shape::{any_has, has_objects};
use crate::json::{Tree, Value};
use crate::text::Units;

/// The differences between these corpora.
pub struct Sides {
    pub units: Units,
    /// True if every exchange has a user utterance; false if it has at least one utterance of either side.
    pub user_answers: bool,
    pub utterance: fn(&mut Reader, Value<'_>, &'static str, &mut Turn),
    pub act: fn(&mut Reader, Value<'_>) -> Act,
    pub state: fn(&mut Reader, Value<'_>) -> Vec<StateSlot>,
    /// The member of an exchange that only this corpus has.
    pub own: &'static str,
    pub read_own: fn(&mut Reader, Value<'_>, &mut Turn),
}

/// The member that holds a dialog's id.
pub const ID: &str = "dialogue_id";

const FRAME: Frame = Frame { id: ID, turns: "turns", known: &[] };

/// Returns the signs of its dialogs besides their id; `utterance` describes the form of utterances.
pub fn signs(
    root: Value<'_>,
    utterance: &'static str,
    is: impl Fn(Value<'_>) -> bool,
) -> Vec<Sign> {
    let has = |is: &dyn Fn(Value<'_>) -> bool| {
        let members = ["user_utterance", "system_utterance"];
        members.iter().any(|key| any_has(root, FRAME.turns, key, is))
    };
    vec![
        Sign::new("`turns`, an array of objects", has_objects(root, FRAME.turns)),
        Sign::new("`user_utterance` or `system_utterance` in its turns", has(&|_| true)),
        Sign::new(utterance, has(&is)),
    ]
}

/// Gives a new user's turn the state before it, which its exchange repeats.
pub fn complete(edit: &Edit, after: &mut Dialog) {
    let Edit::AddTurn { turn, .. } = edit else {
        return;
    };
    let (earlier, rest) = after.turns.split_at_mut(*turn);
    let Some((new, later)) = rest.split_first_mut() else {
        return;
    };
    if new.speaker.role != Role::User {
        return;
    }
    let before = earlier.iter().rev().find_map(|turn| turn.state.clone());
    let others = || later.iter().any(|turn| turn.state.is_some());
    new.state = before.or_else(|| others().then(Vec::new));
    for slot in new.state.iter_mut().flatten() {
        slot.at = Extent::default();
    }
}

pub fn read(sides: &Sides, tree: Tree<'_>) -> (Dialog, Vec<Issue>) {
    read::dialog(tree, sides.units, &FRAME, |reader, (index, value), turns| {
        sides.exchange(reader, index, value, turns);
    })
}

impl Sides {
    fn exchange(&self, reader: &mut Reader, index: u32, value: Value<'_>, turns: &mut Vec<Turn>) {
        if !reader.is_object_in(value, "turns") {
            return;
        }
        let keys = [
            "system_utterance",
            "system_acts",
            "user_utterance",
            "user_acts",
            "dialogue_state",
            self.own,
        ];
        let mut fields = Vec::new();
        let [system, system_acts, user, user_acts, state, own] = members(value, keys, &mut fields);
        let first = turns.len();
        let system_acts = self.acts(reader, system_acts, "system_acts");
        if let Some(system) = system {
            let mut turn = self.utterance(reader, system, Role::System, index);
            turn.acts = system_acts;
            turns.push(turn);
        }
        reader.turn = Some(turns.len());
        if let Some(user) = user {
            turns.push(self.utterance(reader, user, Role::User, index));
        } else if self.user_answers || system.is_none() {
            reader.missing(value, "the turn", "user_utterance");
        }
        // Checked even if no turn can hold it.
        let mut whole = Turn {
            acts: self.acts(reader, user_acts, "user_acts"),
            state: state.map(|state| (self.state)(reader, state)),
            ..Turn::default()
        };
        if let Some(own) = own {
            (self.read_own)(reader, own, &mut whole);
        }
        for turn in &mut turns[first..] {
            turn.exchange = extent(value);
        }
        if let Some(last) = turns[first..].last_mut() {
            last.acts.extend(whole.acts);
            last.intents = whole.intents;
            last.state = whole.state;
            last.fields.extend(fields.into_iter().chain(whole.fields));
        }
    }

    fn utterance(&self, reader: &mut Reader, value: Value<'_>, role: Role, index: u32) -> Turn {
        let (name, member) = match role {
            Role::User => ("user", "user_utterance"),
            _ => ("system", "system_utterance"),
        };
        let name = name.into();
        let mut turn = Turn {
            speaker: Speaker { role, name },
            index: Some(index),
            at: extent(value),
            ..Turn::default()
        };
        (self.utterance)(reader, value, member, &mut turn);
        turn
    }

    fn acts(
        &self,
        reader: &mut Reader,
        array: Option<Value<'_>>,
        member: &'static str,
    ) -> Vec<Act> {
        let Some(array) = array else {
            return Vec::new();
        };
        let act = |value: Value<'_>| {
            if reader.is_object_in(value, member) {
                (self.act)(reader, value)
            } else {
                Act { at: extent(value), ..Act::default() }
            }
        };
        let acts = each(array.elements(), act);
        reader.elements(array, member);
        acts
    }
}
