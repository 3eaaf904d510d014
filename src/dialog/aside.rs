//! Side branches of sessions, and events between turns, which are beside the conversation itself.

use super::model::{Role, Short, Turn};

/// Turns that an agent had elsewhere, such as those of a subagent, while its caller waited.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// Its id in the corpus or, if it has none, its number from 1.
    pub id: Short,
    /// The turn and the position of the call that started it, if the corpus tells.
    pub asked: Option<(usize, usize)>,
    /// The positions of its turns, in order; empty if they are a dialog of their own.
    pub turns: Vec<usize>,
}

/// The side branches of a dialog.
///
/// Two always compare as equal, as places do: they follow from the rest of the dialog.
#[derive(Clone, Debug, Default)]
pub struct Branches(pub Vec<Branch>);

impl PartialEq for Branches {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Branches {
    /// Returns the branch that a turn belongs to.
    pub fn of_turn(&self, turn: usize) -> Option<&Branch> {
        let mut all = self.0.iter();
        all.find(|branch| branch.turns.binary_search(&turn).is_ok())
    }

    /// Returns the branch that a call started.
    pub fn of_call(&self, turn: usize, call: usize) -> Option<&Branch> {
        let mut all = self.0.iter();
        all.find(|branch| branch.asked == Some((turn, call)))
    }

    /// Returns the branch that a call of this turn started, the first of several.
    pub fn from_turn(&self, turn: usize) -> Option<&Branch> {
        let mut all = self.0.iter();
        all.find(|branch| branch.asked.is_some_and(|(asked, _)| asked == turn))
    }
}

/// Events at turns, such as the compaction of a session, in the order of the turns.
///
/// Two always compare as equal, as places do.
#[derive(Clone, Debug, Default)]
pub struct Events(Vec<Event>);

/// An event at a turn, given by its position.
#[derive(Clone, Debug)]
struct Event {
    turn: usize,
    text: String,
}

impl PartialEq for Events {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Events {
    /// Adds an event at the last turn that has one, or at a later turn.
    pub fn add(&mut self, turn: usize, text: String) {
        self.0.push(Event { turn, text });
    }

    /// Returns those at a turn in the order of the file.
    pub fn at(&self, turn: usize) -> impl Iterator<Item = &str> {
        let first = self.0.partition_point(|event| event.turn < turn);
        let here = self.0[first..].iter();
        let here = here.take_while(move |event| event.turn == turn);
        here.map(|event| event.text.as_str())
    }
}

impl Turn {
    /// Makes it context, which nobody judges.
    pub fn set_aside(&mut self) {
        self.speaker.role = Role::Context;
    }
}
