//! A detector's output does not fit the log it stands beside.
//!
//! It is of another dialog, labels a turn that the log does not have or that the user says, or leaves
//! out a turn that annotators have judged. Every figure computed from the two is wrong then.
//!
//! Most often the files of two runs were mixed up, or a log was cut after the detector had seen it.
//! What it is about is which turns are labelled, not how: a detector may be wrong.
//!
//! Two files side by side, `talk_7.log.json` and `talk_7.labels.json`; here the detector has labelled
//! the user's turn and left out the one that was judged:
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
//! Here the two fit:
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
use crate::lint::{Diagnostic, Findings, Look, Rule, Selection, Severity, Spot};

pub static RULE: Rule = Rule {
    name: "labels-file-mismatch",
    severity: Severity::Warning,
    on: true,
    source: include_str!("labels_file_mismatch.rs"),
    look: Look::Corpus,
};

/// What does not fit between a log and the labels beside it, if `selection` looks for it. Spots are
/// those of `labels`.
pub fn labels_file(log: &Dialog, labels: &Dialog, selection: &Selection) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    let Some(level) = selection.level(&RULE) else {
        return all;
    };
    let mut found = Findings::new(&RULE, level, &mut all);
    let whole = Spot {
        at: labels.at,
        ..Spot::default()
    };
    if log.id != labels.id {
        let message = format!(
            "these are labels of {}, beside a log of {}",
            labels.id, log.id
        );
        found.add(whole, message);
        return all;
    }
    for (number, turn) in labels.turns.iter().enumerate() {
        let spot = Spot {
            turn: Some(number),
            segment: None,
            at: turn.at,
        };
        let Some(index) = turn.index else {
            continue;
        };
        match with_index(log, index) {
            None => {
                found.add(spot, format!("the log has no turn {index}"));
            }
            Some(said) if said.speaker.role == Role::User => {
                found.add(spot, format!("turn {index} is what the user says"));
            }
            Some(_) => {}
        }
    }
    for turn in log.turns.iter().filter(|turn| !turn.votes.is_empty()) {
        let index = turn.index.filter(|_| turn.speaker.role != Role::User);
        if let Some(index) = index.filter(|index| with_index(labels, *index).is_none()) {
            found.add(whole, format!("turn {index} was judged and has no label"));
        }
    }
    all
}

fn with_index(dialog: &Dialog, index: u32) -> Option<&Turn> {
    dialog.turns.iter().find(|turn| turn.index == Some(index))
}
