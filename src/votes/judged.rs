//! The turns that count for a detector.
//!
//! The challenge's evaluation script passes over users' turns and over turns that nobody has judged:
//! some systems say something first, and no vote was asked for.

use super::queue::is_judgeable;
use super::tally::Tally;
use crate::dialog::{Breakdown, Dialog, Turn};

/// A judged turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// 0-based position in its dialog.
    pub turn: usize,
    /// The number that the log gives it.
    pub index: Option<u32>,
    pub tally: Tally,
}

/// The judged turns of a dialog, with their positions.
pub fn judged(dialog: &Dialog) -> impl Iterator<Item = (usize, &Turn)> {
    let turns = dialog.turns.iter().enumerate();
    turns.filter(|(_, turn)| is_judgeable(turn) && !turn.votes.is_empty())
}

/// The labels that an annotator has given a turn: one, unless something is wrong.
pub(super) fn labels_by(annotator: &str, turn: &Turn) -> Vec<Breakdown> {
    let own = turn.votes.iter().filter(|vote| vote.annotator == annotator);
    own.filter_map(|vote| vote.breakdown).collect()
}

impl Judged {
    /// The judged turns of `dialog`, in their order.
    pub fn of(dialog: &Dialog) -> Vec<Self> {
        let one = |(position, turn): (usize, &Turn)| Self {
            turn: position,
            index: turn.index,
            tally: Tally::of(&turn.votes),
        };
        judged(dialog).map(one).collect()
    }
}
