//! Gold labels: an adjudicator's label of each turn, in a file of labels.
//!
//! The file lists only the turns that have a label, so an edit names a turn by its index in the dialog and
//! not by its position in the file.

use super::edit::Edit;
use super::error::EditError;
use super::model::{Breakdown, Detection, Dialog, Role, Short, Speaker, Turn};

/// The context of a turn without a gold label.
pub const NO_LABEL: &str = "no gold label";

/// Returns the position of the labels of turn `index`, or the position at which to insert them.
///
/// # Errors
/// If the file has no labels of that turn.
pub fn position(index: usize, labels: &Dialog) -> Result<usize, usize> {
    let number = |turn: &Turn| turn.index.map(|number| number as usize);
    let found = labels.turns.iter().position(|t| number(t) == Some(index));
    let behind = || labels.turns.iter().position(|t| number(t) > Some(index));
    found.ok_or_else(|| behind().unwrap_or(labels.turns.len()))
}

/// Returns the gold label of turn `index` as text, to notice that another program changed it.
pub fn context(index: usize, labels: &Dialog) -> String {
    let label = position(index, labels).ok();
    let label = label.and_then(|position| labels.turns[position].detections.first());
    match label {
        Some(label) => {
            let letter = label.breakdown.map_or("?", Breakdown::letter);
            format!("{letter} {:?}", label.comment)
        }
        None => NO_LABEL.to_owned(),
    }
}

/// Applies an edit of a gold label.
///
/// # Errors
/// If there is no label to remove.
pub fn apply(edit: &Edit, labels: &mut Dialog) -> Result<(), EditError> {
    let index = edit.turn();
    match (edit, position(index, labels)) {
        (Edit::SetGold { breakdown, comment, .. }, place) => {
            let place = place.unwrap_or_else(|place| {
                let speaker = Speaker { role: Role::System, name: Short::default() };
                let turn = Turn { speaker, index: u32::try_from(index).ok(), ..Turn::default() };
                labels.turns.insert(place, turn);
                place
            });
            let detections = &mut labels.turns[place].detections;
            let old = detections.first().map(|label| label.comment.clone());
            let comment = comment.as_deref().map(Short::from);
            let certain = |label: Breakdown| Some(f64::from(u8::from(label == *breakdown)));
            *detections = vec![Detection {
                breakdown: Some(*breakdown),
                probabilities: Breakdown::ALL.map(certain),
                comment: comment.or(old).unwrap_or_default(),
                ..Detection::default()
            }];
            Ok(())
        }
        (Edit::RemoveGold { .. }, Ok(place)) => {
            labels.turns.remove(place);
            Ok(())
        }
        _ => Err(EditError::NoGold { turn: index }),
    }
}
