//! How well a detector's labels match the votes, as the challenge's evaluation script computes it.
//!
//! The right label of a turn is the majority of its votes, and the right probabilities are their shares.
//! The measures are those of the Dialogue Breakdown Detection Challenge: accuracy; precision, recall and
//! F-measure of X, and of T and X as one label; Jensen-Shannon divergence (base 2) and mean squared error
//! of the probabilities, in three groupings.
//!
//! # Why
//! The script pairs the judged turns of a log with the labels by order and ignores their indices. By
//! default this module does the same, to compute the same figures, and reports turns whose indices
//! differ.

use std::collections::HashMap;

use super::measure::{HitCounts, LabelGrouping, jensen_shannon, squared_error};
use super::scored_turns::ScoredTurn;
use super::tally::LenientLabel;
use super::undefined::{Statistic, UndefinedReason, ratio};
use crate::dialog::{Breakdown, Detection, Dialog, Turn};
use crate::text::counted;

/// How to pair labels with turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairing {
    /// By order, as in the challenge's script: the first label belongs to the first judged turn, and so
    /// on.
    #[default]
    Order,
    /// By the index of the turn.
    Number,
}

/// The labels that precision and recall are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetLabels {
    X,
    /// T and X, by the lenient majority.
    Tx,
}

/// The score of a detector's labels over any number of dialogs.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    threshold: f64,
    pairing: Pairing,
    turns: u64,
    correct: u64,
    /// Numbers of turns by the detector's label and the majority label (both O, T, X).
    strict: [[u64; 3]; 3],
    /// Numbers of turns by the detector's label (O, T, X) and the lenient majority label (O, T+X).
    lenient: [[u64; 2]; 3],
    /// Sums over the turns for the three groupings.
    divergence: [f64; 3],
    squared_error: [f64; 3],
}

/// A label whose index is not that of the turn it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnMismatch {
    /// The index of the turn in the log.
    pub turn: u32,
    /// The index of the label.
    pub label: u32,
}

/// Why a dialog has no score.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScoreError {
    #[error("no vote on turn {turn} is O, T or X")]
    NoVotes { turn: usize },
    #[error("{} judged, but only {labels} labelled", counted(.judged, "turn"))]
    TooFew { labels: usize, judged: usize },
    #[error("turn {turn} has no label")]
    NoLabel { turn: usize },
    #[error("turn {turn}: the `prob-{}` of its label should be a number of at least 0", .breakdown.letter())]
    NoProbability { turn: usize, breakdown: Breakdown },
}

impl Score {
    /// Returns an empty score. `threshold` is the share of votes that a majority needs, from 0 to 1.
    pub fn new(threshold: f64, pairing: Pairing) -> Self {
        Self {
            threshold,
            pairing,
            turns: 0,
            correct: 0,
            strict: [[0; 3]; 3],
            lenient: [[0; 2]; 3],
            divergence: [0.0; 3],
            squared_error: [0.0; 3],
        }
    }

    /// Adds the judged turns of a dialog and a detector's labels for them. Returns the labels whose index
    /// differs from that of their turn.
    ///
    /// # Errors
    /// If a turn cannot be compared. Then nothing is added.
    pub fn add(
        &mut self,
        turns: &[ScoredTurn],
        labels: &Dialog,
    ) -> Result<Vec<TurnMismatch>, ScoreError> {
        // Of several labels with one index, the first counts.
        let indexed = labels.turns.iter().rev();
        let indexed = indexed.filter_map(|label| Some((label.index?, label)));
        let indexed: HashMap<u32, &Turn> = indexed.collect();
        let mut compared = Vec::with_capacity(turns.len());
        for (place, turn) in turns.iter().enumerate() {
            let (label, missing) = match self.pairing {
                Pairing::Order => {
                    let few =
                        ScoreError::TooFew { labels: labels.turns.len(), judged: turns.len() };
                    (labels.turns.get(place), few)
                }
                Pairing::Number => {
                    let label = turn.index.and_then(|index| indexed.get(&index).copied());
                    (label, ScoreError::NoLabel { turn: turn.turn })
                }
            };
            compared.push(compare(turn, label.ok_or(missing))?);
        }
        let mut crossed = Vec::new();
        for (turn, label, probabilities) in compared {
            self.add_turn(turn, label, probabilities);
            if let (Some(turn), Some(label)) = (turn.index, label.index)
                && turn != label
            {
                crossed.push(TurnMismatch { turn, label });
            }
        }
        Ok(crossed)
    }

