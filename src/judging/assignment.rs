//! Assignments: which dialogs each annotator judges.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::format::{JUDGEMENTS_END, judgements_name};
use crate::votes::judgeable::lot;

/// The folder of assignments beside a corpus file.
pub const ASSIGNMENTS_FOLDER: &str = "assignments";

/// Returns an annotator as the names of their files have it, in which any id is a file name.
pub fn listed(annotator: &str) -> String {
    let name = judgements_name(annotator);
    let id = name.strip_suffix(JUDGEMENTS_END);
    id.unwrap_or(&name).to_owned()
}

/// A dialog that somebody judges, as a line of a file of assignments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AssignedDialog {
    /// The name of the corpus file, without its folders.
    pub file: String,
    /// The dialog's id; for one without an id, the name of its file and its position.
    pub dialog: String,
}

/// A line of a file of assignments.
#[derive(Serialize, Deserialize)]
pub struct AssignmentLine {
    #[serde(flatten)]
    pub dialog: AssignedDialog,
    /// The annotator's id, which the name of the file may not spell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// How dialogs are divided.
#[derive(Clone, Copy, Debug)]
pub struct Division {
    /// The number of dialogs of each annotator.
    pub per: usize,
    /// The share of them that all annotators judge, from 0 to 1.
    pub overlap: f64,
    pub seed: u32,
}

impl Division {
    /// Returns the number of dialogs that all annotators judge.
    pub fn shared(self) -> usize {
        (self.per as f64 * self.overlap).round() as usize
    }

    /// Returns the number of dialogs that so many annotators judge.
    pub fn needed(self, annotators: usize) -> usize {
        self.shared() + annotators * (self.per - self.shared())
    }

    /// Divides dialogs, given by their positions and ids, among annotators, and returns the positions for each, in
    /// order; None if there are too few. The same seed draws the same of the same dialogs, in whatever order.
    pub fn divide(self, ids: &[&str], annotators: usize) -> Option<Vec<Vec<usize>>> {
        let mut drawn: Vec<usize> = (0..ids.len()).collect();
        drawn.sort_by_key(|dialog| (lot(self.seed, ids[*dialog], 0), ids[*dialog]));
        let (shared, rest) = drawn.split_at_checked(self.shared())?;
        let mut own = rest.chunks((self.per - self.shared()).max(1));
        let mut all = Vec::new();
        for _ in 0..annotators {
            let own = if self.per == self.shared() { &[][..] } else { own.next()? };
            let mut of_one = [shared, own].concat();
            if of_one.len() < self.per {
                return None;
            }
            of_one.sort_unstable();
            all.push(of_one);
        }
        Some(all)
    }
}

/// The dialogs that each annotator judges, by the names of the annotators' files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assignments(BTreeMap<String, Assigned>);

/// The dialogs of an annotator.
#[derive(Clone, Debug, Default, PartialEq)]
struct Assigned {
    /// The annotator's id, if a line has it.
    by: Option<String>,
    dialogs: HashSet<AssignedDialog>,
}

impl Assignments {
    /// Adds the lines of the file of an annotator. Returns the number of lines that are not assignments.
    pub fn add(&mut self, annotator: &str, text: &str) -> usize {
        let of_one = self.0.entry(annotator.to_owned()).or_default();
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let mut broken = 0;
        for line in lines {
            match serde_json::from_str(line) {
                Ok(AssignmentLine { dialog, by }) => {
                    of_one.dialogs.insert(dialog);
                    of_one.by = by.or(of_one.by.take());
                }
                Err(_) => broken += 1,
            }
        }
        broken
    }

    /// Returns the dialogs of an annotator; None if none are assigned, so that all are theirs.
    pub fn of(&self, annotator: &str) -> Option<&HashSet<AssignedDialog>> {
        self.0.get(annotator).map(|of_one| &of_one.dialogs)
    }

    /// Returns the annotators to whom dialogs are assigned, in order.
    pub fn annotators(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, of_one)| of_one.by.as_deref().unwrap_or(name))
    }

    /// True if `annotator` judges a dialog of the file called `file`.
    pub fn has(&self, annotator: &str, file: &str, dialog: &str) -> bool {
        self.of(annotator).is_none_or(|of_one| {
            of_one.contains(&AssignedDialog { file: file.to_owned(), dialog: dialog.to_owned() })
        })
    }
}
