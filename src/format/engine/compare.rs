//! Compares two states of a list by the places of its elements.

use std::collections::HashMap;

use crate::dialog::Extent;

/// Something in both states.
pub struct Change<'t, T: ?Sized> {
    pub old: &'t T,
    pub new: &'t T,
}

impl<T: ?Sized> Clone for Change<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Change<'_, T> {}

/// How two states of a list differ.
pub struct Changes<'t, T> {
    /// Elements of both, equal or not.
    pub stay: Vec<Change<'t, T>>,
    pub gone: Vec<&'t T>,
    /// Elements that are neither in the text nor in the old state, with their positions in the new one.
    pub new: Vec<(usize, &'t T)>,
}

impl<'t, T: PartialEq> Changes<'t, T> {
    /// Returns the differences of a list of one element.
    pub fn only(old: &'t T, new: &'t T) -> Self {
        Self { stay: vec![Change { old, new }], gone: Vec::new(), new: Vec::new() }
    }

    /// Compares two states of a list whose elements were read from the places that `at` returns.
    pub fn of(old: &'t [T], new: &'t [T], at: impl Fn(&T) -> Extent) -> Self {
        let is_same = |(one, other): (&T, &T)| {
            at(one).is_placed() && at(other).is_placed() && at(one).start == at(other).start
        };
        // Most lists have the same elements in both states, and a dialog may have very many turns.
        if old.len() == new.len() && old.iter().zip(new).all(is_same) {
            let stay = old.iter().zip(new).map(|(old, new)| Change { old, new }).collect();
            return Self { stay, gone: Vec::new(), new: Vec::new() };
        }
        let mut places: HashMap<u32, Vec<&T>> = HashMap::new();
        for one in new.iter().rev().filter(|one| at(one).is_placed()) {
            places.entry(at(one).start).or_default().push(one);
        }
        let (mut stay, mut gone, mut known) = (Vec::new(), Vec::new(), Vec::new());
        for one in old {
            if !at(one).is_placed() {
                known.push(one);
                continue;
            }
            match places.get_mut(&at(one).start).and_then(Vec::pop) {
                Some(same) => stay.push(Change { old: one, new: same }),
                None => gone.push(one),
            }
        }
        let mut added: Vec<_> =
            new.iter().enumerate().filter(|(_, one)| !at(one).is_placed()).collect();
        added.retain(|(_, one)| {
            let same = known.iter().position(|known| known == one);
            same.map(|same| known.swap_remove(same)).is_none()
        });
        Self { stay, gone, new: added }
    }
}
