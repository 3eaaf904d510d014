//! The edits that make one text of a dialog another, element by element and member by member, as they are written.

use std::collections::HashSet;

use super::canonical::canonical;
use crate::dialog::{Dialog, Edit, Extent, Turn};
use crate::format::{Family, Numbers, number_keys};
use crate::json::{NodeKind, Parser, Value};
use crate::text::diff;

/// Returns the edits that make the dialog in `from` say what `to` says, one after the other. Parts that models tell are
/// put as a whole, so that each is found again by what it was.
pub fn puts(format: &'static Family, from: &str, to: &str) -> Vec<Edit> {
    let (mut own, mut others) = (Parser::new(), Parser::new());
    let trees = (own.parse_piece_str(from), others.parse_piece_str(to));
    let (Ok(old), Ok(new)) = trees else {
        return Vec::new();
    };
    let dialogs = [format.read(old).0, format.read(new).0];
    let mut putting = Putting {
        keys: number_keys(&old, &dialogs[0]),
        turns: dialogs.each_ref().map(turn_starts),
        elements: dialogs[0].turns.iter().flat_map(places).map(|at| at.start).collect(),
        numbers: Default::default(),
        moved: 0,
        edits: Vec::new(),
    };
    putting.value(old.root(), new.root(), &Pointer::default());
    putting.edits
}

/// Returns where the element of each turn begins.
fn turn_starts(dialog: &Dialog) -> Vec<u32> {
    dialog.turns.iter().map(|turn| turn.whole().start).collect()
}

/// Returns the places of the parts of a turn that are put as a whole.
fn places(turn: &Turn) -> impl Iterator<Item = Extent> {
    let votes = turn.votes.iter().map(|vote| vote.at);
    turn.element_places().chain(votes).filter(|at| at.is_placed())
}

/// True unless two lists are of texts and numbers alone, such as tokens, which are put as a whole.
fn holds_containers(old: Value<'_>, new: Value<'_>) -> bool {
    old.elements().chain(new.elements()).any(Value::is_container)
}

/// The place of a value: the turn, by its position, and the way from there.
#[derive(Clone, Default)]
struct Pointer {
    turn: Option<usize>,
    path: String,
}

impl Pointer {
    fn to(&self, step: &str) -> Self {
        let step = step.replace('~', "~0").replace('/', "~1");
        Self { turn: self.turn, path: format!("{}/{step}", self.path) }
    }
}

struct Putting {
    keys: Vec<String>,
    /// The first bytes of the elements of turns in both texts.
    turns: [Vec<u32>; 2],
    /// The first bytes of the parts of turns in the old text.
    elements: HashSet<u32>,
    /// The numbers of the turn in both texts, which make no difference.
    numbers: [Numbers; 2],
    /// How many turns are there now beyond those of the old text that come before.
    moved: isize,
    edits: Vec<Edit>,
}

impl Putting {
    fn said(&self, side: usize, value: Value<'_>) -> String {
        let is_turn = self.turns[side].contains(&value.range().start);
        let own = is_turn.then(|| Numbers::of(value, &self.keys));
        canonical(value, Some(own.as_ref().unwrap_or(&self.numbers[side])))
    }

    fn value(&mut self, old: Value<'_>, new: Value<'_>, at: &Pointer) {
        if old.raw() == new.raw() || self.said(0, old) == self.said(1, new) {
            return;
        }
        let start = old.range().start;
        let turn = self.turns[0].iter().position(|of| *of == start).filter(|_| !old.is_lines());
        if let Some(turn) = turn {
            let of = Pointer { turn: turn.checked_add_signed(self.moved), path: String::new() };
            let numbers = [old, new].map(|element| Numbers::of(element, &self.keys));
            let outside = std::mem::replace(&mut self.numbers, numbers);
            self.inside(old, new, &of);
            self.numbers = outside;
        } else {
            self.inside(old, new, at);
        }
    }

    fn inside(&mut self, old: Value<'_>, new: Value<'_>, at: &Pointer) {
        let is_part = self.elements.contains(&old.range().start) && !at.path.is_empty();
        match (old.kind(), new.kind()) {
            (NodeKind::Object, NodeKind::Object) if !is_part => self.members(old, new, at),
            (NodeKind::Array, NodeKind::Array) if !is_part && holds_containers(old, new) => {
                self.elements(old, new, at);
            }
            _ => self.put(at, Some(old), Some(new)),
        }
    }

    fn put(&mut self, at: &Pointer, old: Option<Value<'_>>, new: Option<Value<'_>>) {
        let raw = |value: Value<'_>| value.raw().to_owned();
        let Pointer { turn, path } = at.clone();
        self.edits.push(Edit::Put { turn, path, was: old.map(raw), json: new.map(raw) });
    }

    fn members(&mut self, old: Value<'_>, new: Value<'_>, at: &Pointer) {
        for (key, value) in old.members() {
            let key = key.as_str().unwrap_or_default();
            let at = at.to(&key);
            match new.get(&key) {
                Some(other) => self.value(value, other, &at),
                None => self.put(&at, Some(value), None),
            }
        }
        for (key, value) in new.members() {
            let key = key.as_str().unwrap_or_default();
            if old.get(&key).is_none() {
                self.put(&at.to(&key), None, Some(value));
            }
        }
    }

    fn elements(&mut self, old: Value<'_>, new: Value<'_>, at: &Pointer) {
        let all = [old, new].map(|list| list.elements().collect::<Vec<_>>());
        let said = |side: usize| -> Vec<String> {
            all[side].iter().map(|value| self.said(side, *value)).collect()
        };
        let (one, other) = (said(0), said(1));
        // How many elements there are now beyond those of the old list that come before.
        let mut moved = 0_isize;
        for change in diff(&one, &other) {
            let (tag, before, after) = change.as_tag_tuple();
            if tag == similar::DiffTag::Equal {
                continue;
            }
            let both = before.len().min(after.len());
            for (was, is) in before.clone().zip(after.clone()) {
                let place = was.saturating_add_signed(moved);
                self.value(all[0][was], all[1][is], &at.to(&place.to_string()));
            }
            for (was, gone) in (before.start + both..).zip(&all[0][before.start + both..before.end])
            {
                let place = was.saturating_add_signed(moved);
                let of = self.place_of(0, *gone);
                let at = of.unwrap_or_else(|| at.to(&place.to_string()));
                self.put(&at, Some(*gone), None);
                moved -= 1;
                self.moved -= self.count(0, *gone);
            }
            for new in &all[1][after.start + both..after.end] {
                let place = before.end.saturating_add_signed(moved);
                let of = self.place_of(1, *new);
                let at = of.unwrap_or_else(|| at.to(&place.to_string()));
                self.put(&at, None, Some(*new));
                moved += 1;
                self.moved += self.count(1, *new);
            }
        }
    }

    /// Returns how many turns an element has.
    fn count(&self, side: usize, element: Value<'_>) -> isize {
        let start = element.range().start;
        let count = self.turns[side].iter().filter(|of| **of == start).count();
        isize::try_from(count).unwrap_or_default()
    }

    /// Returns the place of the element of a turn that goes, or comes; None if it is something else.
    fn place_of(&self, side: usize, element: Value<'_>) -> Option<Pointer> {
        let start = element.range().start;
        let turn = self.turns[side].iter().position(|of| *of == start)?;
        // Where it goes, those before it have come and gone already.
        let turn = if side == 0 { turn.checked_add_signed(self.moved)? } else { turn };
        Some(Pointer { turn: Some(turn), path: String::new() })
    }
}
