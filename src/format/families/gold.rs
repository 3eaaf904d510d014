//! Gold labels: what an adjudicator decided, in the form of a breakdown detector's output, so that `score`
//! and the challenge's evaluation script read them.
//!
//! The probability of the label is 1. A label may have a reason, under `comment`. Only turns that the
//! adjudicator decided are listed.

use serde::Serialize;

use crate::dialog::{Breakdown, Detection, Turn};
use crate::format::engine::compare::{Change, Changes};
use crate::format::engine::edit::EditedDialog;
use crate::format::engine::values::{object_at, set};
use crate::json::{Editor, NewValue, Splice, output};

/// The ending of the name of a file with the labels of a dialog.
pub const LABELS_END: &str = ".labels.json";
/// The folder of gold labels beside the logs.
pub const GOLD_FOLDER: &str = "gold";
/// A member that tells gold labels from an empty log if there are none.
pub const MARK: &str = "gold";
/// The reason for a label.
pub const COMMENT: &str = "comment";

#[derive(Serialize)]
struct File<'d> {
    #[serde(rename = "dialogue-id")]
    id: &'d str,
    gold: bool,
    turns: [(); 0],
}

/// Returns the text of a file of gold labels of the dialog `id`, without any label.
pub fn gold_text(id: &str) -> String {
    let file = File { id, gold: true, turns: [] };
    // Cannot fail: strings are written to memory.
    output::to_string_pretty(&file).unwrap_or_default() + "\n"
}

/// Returns the splices that make a file of labels, which was read as the dialog before it was `edited`, one of the dialog
/// after that.
pub fn write(editor: &Editor<'_>, edited: &EditedDialog<'_>) -> Vec<Splice> {
    let Some(turns) = editor.tree().root().get("turns") else {
        return Vec::new();
    };
    let changes = Changes::of(&edited.before.turns, &edited.after.turns, |turn| turn.at);
    let mut splices = Vec::new();
    for Change { old, new } in changes.stay.into_iter().filter(|turn| turn.old != turn.new) {
        splices.extend(change(editor, old, new).unwrap_or_default());
    }
    splices.extend(changes.gone.iter().filter_map(|old| editor.remove_at(turns, old.at.start)));
    for (place, new) in changes.new {
        let next = edited.after.turns[place..].iter().find(|turn| turn.at.is_placed());
        let is_next = |turn: &Turn| next.is_some_and(|next| next.at.start == turn.at.start);
        let next = edited.before.turns.iter().position(is_next).unwrap_or(usize::MAX);
        splices.push(editor.insert(turns, next, &[new_turn(new)], None));
    }
    splices
}

/// Changes the label of a turn, if it has one of the expected form.
fn change(editor: &Editor<'_>, before: &Turn, after: &Turn) -> Option<Vec<Splice>> {
    let new = after.detections.first()?;
    let turn = object_at(editor, before.at)?;
    let [old] = before.detections.as_slice() else {
        // Several guesses of a detector become one label.
        let labels = turn.get("labels")?;
        return Some(vec![editor.replace(labels, &NewValue::Array(vec![new_label(new)]))]);
    };
    let label = object_at(editor, old.at)?;
    let mut changed = Vec::new();
    if old.breakdown != new.breakdown {
        changed.push(("breakdown", letter(new)));
    }
    for (key, (was, is)) in KEYS.iter().zip(old.probabilities.iter().zip(new.probabilities)) {
        if *was != is {
            changed.push((*key, certainty(is)));
        }
    }
    if old.comment != new.comment {
        changed.push((COMMENT, NewValue::String(new.comment.to_string())));
    }
    let changed = changed.iter();
    Some(changed.map(|(key, value)| set(editor, label, key, value)).collect())
}

const KEYS: [&str; 3] = ["prob-O", "prob-T", "prob-X"];

fn letter(label: &Detection) -> NewValue {
    NewValue::String(label.breakdown.map_or("", Breakdown::letter).to_owned())
}

/// Returns a probability as it is written: a gold label is certain.
fn certainty(of: Option<f64>) -> NewValue {
    let certain = of.unwrap_or_default() > 0.5;
    NewValue::Raw(if certain { "1.0" } else { "0.0" }.to_owned())
}

fn new_turn(turn: &Turn) -> NewValue {
    let labels = turn.detections.iter().map(new_label).collect();
    NewValue::Object(vec![
        ("turn-index".to_owned(), NewValue::Integer(turn.index.unwrap_or_default().into())),
        ("labels".to_owned(), NewValue::Array(labels)),
    ])
}

fn new_label(label: &Detection) -> NewValue {
    let mut members = vec![("breakdown".to_owned(), letter(label))];
    for (key, probability) in KEYS.into_iter().zip(label.probabilities) {
        members.push((key.to_owned(), certainty(probability)));
    }
    if !label.comment.is_empty() {
        members.push((COMMENT.to_owned(), NewValue::String(label.comment.to_string())));
    }
    NewValue::Object(members)
}
