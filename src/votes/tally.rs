//! The votes on one turn, counted.
//!
//! The rules are those of the Dialogue Breakdown Detection Challenge's evaluation script: the
//! majority label is the one with the most votes, ties going to O before T before X; leniently, T and
//! X are one label against O.

use crate::dialog::{Breakdown, Vote};

/// How many votes each label has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Votes for O, T and X.
    pub counts: [u32; 3],
}

/// A label where T and X count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lenient {
    O,
    /// T or X: at least a possible breakdown.
    Breakdown,
}

impl Tally {
    /// The tally of `votes`; those without a label do not count.
    pub fn of(votes: &[Vote]) -> Self {
        let mut tally = Self::default();
        for breakdown in votes.iter().filter_map(|vote| vote.breakdown) {
            tally.counts[breakdown as usize] += 1;
        }
        tally
    }

    pub fn total(&self) -> u32 {
        self.counts.iter().sum()
    }

    pub fn count(&self, breakdown: Breakdown) -> u32 {
        self.counts[breakdown as usize]
    }

    /// The share of a label, from 0 to 1; None if nobody has voted.
    pub fn share(&self, breakdown: Breakdown) -> Option<f64> {
        let total = self.total();
        (total > 0).then(|| f64::from(self.count(breakdown)) / f64::from(total))
    }

    /// The label with the most votes, O before T before X where several have as many; None if nobody
    /// has voted.
    pub fn majority(&self) -> Option<Breakdown> {
        let most = self.counts.iter().max().filter(|most| **most > 0)?;
        Breakdown::ALL.into_iter().find(|b| self.count(*b) == *most)
    }

    /// The label with the most votes where T and X are one; O where both sides have as many.
    pub fn lenient_majority(&self) -> Option<Lenient> {
        let [o, t, x] = self.counts;
        (self.total() > 0).then_some(if o >= t + x {
            Lenient::O
        } else {
            Lenient::Breakdown
        })
    }

    /// The labels that share the most votes, if there are several.
    pub fn tie(&self) -> Option<Vec<Breakdown>> {
        let most = self.counts.iter().max().filter(|most| **most > 0)?;
        let tied: Vec<_> = Breakdown::ALL
            .into_iter()
            .filter(|b| self.count(*b) == *most)
            .collect();
        (tied.len() > 1).then_some(tied)
    }

    /// Shannon entropy of the shares in bits, from 0 (all agree) to log2 3; None if nobody has voted.
    pub fn entropy(&self) -> Option<f64> {
        let shares = Breakdown::ALL.map(|b| self.share(b));
        let mut sum = 0.0;
        for share in shares {
            let share = share?;
            if share > 0.0 {
                sum -= share * share.log2();
            }
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn majorities() {
        let tally = |counts| Tally { counts };
        assert_eq!(tally([8, 11, 11]).majority(), Some(Breakdown::T));
        assert_eq!(
            tally([8, 11, 11]).lenient_majority(),
            Some(Lenient::Breakdown)
        );
        assert_eq!(
            tally([8, 11, 11]).tie(),
            Some(vec![Breakdown::T, Breakdown::X])
        );
        assert_eq!(tally([15, 10, 5]).lenient_majority(), Some(Lenient::O));
        assert_eq!(tally([1, 0, 0]).tie(), None);
        assert_eq!(tally([0, 0, 0]).majority(), None);
        assert_eq!(tally([0, 0, 0]).entropy(), None);
        assert_eq!(tally([5, 0, 5]).entropy(), Some(1.0));
        assert_eq!(tally([0, 7, 0]).entropy(), Some(0.0));
    }
}
