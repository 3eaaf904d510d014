//! The conflicts of a merge, and the side that is taken in each.

use super::numbers::TurnElement;
use crate::compare::file_conflict::Conflict;
use crate::compare::list::Side;
use crate::compare::one_text::TextConflict;
use crate::compare::three::Three;
use crate::dialog::Dialog;

/// Something about which the sides differ, by which it is known again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// The text of a turn, by its row until that has a class.
    Row(usize),
    Text(usize),
    /// The element of a class.
    Element(usize),
    /// A member, by the class of its turn and its path.
    Path(String),
}

/// The turn of a conflict: the class of its element, and its position among the turns of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnPlace {
    pub class: usize,
    pub inside: usize,
}

/// A conflict that is found.
#[derive(Clone, Debug)]
pub struct Open {
    pub key: Key,
    pub part: &'static str,
    /// The keys and positions that lead to the first that differs, with dots.
    pub path: String,
    pub said: Three<Option<String>>,
    pub turn: Option<TurnPlace>,
    /// True if both sides can stay.
    pub may_be_both: bool,
}

impl Open {
    pub fn of(key: Key, part: &'static str, said: Three<Option<String>>) -> Self {
        Self { key, part, path: String::new(), said, turn: None, may_be_both: false }
    }
}

/// The conflicts that are found, with the sides taken.
pub struct Conflicts<'d> {
    all: Vec<(Open, Side)>,
    decide: &'d dyn Fn(usize) -> Side,
    /// The number of the conflict that was asked about last.
    last: usize,
}

impl<'d> Conflicts<'d> {
    pub fn new(decide: &'d dyn Fn(usize) -> Side) -> Self {
        Self { all: Vec::new(), decide, last: 0 }
    }

    /// Returns the side to take in the conflict about a text.
    pub fn of_text(&mut self, row: usize, TextConflict { part, said }: TextConflict) -> Side {
        self.ask(Open::of(Key::Row(row), part, said))
    }

    /// Knows the conflicts about texts by the classes of their turns from now on.
    pub fn of_rows(&mut self, classes: &[usize]) {
        for (open, _) in &mut self.all {
            if let Key::Row(row) = open.key {
                let class = classes[row];
                open.key = Key::Text(class);
                open.turn = Some(TurnPlace { class, inside: 0 });
            }
        }
    }

    /// Returns the side that is taken in the conflict about the text of a turn, if there is one.
    pub fn side_of_text(&self, turn: usize) -> Option<Side> {
        let mut all = self.all.iter();
        all.find(|(open, _)| open.key == Key::Text(turn)).map(|(_, side)| *side)
    }

    /// Returns the side to take. What is known by one key is one conflict.
    pub fn ask(&mut self, new: Open) -> Side {
        let known = self.all.iter().position(|(open, _)| open.key == new.key);
        self.last = known.unwrap_or(self.all.len());
        if let Some(known) = known {
            return self.all[known].1;
        }
        let side = (self.decide)(self.last);
        self.all.push((new, side));
        side
    }

    /// True if both sides can stay in the conflict that was asked about last.
    pub fn may_last_be_both(&self) -> bool {
        self.all.get(self.last).is_some_and(|(open, _)| open.may_be_both)
    }

    /// Returns the conflicts. Their turns are those of the merged dialog, in which the elements of turns are these.
    pub fn listed(&self, elements: &[TurnElement], merged: Option<&Dialog>) -> Vec<Conflict> {
        let turn = |place: TurnPlace| {
            let dialog = merged?;
            let element = elements.iter().position(|of| of.class == place.class)?;
            let mut starts: Vec<u32> = dialog.turns.iter().map(|turn| turn.whole().start).collect();
            let all = starts.clone();
            starts.dedup();
            let first = all.iter().position(|start| Some(start) == starts.get(element))?;
            Some(first + place.inside)
        };
        let listed = self.all.iter().map(|(open, _)| Conflict {
            turn: open.turn.and_then(turn),
            part: open.part,
            path: open.path.clone(),
            said: open.said.clone(),
        });
        listed.collect()
    }
}
