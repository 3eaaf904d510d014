//! Counts the votes on one turn.
//!
//! The rules are those of the evaluation script of the Dialogue Breakdown Detection Challenge: the
//! majority label is the one with the most votes, and ties go to O before T before X. The lenient
//! majority counts T and X as one label. If the winning label's share of the votes is below a threshold,
//! the turn is O.
//!
//! A tally does not know who cast the votes.

use super::counted::Counted;
use crate::dialog::{Breakdown, Vote};

/// The number of votes for each label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally {
    /// Votes for O, T and X.
    pub counts: [u32; 3],
}

/// A label if T and X count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LenientLabel {
    O,
    /// T or X: at least a possible breakdown.
    Breakdown,
}

impl LenientLabel {
    /// Returns the name as the challenge writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::O => "O",
            Self::Breakdown => "T+X",
        }
    }
}

impl Tally {
    /// Returns the tally of `votes`; those without a label do not count.
    pub fn of<'v>(votes: impl IntoIterator<Item = &'v Vote>) -> Self {
        let mut tally = Self::default();
        for breakdown in votes.into_iter().filter_map(|vote| vote.breakdown) {
            tally.counts[breakdown as usize] += 1;
        }
        tally
    }

    /// Returns the tally of one vote.
    pub fn one(breakdown: Breakdown) -> Self {
        let mut tally = Self::default();
        tally.counts[breakdown as usize] = 1;
        tally
    }

    pub fn total(&self) -> u32 {
        self.counts.iter().sum()
    }

    pub fn count(&self, breakdown: Breakdown) -> u32 {
        self.counts[breakdown as usize]
    }

    /// Returns the share of a label, from 0 to 1; None without votes.
    pub fn share(&self, breakdown: Breakdown) -> Option<f64> {
        self.share_of(breakdown as usize)
    }

    /// Returns the shares of O, T and X, each from 0 to 1; None without votes.
    pub fn shares(&self) -> Option<[f64; 3]> {
        let total = f64::from(self.total());
        (total > 0.0).then(|| self.counts.map(|count| f64::from(count) / total))
    }

    /// Returns the label with the most votes; ties go to O before T before X. None without votes.
    pub fn majority(&self) -> Option<Breakdown> {
        self.strict(0.0)
    }

    /// Like [`Tally::majority`], but O if the label's share is below `threshold`.
    pub fn strict(&self, threshold: f64) -> Option<Breakdown> {
        Counted::majority(self, threshold).map(|label| Breakdown::ALL[label])
    }

    /// Returns the lenient majority if it is another than the majority.
    pub fn other_lenient_majority(&self) -> Option<LenientLabel> {
        let is_o = self.majority()? == Breakdown::O;
        self.lenient(0.0).filter(|lenient| is_o != (*lenient == LenientLabel::O))
    }

    /// Returns the label with the most votes if T and X count as one; O in a tie, or if the joint share of T and X is below
    /// `threshold`. None without votes.
    pub fn lenient(&self, threshold: f64) -> Option<LenientLabel> {
        // Adds the shares, not the votes, as the script does: exactly at the threshold, the last bit of
        // the sum decides.
        let [o, t, x] = self.shares()?;
        let breaks = t + x;
        Some(if breaks > o && breaks >= threshold {
            LenientLabel::Breakdown
        } else {
            LenientLabel::O
        })
    }

    /// Returns the labels tied for the most votes, if there are several.
    pub fn tie(&self) -> Option<Vec<Breakdown>> {
        let most = self.most();
        let tied = || most.iter().map(|label| Breakdown::ALL[*label]).collect();
        (most.len() > 1).then(tied)
    }
}

impl Counted for Tally {
    fn counts(&self) -> impl Iterator<Item = (usize, u32)> {
        self.counts.into_iter().enumerate()
    }
}
