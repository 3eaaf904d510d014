//! Counts things by name in bounded memory, so that the counts of parts add to those of the whole.
//!
//! Each name has a hash. Of more names than fit, those with the lowest hashes are kept, with exact counts: which
//! these are depends on the names alone, not on their order or on how a corpus is cut into parts. The kept ones
//! are a random sample, so that their share of all hashes estimates the number of names (k minimum values,
//! Bar-Yossef et al. 2002): with the 32,768 kept at least, the standard error is 0.6 %.

use std::collections::BTreeMap;
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};

use crate::dialog::Short;

/// The most names that are counted exactly.
const MOST: usize = 1 << 15;

/// Values of the same name that add up.
pub trait Joined {
    /// Adds a value from another part.
    fn join(&mut self, other: Self);
}

impl Joined for u64 {
    fn join(&mut self, other: Self) {
        *self += other;
    }
}

/// Values by name, of a bounded number of names.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bounded<T> {
    /// All names with a lower hash are kept.
    below: u64,
    named: BTreeMap<Short, T>,
}

impl<T> Default for Bounded<T> {
    fn default() -> Self {
        Self { below: u64::MAX, named: BTreeMap::new() }
    }
}

/// Returns the hash of a name, the same in every run.
pub fn hash_of(name: &str) -> u64 {
    FixedState::default().hash_one(name)
}

impl<T: Default + Joined> Bounded<T> {
    /// Returns the value of a name, to be changed; None if the name is not kept.
    pub fn of(&mut self, name: &str) -> Option<&mut T> {
        if self.below < u64::MAX && hash_of(name) >= self.below {
            return None;
        }
        if !self.named.contains_key(name) {
            // Twice as many as are kept, so that each name is looked at few times.
            if self.named.len() >= 2 * MOST {
                self.shrink();
                if hash_of(name) >= self.below {
                    return None;
                }
            }
            self.named.insert(name.into(), T::default());
        }
        self.named.get_mut(name)
    }

    /// Keeps the names with the lowest hashes.
    fn shrink(&mut self) {
        if self.named.len() <= MOST {
            return;
        }
        let mut hashes: Vec<_> = self.named.keys().map(|name| hash_of(name)).collect();
        let (_, below, _) = hashes.select_nth_unstable(MOST);
        self.below = *below;
        self.named.retain(|name, _| hash_of(name) < self.below);
    }

    /// Adds the values of another part.
    pub fn join(&mut self, other: Self) {
        if other.below < self.below {
            self.below = other.below;
            self.named.retain(|name, _| hash_of(name) < self.below);
        }
        for (name, value) in other.named {
            if self.below == u64::MAX || hash_of(&name) < self.below {
                match self.named.get_mut(&name) {
                    Some(known) => known.join(value),
                    None => {
                        self.named.insert(name, value);
                    }
                }
            }
        }
        if self.named.len() >= 2 * MOST {
            self.shrink();
        }
    }

    /// Drops names beyond those that are kept, so that equal contents are equal sums.
    pub fn settle(&mut self) {
        self.shrink();
    }

    /// Returns the kept names, in their order, with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.named.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// True if all names are kept.
    pub fn is_exact(&self) -> bool {
        self.below == u64::MAX
    }

    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Returns the number of names: exact if all are kept, else an estimate.
    pub fn names(&self) -> u64 {
        let kept = self.named.len() as u64;
        if self.is_exact() {
            return kept;
        }
        let share = self.below as f64 / u64::MAX as f64;
        (kept as f64 / share).round() as u64
    }

    /// Returns the kept names with the greatest values of `size`, the greatest first, and those of one size in
    /// their order.
    pub fn greatest(&self, count: usize, size: impl Fn(&T) -> u64) -> Vec<(&str, &T)> {
        let mut all: Vec<_> = self.iter().filter(|(_, value)| size(value) > 0).collect();
        all.sort_by_key(|(_, value)| std::cmp::Reverse(size(value)));
        all.truncate(count);
        all
    }
}

/// A few things drawn at random: those with the lowest hashes, whatever their order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sample<T> {
    drawn: BTreeMap<u64, T>,
}

impl<T> Default for Sample<T> {
    fn default() -> Self {
        Self { drawn: BTreeMap::new() }
    }
}

impl<T> Sample<T> {
    /// Adds a thing with this hash if it is among the `most` that are drawn.
    pub fn offer(&mut self, hash: u64, most: usize, thing: impl FnOnce() -> T) {
        let is_full = self.drawn.len() >= most;
        if is_full && self.drawn.keys().next_back().is_none_or(|last| hash >= *last) {
            return;
        }
        self.drawn.entry(hash).or_insert_with(thing);
        while self.drawn.len() > most {
            self.drawn.pop_last();
        }
    }

    /// Adds those of another part; keeps `most`.
    pub fn join(&mut self, other: Self, most: usize) {
        for (hash, thing) in other.drawn {
            self.offer(hash, most, || thing);
        }
    }

    /// Returns what was drawn, in the order of the hashes.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.drawn.values()
    }

    /// Returns what was drawn, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.drawn.values_mut()
    }
}
