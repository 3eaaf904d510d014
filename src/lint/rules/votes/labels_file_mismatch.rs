//! A detector's output does not match the log next to it.
//!
//! The output is for another dialog, labels a turn that the log does not have or that is a user
//! turn, or leaves out a turn that annotators judged. Every figure computed from the two files is
//! then wrong.
//!
//! Most often the files of two runs were mixed up, or the log was cut after the detector had read
//! it. The rule compares which turns are labelled, not how: a detector may be wrong.
//!
//! In this folder, `talk_7.labels.json` has a label for the user's turn and none for the turn that
//! was judged:
//!
//! ```json bad talk_7.log.json
//! {"dialogue-id": "talk_7", "turns": [
//!   {"turn-index": 0, "speaker": "U", "utterance": "Hi.", "annotations": []},
//!   {"turn-index": 1, "speaker": "S", "utterance": "Monday.",
//!    "annotations": [{"annotator-id": "a", "breakdown": "X"}]}]}
//! ```
//!
//! ```json bad talk_7.labels.json
//! {"dialogue-id": "talk_7", "turns": [{"turn-index": 0, "labels": [
//!   {"breakdown": "X", "prob-O": 0.1, "prob-T": 0.2, "prob-X": 0.7}]}]}
//! ```
//!
//! Here the two files match:
//!
//! ```json good talk_7.log.json
//! {"dialogue-id": "talk_7", "turns": [
//!   {"turn-index": 0, "speaker": "U", "utterance": "Hi.", "annotations": []},
//!   {"turn-index": 1, "speaker": "S", "utterance": "Monday.",
//!    "annotations": [{"annotator-id": "a", "breakdown": "X"}]}]}
//! ```
//!
//! ```json good talk_7.labels.json
//! {"dialogue-id": "talk_7", "turns": [{"turn-index": 1, "labels": [
//!   {"breakdown": "X", "prob-O": 0.1, "prob-T": 0.2, "prob-X": 0.7}]}]}
//! ```

use crate::dialog::{Dialog, Role, Turn};
use crate::lint::engine::{Check, Diagnostic, Findings, Rule, Selection, Severity};
use crate::lint::facts::Location;

pub static RULE: Rule = Rule {
    name: "labels-file-mismatch",
    severity: Severity::Warning,
    on: true,
    source: include_str!("labels_file_mismatch.rs"),
    check: Check::Corpus,
};

/// Checks a log against the labels next to it, if the rule is selected. The locations are in `labels`.
pub fn labels_file(log: &Dialog, labels: &Dialog, selection: &Selection) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    let Some(level) = selection.level(&RULE) else {
        return all;
    };
    let mut found = Findings::new(&RULE, level, &mut all);
    let whole = Location { at: labels.at, ..Location::default() };
    if log.id != labels.id {
        let message = format!(
            "the labels are for dialog {}, but the log next to them is for {}",
            labels.id, log.id
        );
        found.add(whole, message);
        return all;
    }
    for (number, turn) in labels.turns.iter().enumerate() {
        let location = Location { turn: Some(number), segment: None, at: turn.at };
        let Some(index) = turn.index else {
            continue;
        };
        match with_index(log, index) {
            None => {
                found.add(location, format!("the log has no turn {index}"));
            }
            Some(said) if said.speaker.role == Role::User => {
                found.add(location, format!("turn {index} is a user turn"));
            }
            Some(_) => {}
        }
    }
    for turn in log.turns.iter().filter(|turn| !turn.votes.is_empty()) {
        let index = turn.index.filter(|_| turn.speaker.role != Role::User);
        if let Some(index) = index.filter(|index| with_index(labels, *index).is_none()) {
            found.add(whole, format!("turn {index} was judged, but has no label"));
        }
    }
    all
}

fn with_index(dialog: &Dialog, index: u32) -> Option<&Turn> {
    dialog.turns.iter().find(|turn| turn.index == Some(index))
}