    fn add_turn(&mut self, turn: &ScoredTurn, label: &Turn, probabilities: [f64; 3]) {
        let (Some(strict), Some(lenient), Some(shares)) = (
            turn.tally.strict(self.threshold),
            turn.tally.lenient(self.threshold),
            turn.tally.shares(),
        ) else {
            return;
        };
        self.turns += 1;
        // A label other than O, T and X is wrong, and counts nowhere else.
        if let Some(given) = label.detections.first().and_then(|d| d.breakdown) {
            self.correct += u64::from(given == strict);
            self.strict[given as usize][strict as usize] += 1;
            let lenient = usize::from(lenient == LenientLabel::Breakdown);
            self.lenient[given as usize][lenient] += 1;
        }
        for grouping in LabelGrouping::ALL {
            let (votes, given) = (grouping.of(shares), grouping.of(probabilities));
            self.divergence[grouping as usize] += jensen_shannon(&votes, &given);
            self.squared_error[grouping as usize] += squared_error(&votes, &given);
        }
    }

    /// Returns the number of compared turns.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Numbers of turns with the majority labels O, T and X, among those with a valid detector label.
    pub fn labels(&self) -> [u64; 3] {
        [0, 1, 2].map(|label| self.strict.iter().map(|row| row[label]).sum())
    }

    /// Returns the number of turns to which the detector gave the majority label.
    pub fn correct(&self) -> u64 {
        self.correct
    }

    /// Returns the share of turns to which the detector gave the majority label.
    ///
    /// # Errors
    /// If there are no turns.
    pub fn accuracy(&self) -> Statistic {
        self.mean(self.correct as f64)
    }

    /// How often the detector found the labels `sought`.
    pub fn found(&self, sought: TargetLabels) -> HitCounts {
        let sum = |turns: &[u64]| turns.iter().sum();
        match sought {
            TargetLabels::X => HitCounts {
                hits: self.strict[2][2],
                detected: sum(&self.strict[2]),
                there: self.labels()[2],
            },
            TargetLabels::Tx => {
                let column = |label: usize| self.lenient.iter().map(move |row| row[label]);
                HitCounts {
                    hits: column(1).skip(1).sum(),
                    detected: self.lenient[1..].iter().map(|row| sum(row)).sum::<u64>(),
                    there: column(1).sum(),
                }
            }
        }
    }

    /// Mean Jensen-Shannon divergence between the probabilities and the shares of the votes, in bits.
    ///
    /// # Errors
    /// If there are no turns.
    pub fn divergence(&self, grouping: LabelGrouping) -> Statistic {
        self.mean(self.divergence[grouping as usize])
    }

    /// Mean squared error of the probabilities, averaged over the labels and then over the turns.
    ///
    /// # Errors
    /// If there are no turns.
    pub fn squared_error(&self, grouping: LabelGrouping) -> Statistic {
        self.mean(self.squared_error[grouping as usize])
    }

    fn mean(&self, sum: f64) -> Statistic {
        ratio(sum, self.turns, UndefinedReason::NoTurns)
    }
}

/// Pairs a judged turn with its label and that label's probabilities.
fn compare<'a>(
    turn: &'a ScoredTurn,
    label: Result<&'a Turn, ScoreError>,
) -> Result<(&'a ScoredTurn, &'a Turn, [f64; 3]), ScoreError> {
    if turn.tally.total() == 0 {
        return Err(ScoreError::NoVotes { turn: turn.turn });
    }
    let label = label?;
    let detection = label.detections.first();
    let detection = detection.ok_or(ScoreError::NoLabel { turn: turn.turn })?;
    let probabilities = probabilities(detection, turn.turn)?;
    Ok((turn, label, probabilities))
}

/// Returns the three probabilities of a label. They must not be negative, because of the logarithm.
fn probabilities(detection: &Detection, turn: usize) -> Result<[f64; 3], ScoreError> {
    let mut probabilities = [0.0; 3];
    for breakdown in Breakdown::ALL {
        let found = detection.probabilities[breakdown as usize];
        let usable = found.filter(|probability| *probability >= 0.0);
        probabilities[breakdown as usize] =
            usable.ok_or(ScoreError::NoProbability { turn, breakdown })?;
    }
    Ok(probabilities)
}
