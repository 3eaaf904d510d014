//! Compares one annotator with all others who judged the same turns.
//!
//! For each vote, an [`Annotator`] keeps the counts of the others on that turn. The number of times each
//! vote met the same counts is enough to compute the agreement.

use std::collections::BTreeMap;

use super::counted::{CategoryCounts, Counted as _};
use super::undefined::{Statistic, UndefinedReason, mean};

/// The votes of one annotator, by category, each with the votes of the others on the same turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotator {
    votes: BTreeMap<(usize, CategoryCounts), u64>,
}

impl Annotator {
    /// Adds a vote for a category on a turn on which the votes of the others are `rest`.
    pub fn add(&mut self, vote: usize, rest: CategoryCounts) {
        *self.votes.entry((vote, rest)).or_default() += 1;
    }

    /// Returns each vote with the votes of the others, and how often it occurs.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &CategoryCounts, u64)> {
        let votes = self.votes.iter();
        votes.map(|((vote, rest), times)| (*vote, rest, *times))
    }

    pub fn votes(&self) -> u64 {
        self.votes.values().sum()
    }

    /// Agreement with the rest, from 0 to 1: the share of the others' votes on a turn with the same
    /// label, averaged over the turns that others judged too.
    ///
    /// # Errors
    /// If there is no such turn.
    pub fn with_rest(&self) -> Statistic {
        self.mean(|vote, rest| rest.share_of(vote))
    }

    /// Returns the share, among the turns that others judged too, of those where the vote equals the others'
    /// [majority](super::Counted::majority).
    ///
    /// # Errors
    /// If there is no such turn.
    pub fn with_majority(&self, threshold: f64) -> Statistic {
        self.mean(|vote, rest| Some(f64::from(rest.majority(threshold)? == vote)))
    }

    /// Numbers of votes for each of so many categories.
    pub fn counts(&self, categories: usize) -> Vec<u64> {
        let mut counts = vec![0; categories];
        for (category, _, times) in self.iter() {
            counts[category] += times;
        }
        counts
    }

    fn mean(&self, value: impl Fn(usize, &CategoryCounts) -> Option<f64>) -> Statistic {
        let values = self.iter();
        let values = values.filter_map(|(vote, rest, times)| Some((value(vote, rest)?, times)));
        let otherwise = match self.votes.len() {
            0 => UndefinedReason::NoAnswers,
            _ => UndefinedReason::NobodyElse,
        };
        mean(values, otherwise)
    }
}
