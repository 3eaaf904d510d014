//! The numbers of turns, which follow from their places unless a side has given a turn another one.

use std::collections::HashMap;

use crate::compare::classes::Classes;
use crate::compare::list::Side;
use crate::compare::three::Three;
use crate::dialog::Dialog;
use crate::format::{Numbers, number_keys, renumbered};
use crate::json::{Parser, Patch, Splice, Tree, Value};

/// The element of a turn, or of an exchange, in the merged text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnElement {
    pub class: usize,
    /// The copy that it is from.
    pub of: Side,
}

/// How the copies number their turns.
pub struct Numbering {
    /// The keys under which the elements of turns have their numbers.
    keys: Vec<String>,
    /// The position of each element of a turn in its copy, by its first byte.
    places: Three<HashMap<u32, i64>>,
}

impl Numbering {
    pub fn of(trees: Three<&Tree<'_>>, dialogs: Three<&Dialog>) -> Self {
        let keys = trees.zip(dialogs).map(|(tree, dialog)| number_keys(tree, dialog));
        let [base, ours, theirs] = keys.into_array();
        let keys = [ours, theirs, base].into_iter().max_by_key(Vec::len).unwrap_or_default();
        let places = dialogs.map(|dialog| {
            let mut starts: Vec<u32> = dialog.turns.iter().map(|turn| turn.whole().start).collect();
            starts.dedup();
            starts.into_iter().zip(0..).collect()
        });
        Self { keys, places }
    }

    /// True if members with this key may be numbers of turns.
    pub fn is_key(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }

    /// Returns the numbers of an element that make no difference: none if a side has given it another one, and not because
    /// of the turns before it.
    pub fn hidden(&self, copies: Three<Option<Value<'_>>>) -> Three<Numbers> {
        if self.is_given(copies) {
            return Three::default();
        }
        copies.map(|value| {
            value.map_or_else(Numbers::default, |value| Numbers::of(value, &self.keys))
        })
    }

    /// True if a side has given an element another number than its place.
    fn is_given(&self, copies: Three<Option<Value<'_>>>) -> bool {
        let place = |copy: Side| {
            let value = (*copies.of(copy))?;
            let place = self.places.of(copy).get(&value.range().start)?;
            Some((Numbers::of(value, &self.keys), *place))
        };
        let Some((was, from)) = place(Side::Base) else {
            return false;
        };
        [Side::Ours, Side::Theirs].into_iter().filter_map(place).any(|(is, to)| {
            let other = |(key, number): &(String, i64)| {
                is.get(key).is_some_and(|is| is - number != to - from)
            };
            was.0.iter().any(other)
        })
    }

    /// Returns the merged text, whose elements of turns are these, with their numbers: each as far from that of its copy
    /// as its place is from the one there. `merged` is the dialog in the text.
    pub fn written(
        &self,
        text: String,
        merged: &Dialog,
        trees: Three<&Tree<'_>>,
        classes: &Classes,
        elements: &[TurnElement],
    ) -> String {
        let mut starts: Vec<u32> = merged.turns.iter().map(|turn| turn.whole().start).collect();
        starts.dedup();
        if self.keys.is_empty() || starts.len() != elements.len() {
            return text;
        }
        let mut parser = Parser::new();
        let Ok(tree) = parser.parse_piece_str(&text) else {
            return text;
        };
        let mut splices = Vec::new();
        for ((start, TurnElement { class, of }), place) in starts.into_iter().zip(elements).zip(0..)
        {
            let starts = classes.starts(*class);
            let copies = starts.zip(trees).map(|(start, tree)| tree.value_at(start?));
            let source =
                (*copies.of(*of)).zip(self.places.of(*of).get(&starts.of(*of).unwrap_or(0)));
            let (Some((source, was)), Some(now)) = (source, tree.value_at(start)) else {
                continue;
            };
            if self.is_given(copies) {
                continue;
            }
            let numbers = Numbers::of(source, &self.keys);
            let moved = numbers.0.iter().map(|(key, number)| (key.clone(), number + place - was));
            let moved = Numbers(moved.collect());
            let new = renumbered(now, &Numbers::of(now, &self.keys), &moved);
            if new != now.raw() {
                splices.push(Splice::new(now.range().bytes(), new));
            }
        }
        Patch::new(splices).map(|patch| patch.apply(&text)).unwrap_or(text)
    }
}
