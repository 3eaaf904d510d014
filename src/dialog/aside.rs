//! Side branches of sessions, and events between turns, which are beside the conversation itself.

use std::collections::HashSet;

use super::model::{Extent, Role, Short, Turn};
use crate::text::visible;

/// Turns beside the dialog: those that an agent had elsewhere while its caller waited, such as a subagent's, or those
/// before which the session went back.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// Its id in the corpus or, if it has none, its number from 1.
    pub id: Short,
    /// The turn and the position of the call that started it, if the corpus tells.
    pub asked: Option<(usize, usize)>,
    /// The positions of its turns, in order; empty if they are a dialog of their own.
    pub turns: Vec<usize>,
    /// The session itself was here, and went back to before it: nothing in it is awaited.
    pub taken_back: bool,
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

    /// Returns the turns of such branches.
    pub fn turns(&self, are: impl Fn(&Branch) -> bool) -> HashSet<usize> {
        let all = self.0.iter().filter(|branch| are(branch));
        all.flat_map(|branch| &branch.turns).copied().collect()
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

/// Facts that the ids of the lines of a session tell.
///
/// Two always compare as equal, as places do.
#[derive(Clone, Debug, Default)]
pub struct LineIds {
    /// The id of the line of its first turn; empty if it has none.
    pub first: Short,
    /// Lines with the id of an earlier turn.
    pub again: Vec<LineAgain>,
}

/// A line with the id of an earlier one.
#[derive(Clone, Copy, Debug)]
pub struct LineAgain {
    pub at: Extent,
    /// The turn of the earlier line.
    pub first: usize,
    /// Its own turn, because it says something else; None if it is that turn again.
    pub turn: Option<usize>,
}

impl PartialEq for LineIds {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Branch {
    /// Returns how it is called.
    pub fn title(&self) -> String {
        let back = if self.taken_back { ", taken back" } else { "" };
        format!("side branch {}{back}", visible(&self.id))
    }
}

impl Turn {
    /// Makes it context, which nobody judges.
    pub fn set_aside(&mut self) {
        self.speaker.role = Role::Context;
    }
}
