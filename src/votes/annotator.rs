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
        self.add_times(vote, rest, 1);
    }

    /// Adds a vote that occurs `times` times.
    pub(super) fn add_times(&mut self, vote: usize, rest: T, times: u64) {
        if times > 0 {
            *self.votes.entry((vote, rest)).or_default() += times;
        }
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

    /// Returns the share, among the turns that others judged too, of those where the vote is the first of the
    /// labels that most others gave.
    ///
    /// # Errors
    /// If there is no such turn.
    pub fn with_most(&self) -> Statistic {
        self.mean(|vote, rest| Some(f64::from(*rest.most().first()? == vote)))
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

impl Annotator {
    /// Adds all votes of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (vote, rest, times) in other.iter() {
            self.add_times(vote, *rest, times);
        }
    }

    /// Votes for O, T and X.
    pub fn labels(&self) -> [u64; 3] {
        let mut labels = [0; 3];
        for (vote, _, times) in self.iter() {
            labels[vote] += times;
        }
        labels
    }

    /// Returns the share, among the turns that others judged too, of those where the vote equals the others'
    /// majority label; `threshold` is that of [`Tally::strict`].
    ///
    /// # Errors
    /// If there is no such turn.
    pub fn with_majority(&self, threshold: f64) -> Statistic {
        let majority = |rest: &Tally| Some(rest.strict(threshold)? as usize);
        self.mean(|vote, rest| Some(f64::from(majority(rest)? == vote)))
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
        assert_eq!(annotator.labels(), [1, 1, 1]);
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
