//! Two dialogs have the same id.
//!
//! Annotations, splits and reports refer to dialogs by id. If two dialogs share an id, a join by id
//! mixes them up, and a dialog may end up in both the training data and the test data. The usual
//! cause is a file that was copied or appended to itself.
//!
//! Some dialogs share an id on purpose and are not reported: a breakdown log and the `.labels.json`
//! file next to it, or a dialog of a corpus without votes and the log that holds the votes on it.
//! Two logs with the same id are reported. If the other dialog is in another file and has the same
//! text, it is only a note, because samples, splits and later releases contain copies. The ids of chats
//! with tool calls often number the tasks of a test, so in other files they are not compared.
//!
//! There is no fix, because only a person can decide which dialog to remove or rename.
//!
//! ```json bad
//! [{"conversation_id": "d", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "two for Dune"}]},
//!  {"conversation_id": "d", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "a table for four"}]}]
//! ```
//!
//! ```json good
//! [{"conversation_id": "d", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "two for Dune"}]},
//!  {"conversation_id": "e", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "a table for four"}]}]
//! ```

use std::collections::{HashMap, HashSet};

use twox_hash::XxHash3_64;

use crate::dialog::Dialog;
use crate::lint::engine::{Check, Diagnostic, Findings, Rule, Selection, Severity};
use crate::lint::facts::Location;

pub static RULE: Rule = Rule {
    name: "duplicate-dialog-id",
    severity: Severity::Error,
    on: true,
    source: include_str!("duplicate_dialog_id.rs"),
    check: Check::Corpus,
};

/// The facts about a dialog that this rule needs.
#[derive(Clone, Copy, Debug)]
pub struct KnownDialog<'k> {
    /// A number that identifies its file.
    pub file: usize,
    /// Its position in the file.
    pub dialog: usize,
    /// Not empty.
    pub id: &'k str,
    /// See [`text_hash`].
    pub text_hash: u64,
    /// True if its family holds votes. A log may share its id with the dialog of a corpus without votes.
    pub votes: bool,
    /// True if ids of its family name dialogs of one file, such as the tasks that several agents were given.
    pub local: bool,
}

/// Finds dialogs with the id of an earlier one; the caller reads the dialogs. Returns the position of each
/// in `all`, which is iterated twice, with the problem. `name` returns the name of a file.
pub fn duplicates<'k>(
    all: impl Iterator<Item = KnownDialog<'k>> + Clone,
    name: impl Fn(usize) -> String,
    selection: &Selection,
) -> Vec<(usize, Diagnostic)> {
    let Some(severity) = selection.level(&RULE) else {
        return Vec::new();
    };
    // Hardly any of millions of ids occur twice, so only those that do are kept.
    let twice = repeated(all.clone().map(|known| hash(&known)));
    let mut seen: HashMap<(&str, bool), KnownDialog<'k>> = HashMap::new();
    let mut found = Vec::new();
    let twice = all
        .enumerate()
        .filter(|(_, known)| twice.contains(&hash(known)));
    for (place, again) in twice {
        let Some(first) = seen.get(&(again.id, again.votes)) else {
            seen.insert((again.id, again.votes), again);
            continue;
        };
        let (number, id) = (first.dialog, again.id);
        let elsewhere = first.file != again.file;
        // Samples, splits and new releases contain copies on purpose.
        let copy = elsewhere && first.text_hash == again.text_hash;
        if elsewhere && !copy && first.local && again.local {
            continue;
        }
        let message = match (elsewhere, copy) {
            (false, _) => format!("dialog {number} also has the id \"{id}\""),
            (true, false) => {
                let file = name(first.file);
                format!("dialog {number} of {file} also has the id \"{id}\"")
            }
            (true, true) => {
                let file = name(first.file);
                format!("dialog {number} of {file} has the same id \"{id}\" and the same text")
            }
        };
        let severity = if copy {
            severity.min(Severity::Note)
        } else {
            severity
        };
        let mut problem = Vec::new();
        Findings::new(&RULE, severity, &mut problem).add(Location::default(), message);
        found.extend(problem.pop().map(|problem| (place, problem)));
    }
    found
}

/// A hash of the id, and of whether the family holds votes: duplicates have equal hashes.
fn hash(known: &KnownDialog<'_>) -> u64 {
    XxHash3_64::oneshot_with_seed(known.votes.into(), known.id.as_bytes())
}

/// The hashes that occur more than once.
fn repeated(hashes: impl Iterator<Item = u64>) -> HashSet<u64> {
    let mut hashes: Vec<u64> = hashes.collect();
    hashes.sort_unstable();
    let pairs = hashes.windows(2).filter(|pair| pair[0] == pair[1]);
    pairs.map(|pair| pair[0]).collect()
}

/// A hash of the texts of a dialog, turn by turn.
pub fn text_hash(dialog: &Dialog) -> u64 {
    let turns = dialog.turns.iter();
    turns.fold(0, |all: u64, turn| {
        all.rotate_left(5) ^ XxHash3_64::oneshot(turn.text.as_bytes())
    })
}
