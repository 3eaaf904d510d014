//! Finds the turns on which detectors are scored.
//!
//! The challenge's evaluation script skips user turns and turns without votes: in some logs, the system
//! opens the dialog with a turn that nobody was asked to judge.

use super::tally::Tally;
use crate::dialog::{Dialog, Turn};

/// A judged turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredTurn {
    /// 0-based position in its dialog.
    pub turn: usize,
    /// Its `turn-index` in the log.
    pub index: Option<u32>,
    pub tally: Tally,
}

/// Returns the judged turns of a dialog, with their positions.
pub fn judged(dialog: &Dialog) -> impl Iterator<Item = (usize, &Turn)> {
    let turns = dialog.turns.iter().enumerate();
    turns.filter(|(_, turn)| turn.is_judgeable() && !turn.votes.is_empty())
}

impl ScoredTurn {
    /// Returns the judged turns of `dialog`, in order.
    pub fn of(dialog: &Dialog) -> Vec<Self> {
        let one = |(position, turn): (usize, &Turn)| Self {
            turn: position,
            index: turn.index,
            tally: Tally::of(&turn.votes),
        };
        judged(dialog).map(one).collect()
    }
}
