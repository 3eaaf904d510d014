//! Finds dialogs with the same id across all dialogs of a corpus.
//!
//! It compares ids and hashes of texts; the caller reads the dialogs.

use std::collections::{HashMap, HashSet};

use twox_hash::XxHash3_64;

use super::{Diagnostic, Findings, Location, Selection, Severity, named};
use crate::dialog::Dialog;

/// The facts about a dialog that this module needs.
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
}

/// Finds dialogs with the id of an earlier one. Returns the position of each in `all`, which is iterated
/// twice, with the problem. `name` returns the name of a file.
pub fn duplicates<'k>(
    all: impl Iterator<Item = KnownDialog<'k>> + Clone,
    name: impl Fn(usize) -> String,
    selection: &Selection,
) -> Vec<(usize, Diagnostic)> {
    let rule = named("duplicate-dialog-id");
    let Some((rule, severity)) = rule.and_then(|rule| Some((rule, selection.level(rule)?))) else {
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
        Findings::new(rule, severity, &mut problem).add(Location::default(), message);
        found.extend(problem.pop().map(|problem| (place, problem)));
    }
    found
}

/// A hash that is equal for dialogs with a duplicate id.
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
