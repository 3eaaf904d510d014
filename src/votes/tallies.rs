//! Counts how often each tally occurs among many turns, or among the places where a question was answered.
//!
//! Majorities, ties, entropy and agreement depend only on this: how many turns have eight O, eleven T and
//! eleven X, not which turns these are or who voted. So even a large corpus is a small table, merging two
//! tables adds their counts, and the order of the turns changes nothing, not even the last bit of a sum.

use std::collections::BTreeMap;

use super::counted::Counted;
use super::tally::Tally;
use super::undefined::{Statistic, UndefinedReason, mean};

/// The number of turns with each tally, without turns that have no votes.
///
/// For a question, they are the places where it was answered, and their answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tallies<T = Tally> {
    turns: BTreeMap<T, u64>,
}

impl<T> Default for Tallies<T> {
    fn default() -> Self {
        let turns = BTreeMap::new();
        Self { turns }
    }
}

impl<T: Counted> Tallies<T> {
    /// Adds a turn, unless it has no votes.
    pub fn add(&mut self, tally: T) {
        self.add_times(tally, 1);
    }

    pub(super) fn add_times(&mut self, tally: T, times: u64) {
        if tally.total() > 0 && times > 0 {
            *self.turns.entry(tally).or_default() += times;
        }
    }

    /// Returns each tally with the number of turns that have it.
    pub fn iter(&self) -> impl Iterator<Item = (&T, u64)> {
        self.turns.iter().map(|(tally, times)| (tally, *times))
    }

    /// Returns the number of turns for which `which` is true.
    pub fn count(&self, which: impl Fn(&T) -> bool) -> u64 {
        let these = self.iter().filter(|(tally, _)| which(tally));
        these.map(|(_, times)| times).sum()
    }

    /// Returns the number of turns with votes.
    pub fn turns(&self) -> u64 {
        self.turns.values().sum()
    }

    pub fn votes(&self) -> u64 {
        let votes = self.iter();
        votes.map(|(tally, times)| u64::from(tally.total()) * times).sum()
    }

    /// Numbers of votes by category, up to the last one that has any, on the turns for which `which` is true.
    pub fn categories(&self, which: impl Fn(&T) -> bool) -> Vec<u64> {
        let mut all = Vec::new();
        for (tally, times) in self.iter().filter(|(tally, _)| which(tally)) {
            for (category, count) in tally.counts().filter(|(_, count)| *count > 0) {
                if all.len() <= category {
                    all.resize(category + 1, 0);
                }
                all[category] += u64::from(count) * times;
            }
        }
        all
    }

    /// Returns the fewest and the most votes of a turn; None without turns.
    pub fn votes_a_turn(&self) -> Option<(u32, u32)> {
        let totals = || self.turns.keys().map(T::total);
        totals().min().zip(totals().max())
    }

    /// Returns the number of turns on which several labels are tied for the most votes.
    pub fn ties(&self) -> u64 {
        self.count(|tally| tally.most().len() > 1)
    }

    /// Returns the number of turns on which no label has more than half of the votes.
    pub fn without_absolute_majority(&self) -> u64 {
        self.count(T::lacks_absolute_majority)
    }

    /// Returns the mean entropy of the turns in bits, from 0.
    ///
    /// # Errors
    /// If there is no turn.
    pub fn entropy(&self) -> Statistic {
        let entropies = self.iter().filter_map(|(tally, times)| Some((tally.entropy()?, times)));
        mean(entropies, UndefinedReason::NoAnswers)
    }
}

impl<T: Counted> FromIterator<(T, u64)> for Tallies<T> {
    /// Counts tallies with the numbers of their turns.
    fn from_iter<I: IntoIterator<Item = (T, u64)>>(tallies: I) -> Self {
        let some = tallies.into_iter().filter(|(_, times)| *times > 0);
        let turns = some.filter(|(tally, _)| tally.total() > 0).collect();
        Self { turns }
    }
}

impl<T: Counted> FromIterator<T> for Tallies<T> {
    fn from_iter<I: IntoIterator<Item = T>>(tallies: I) -> Self {
        let mut all = Self::default();
        tallies.into_iter().for_each(|tally| all.add(tally));
        all
    }
}
