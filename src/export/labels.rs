//! Exports a detector's labels for each judged turn, in the format of submissions to the challenge.
//!
//! The challenge's evaluation script reads them, in order, from `ID.labels.json`.

use serde::Serialize;

use crate::dialog::{Breakdown, Dialog, Turn};
use crate::json::output;

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "dialogue-id")]
    id: &'a str,
    turns: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    #[serde(rename = "turn-index")]
    index: u32,
    labels: Vec<Label>,
}

#[derive(Serialize)]
struct Label {
    breakdown: Breakdown,
    #[serde(rename = "prob-O")]
    o: f64,
    #[serde(rename = "prob-T")]
    t: f64,
    #[serde(rename = "prob-X")]
    x: f64,
}

/// The name on the command line.
pub const NAME: &str = "labels";

/// A description of the output, in one line.
pub const WRITES: &str = "votes as a detector's output, one file for each dialog, as read by the challenge's evaluation script";

/// The ending of the file name, after the dialog's id.
pub const ENDING: &str = ".labels.json";

/// Why a dialog cannot be exported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    #[error("its turns have no detector labels")]
    Labels,
    #[error("turn {turn} has no {what}")]
    InTurn { turn: usize, what: &'static str },
}

/// Returns the text of the file for one dialog.
///
/// # Errors
/// If the dialog lacks required data.
pub fn text(dialog: &Dialog) -> Result<String, ExportError> {
    let labelled = dialog.turns.iter().enumerate();
    let labelled = labelled.filter(|(_, turn)| !turn.detections.is_empty());
    let turns: Vec<_> = labelled.map(|(i, turn)| entry(i, turn)).collect::<Result<_, _>>()?;
    if turns.is_empty() {
        return Err(ExportError::Labels);
    }
    let file = File { id: &dialog.id, turns };
    // Cannot fail: there are only strings and finite numbers.
    let text = output::to_string_pretty(&file).map_err(|_| ExportError::Labels)?;
    Ok(text + "\n")
}

fn entry(position: usize, turn: &Turn) -> Result<Entry, ExportError> {
    let lacking = |what| ExportError::InTurn { turn: position, what };
    let label = |detection: &crate::dialog::Detection| {
        let probability = |breakdown: Breakdown| {
            let found = detection.probabilities[breakdown as usize];
            found.ok_or(lacking("probabilities"))
        };
        Ok(Label {
            breakdown: detection.breakdown.ok_or(lacking("label O, T or X"))?,
            o: probability(Breakdown::O)?,
            t: probability(Breakdown::T)?,
            x: probability(Breakdown::X)?,
        })
    };
    Ok(Entry {
        index: turn.index.ok_or(lacking("index"))?,
        labels: turn.detections.iter().map(label).collect::<Result<_, _>>()?,
    })
}
