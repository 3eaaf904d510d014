//! Compares one annotator with all others who judged the same turns.
//!
//! For each vote, an [`Annotator`] keeps the tally of the others on that turn. The number of times each
//! vote met each tally is enough to compute the agreement.

use std::collections::BTreeMap;

use super::counted::Counted;
use super::tally::Tally;
use super::undefined::{Statistic, UndefinedReason, mean};

/// The votes of one annotator, by category, each with the votes of the others on the same turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotator<T = Tally> {
    votes: BTreeMap<(usize, T), u64>,
}

impl<T> Default for Annotator<T> {
    fn default() -> Self {
        let votes = BTreeMap::new();
        Self { votes }
    }
}

impl<T: Counted> Annotator<T> {
    /// Adds a vote for a category on a turn on which the votes of the others are `rest`.
    pub fn add(&mut self, vote: usize, rest: T) {
        *self.votes.entry((vote, rest)).or_default() += 1;
    }

    /// Returns each vote with the votes of the others, and how often it occurs.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &T, u64)> {
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
    /// [majority](Counted::majority).
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

    fn mean(&self, value: impl Fn(usize, &T) -> Option<f64>) -> Statistic {
        let values = self.iter();
        let values = values.filter_map(|(vote, rest, times)| Some((value(vote, rest)?, times)));
        let otherwise = match self.votes.len() {
            0 => UndefinedReason::NoVotes,
            _ => UndefinedReason::NobodyElse,
        };
        mean(values, otherwise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialog::Breakdown::{O, T, X};

    /// An O where the others vote OOT, an X where they vote OX, a T without others: 2/3 and 1/2 of the
    /// others agree; their majorities are O and, in a tie, O.
    #[test]
    fn agreement_with_the_rest_by_hand() {
        let mut annotator = Annotator::default();
        assert_eq!(annotator.with_rest(), Err(UndefinedReason::NoVotes));
        annotator.add(T as usize, Tally::default());
        assert_eq!(annotator.with_rest(), Err(UndefinedReason::NobodyElse));
        annotator.add(O as usize, Tally { counts: [2, 1, 0] });
        annotator.add(X as usize, Tally { counts: [1, 0, 1] });
        assert_eq!(annotator.counts(3), [1, 1, 1]);
        let mean = f64::midpoint(2.0 / 3.0, 0.5);
        assert!((annotator.with_rest().unwrap() - mean).abs() < 1e-15);
        assert_eq!(annotator.with_majority(0.0), Ok(0.5));
        // With TXX by the others, X has two thirds: enough for a threshold of 0.6, but not of 0.9.
        annotator.add(X as usize, Tally { counts: [0, 1, 2] });
        let thirds = |of: u32| Ok(f64::from(of) / 3.0);
        assert_eq!(annotator.with_majority(0.6), thirds(2));
        assert_eq!(annotator.with_majority(0.9), thirds(1));
    }
}
