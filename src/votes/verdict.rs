//! Turns votes into the output of a detector: a label and probabilities for each judged turn.
//!
//! This makes it possible to score one annotator, or all together, like a detector, as a baseline for
//! others.

use super::scored_turns::judged;
use super::tally::Tally;
use crate::dialog::{Breakdown, Dialog, GOLD, Turn};

/// Whose votes become labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum VoteSource {
    /// The votes of all annotators: the majority, and the shares of the labels.
    #[default]
    Crowd,
    /// The votes of one annotator, each with probability 1; for `gold`, the labels of the adjudicator.
    Annotator(String),
}

/// Why the votes of a dialog cannot become labels, one for each judged turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerdictError {
    #[error("no turn was judged")]
    NotJudged,
    #[error("{annotator:?} judged no turn")]
    Absent { annotator: String },
    #[error("{annotator:?} has no vote on {}, which others judged", listed(.turns))]
    Missing { annotator: String, turns: Vec<usize> },
    #[error("{annotator:?} has several votes on turn {turn}, and it is unclear which one counts")]
    Several { annotator: String, turn: usize },
    #[error("no vote on turn {turn} is O, T or X")]
    NoVotes { turn: usize },
}

fn listed(turns: &[usize]) -> String {
    let numbers: Vec<_> = turns.iter().map(usize::to_string).collect();
    let plural = if turns.len() == 1 { "" } else { "s" };
    format!("turn{plural} {}", numbers.join(", "))
}

/// The label of a judged turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The turn's `turn-index`, or its position.
    pub index: u32,
    pub label: Breakdown,
    /// The shares of O, T and X, each from 0 to 1.
    pub shares: [f64; 3],
}

/// Returns the labels of all judged turns of `dialog`. The label of the crowd is the majority with `threshold`.
///
/// # Errors
/// If there are no judged turns, or one would have no label.
pub fn verdicts(
    dialog: &Dialog,
    whose: &VoteSource,
    threshold: f64,
) -> Result<Vec<Verdict>, VerdictError> {
    let tallies = match whose {
        VoteSource::Crowd => {
            judged(dialog).map(|(position, turn)| (position, Tally::of(&turn.votes))).collect()
        }
        VoteSource::Annotator(annotator) => own(dialog, annotator)?,
    };
    if tallies.is_empty() {
        return Err(VerdictError::NotJudged);
    }
    let verdict = |(position, tally): (usize, Tally)| {
        let label = tally.strict(threshold).zip(tally.shares());
        let (label, shares) = label.ok_or(VerdictError::NoVotes { turn: position })?;
        Ok(Verdict { index: dialog.turns[position].number(position), label, shares })
    };
    tallies.into_iter().map(verdict).collect()
}

/// Returns the votes of `annotator`, exactly one on each judged turn, with their positions.
fn own(dialog: &Dialog, annotator: &str) -> Result<Vec<(usize, Tally)>, VerdictError> {
    let id = || annotator.to_owned();
    let (mut tallies, mut missing) = (Vec::new(), Vec::new());
    for (position, turn) in dialog.turns.iter().enumerate().filter(|(_, turn)| turn.is_judgeable())
    {
        match labels_by(annotator, turn).as_slice() {
            [] if turn.votes.is_empty() => {}
            [] if Tally::of(&turn.votes).total() == 0 => {
                return Err(VerdictError::NoVotes { turn: position });
            }
            [] => missing.push(position),
            [one] => tallies.push((position, Tally::one(*one))),
            _ => {
                return Err(VerdictError::Several { annotator: id(), turn: position });
            }
        }
    }
    match (tallies.len(), missing.len()) {
        (_, 0) => Ok(tallies),
        (0, _) => Err(VerdictError::Absent { annotator: id() }),
        _ => Err(VerdictError::Missing { annotator: id(), turns: missing }),
    }
}

/// Returns the labels that an annotator, or the adjudicator, gave a turn: one, unless the log is invalid.
fn labels_by(annotator: &str, turn: &Turn) -> Vec<Breakdown> {
    let own = turn.votes.iter().filter(|vote| vote.annotator == annotator);
    let gold = turn.gold.iter().filter(|_| annotator == GOLD);
    own.filter_map(|vote| vote.breakdown).chain(gold.filter_map(|label| label.breakdown)).collect()
}
