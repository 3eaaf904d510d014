//! Turns votes into the output of a detector: a label and probabilities for each judged turn.
//!
//! This makes it possible to score one annotator, or all together, like a detector, as a baseline for
//! others.

use super::scored_turns::{ScoredTurn, judged, labels_by};
use super::tally::Tally;
use crate::dialog::{Breakdown, Detection, Dialog, Turn};

/// Whose votes become labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VoteSource {
    /// The votes of all annotators: the majority, and the shares of the labels.
    Crowd,
    /// The votes of one annotator, each with probability 1.
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

/// Returns a dialog with nothing but a label for each judged turn of `dialog`. The label of the crowd is
/// the majority with `threshold`.
///
/// # Errors
/// If a judged turn would have no label.
pub fn verdicts(
    dialog: &Dialog,
    whose: &VoteSource,
    threshold: f64,
) -> Result<Dialog, VerdictError> {
    let turns = ScoredTurn::of(dialog);
    if turns.is_empty() {
        return Err(VerdictError::NotJudged);
    }
    if let Some(judged) = turns.iter().find(|judged| judged.tally.total() == 0) {
        return Err(VerdictError::NoVotes { turn: judged.turn });
    }
    let tallies: Vec<_> = match whose {
        VoteSource::Crowd => turns.iter().map(|judged| judged.tally).collect(),
        VoteSource::Annotator(annotator) => own(dialog, annotator)?,
    };
    let mut labels = Dialog::new(dialog.units);
    labels.id.clone_from(&dialog.id);
    labels.turns = turns
        .iter()
        .zip(tallies)
        .map(|(judged, tally)| Turn {
            index: judged.index.or(u32::try_from(judged.turn).ok()),
            detections: vec![Detection {
                breakdown: tally.strict(threshold),
                probabilities: Breakdown::ALL.map(|breakdown| tally.share(breakdown)),
                ..Detection::default()
            }],
            ..Turn::default()
        })
        .collect();
    Ok(labels)
}

/// Returns the votes of `annotator`, exactly one on each judged turn.
fn own(dialog: &Dialog, annotator: &str) -> Result<Vec<Tally>, VerdictError> {
    let id = || annotator.to_owned();
    let (mut tallies, mut missing) = (Vec::new(), Vec::new());
    for (turn, judged) in judged(dialog) {
        match labels_by(annotator, judged).as_slice() {
            [] => missing.push(turn),
            [one] => tallies.push(Tally::one(*one)),
            _ => {
                return Err(VerdictError::Several { annotator: id(), turn });
            }
        }
    }
    match (tallies.len(), missing.len()) {
        (_, 0) => Ok(tallies),
        (0, _) => Err(VerdictError::Absent { annotator: id() }),
        _ => Err(VerdictError::Missing { annotator: id(), turns: missing }),
    }
}
