//! Gold labels: what an adjudicator decided, in the form of a breakdown detector's output, so that `score`
//! and the challenge's evaluation script read them.
//!
//! The probability of the label is 1. A label may have a reason, under `comment`. Only turns that the
//! adjudicator decided are listed.

use serde::Serialize;

use crate::dialog::{Breakdown, Detection, Edit, EditError, Turn, gold_position};
use crate::format::engine::edit::{EditedDialog, not_editable, object_of, set_text, value_of};
use crate::json::{Editor, NewValue, Splice, Value, output};

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

/// Returns the splices that write an edit of a gold label.
///
/// # Errors
/// If the labels of the turn do not have the expected form.
pub fn write(editor: &Editor<'_>, edited: &EditedDialog<'_>) -> Result<Vec<Splice>, EditError> {
    let index = edited.edit.turn();
    let turns = editor.tree().root().get("turns");
    let turns = turns.ok_or_else(|| not_editable("turns", &"there are none"))?;
    let place = gold_position(index, edited.before);
    let now = gold_position(index, edited.after).ok();
    let now = now.map(|place| &edited.after.turns[place]);
    Ok(match (edited.edit, place, now) {
        (Edit::SetGold { .. }, Ok(place), Some(now)) => {
            change(editor, &edited.before.turns[place], now)?
        }
        (Edit::SetGold { .. }, Err(place), Some(now)) => {
            vec![editor.insert(turns, place, &[new_turn(index, now)], None)]
        }
        (Edit::RemoveGold { .. }, Ok(place), _) => {
            let at = edited.before.turns[place].at;
            editor.remove_at(turns, at.start).into_iter().collect()
        }
        _ => Vec::new(),
    })
}

/// Changes the label of a turn that has one.
fn change(editor: &Editor<'_>, before: &Turn, after: &Turn) -> Result<Vec<Splice>, EditError> {
    let new = after.detections.first();
    let new = new.ok_or_else(|| not_editable("the label", &"it is not there"))?;
    let turn = object_of(editor, before.at, "the turn")?;
    let [old] = before.detections.as_slice() else {
        // Several guesses of a detector become one label.
        let labels =
            turn.get("labels").ok_or_else(|| not_editable("the labels", &"they are not there"))?;
        return Ok(vec![editor.replace(labels, &NewValue::Array(vec![new_label(new)]))]);
    };
    value_of(editor, old.at, "the label")?;
    let label = object_of(editor, old.at, "the label")?;
    let letter = new.breakdown.map_or("", Breakdown::letter);
    let mut splices = vec![set_text(editor, label, "breakdown", letter)];
    for ((_, key), (was, is)) in KEYS.iter().zip(old.probabilities.iter().zip(new.probabilities)) {
        if *was != is {
            splices.push(set_probability(editor, label, key, is));
        }
    }
    if old.comment != new.comment {
        splices.push(set_text(editor, label, COMMENT, &new.comment));
    }
    Ok(splices)
}

const KEYS: [(Breakdown, &str); 3] =
    [(Breakdown::O, "prob-O"), (Breakdown::T, "prob-T"), (Breakdown::X, "prob-X")];

fn set_probability<'a>(
    editor: &Editor<'a>,
    label: Value<'a>,
    key: &str,
    is: Option<f64>,
) -> Splice {
    let new = probability(is);
    match label.get(key) {
        Some(old) => editor.replace(old, &new),
        None => editor.add_member(label, key, &new, None),
    }
}

/// Returns a gold label is certain.
fn probability(of: Option<f64>) -> NewValue {
    let certain = of.unwrap_or_default() > 0.5;
    NewValue::Raw(if certain { "1.0" } else { "0.0" }.to_owned())
}

fn new_turn(index: usize, turn: &Turn) -> NewValue {
    let labels = turn.detections.iter().map(new_label).collect();
    NewValue::Object(vec![
        ("turn-index".to_owned(), NewValue::Integer(index as i64)),
        ("labels".to_owned(), NewValue::Array(labels)),
    ])
}

fn new_label(label: &Detection) -> NewValue {
    let text = |key: &str, text: &str| (key.to_owned(), NewValue::String(text.to_owned()));
    let letter = label.breakdown.map_or("", Breakdown::letter);
    let mut members = vec![text("breakdown", letter)];
    for (breakdown, key) in KEYS {
        let certain = probability(label.probabilities[breakdown as usize]);
        members.push((key.to_owned(), certain));
    }
    if !label.comment.is_empty() {
        members.push(text(COMMENT, &label.comment));
    }
    NewValue::Object(members)
}
