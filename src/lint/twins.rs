//! Ids that several dialogs have: what only all dialogs together show.
//!
//! Knows ids and hashes of what is said; who has read the dialogs, and where they are, is for others.

use std::collections::{HashMap, HashSet};

use twox_hash::XxHash3_64;

use super::{Diagnostic, Findings, Selection, Severity, Spot, named};
use crate::dialog::Dialog;

/// A dialog, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub struct Known<'k> {
    /// A number for its file.
    pub file: usize,
    /// Its position in the file.
    pub dialog: usize,
    /// Not empty.
    pub id: &'k str,
    /// See [`said`].
    pub said: u64,
    /// Its family holds votes: beside a corpus that holds none, its log has its id as it should.
    pub votes: bool,
}

/// Finds dialogs with the id of an earlier one: their places in `all`, which is gone through twice, and what
/// is wrong. `name` tells what a file is called.
pub fn twins<'k>(
    all: impl Iterator<Item = Known<'k>> + Clone,
    name: impl Fn(usize) -> String,
    selection: &Selection,
) -> Vec<(usize, Diagnostic)> {
    let rule = named("duplicate-dialog-id");
    let Some((rule, severity)) = rule.and_then(|rule| Some((rule, selection.level(rule)?))) else {
        return Vec::new();
    };
    // Of millions of ids hardly any occur twice: the others are not kept.
    let twice = repeated(all.clone().map(|known| hash(&known)));
    let mut seen: HashMap<(&str, bool), Known<'k>> = HashMap::new();
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
        // Samples, splits and new releases hold copies, and should.
        let copy = elsewhere && first.said == again.said;
        let message = match (elsewhere, copy) {
            (false, _) => format!("dialog {number} has the id \"{id}\" too"),
            (true, false) => {
                let file = name(first.file);
                format!("dialog {number} of {file} has the id \"{id}\" too")
            }
            (true, true) => {
                let file = name(first.file);
                format!("\"{id}\" is dialog {number} of {file} too, and says the same")
            }
        };
        let severity = if copy {
            severity.min(Severity::Info)
        } else {
            severity
        };
        let mut problem = Vec::new();
        Findings::new(rule, severity, &mut problem).add(Spot::default(), message);
        found.extend(problem.pop().map(|problem| (place, problem)));
    }
    found
}

/// A hash of what twins have in common.
fn hash(known: &Known<'_>) -> u64 {
    XxHash3_64::oneshot_with_seed(known.votes.into(), known.id.as_bytes())
}

/// What occurs more than once.
fn repeated(hashes: impl Iterator<Item = u64>) -> HashSet<u64> {
    let mut hashes: Vec<u64> = hashes.collect();
    hashes.sort_unstable();
    let pairs = hashes.windows(2).filter(|pair| pair[0] == pair[1]);
    pairs.map(|pair| pair[0]).collect()
}

/// A hash of what is said in a dialog, turn by turn.
pub fn said(dialog: &Dialog) -> u64 {
    let turns = dialog.turns.iter();
    turns.fold(0, |all: u64, turn| {
        all.rotate_left(5) ^ XxHash3_64::oneshot(turn.text.as_bytes())
    })
}
