//! Journal entries: every change to a file, written at once, and the edit history a later run reads from
//! them.
//!
//! Each entry is a line. The line of an edit holds the edit as `turnwise apply` reads it, its title in
//! the Edits tab, and the text it replaced, so that another run can undo it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use twox_hash::XxHash3_128;

use super::Grouping;
use crate::corpus::{BadRecord, Change, DialogRef, Origin, Record};
use crate::dialog::Edit;
use crate::json::{Patch, Splice};

/// An edit that was made: the one record of it. Undo, the Edits tab and the journal share it.
#[derive(Clone, Debug, PartialEq)]
pub struct MadeEdit {
    pub change: Change,
    /// The dialog's id, if known: when others change the file, the dialog's position may change.
    pub id: Option<String>,
    /// The turn the user was at.
    pub turn: usize,
    pub segment: Option<usize>,
    /// A short description: "end 55 → 54 in turn 7".
    pub title: String,
    /// The author of the suggestion that it was; None if it was none.
    pub by: Option<String>,
    pub grouping: Grouping,
    /// When an earlier run made it, in milliseconds since 1970; 0 for this run, whose journal has the time.
    pub when: u64,
}

/// One line of a journal.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalEntry {
    Edit(Arc<MadeEdit>),
    /// Undoes the last of the applied edits.
    Undo,
    /// Redoes the edit that was undone last.
    Redo,
    /// The user quit without saving: the file is back at its last save.
    QuitUnsaved,
}

/// A file that the program can create, such as a vote log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewFile {
    #[serde(rename = "begins")]
    pub name: String,
    pub text: String,
}

impl NewFile {
    /// Returns the hash of the text.
    pub fn hash(&self) -> u128 {
        XxHash3_128::oneshot(self.text.as_bytes())
    }
}

/// A change of the journal of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalOp {
    /// The name of the file, and its text before all answers.
    Begins(NewFile),
    /// An entry for the file.
    Did(JournalEntry),
    /// The file is about to be saved with this hash.
    Saves(u128),
    /// The file was saved; `hash` is its new hash.
    Saved,
    /// Replaces all entries since the last save.
    Rewrite(Vec<JournalEntry>),
    /// Writes nothing new, but retries what could not be written, for all journals.
    Nothing,
}

impl JournalOp {
    /// Returns true if dropping the request would lose unsaved data (for saved edits only undo history
    /// is lost).
    pub fn is_irreplaceable(&self) -> bool {
        matches!(self, Self::Did(_) | Self::Rewrite(_) | Self::Begins(_))
    }
}

/// The edits of a file, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditHistory {
    pub made: Vec<Arc<MadeEdit>>,
    /// Number of the edits that are applied; the others were undone.
    pub applied_count: usize,
}

/// Why unsaved edits of an earlier run may not fit their file. Each is restored only if its turn is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The journal is damaged: a message.
    Damaged(String),
    /// The file has other bytes than those in which they were made.
    Changed,
}

impl EditHistory {
    /// Applies another entry. `saved` is the history as of the last save.
    pub fn apply(&mut self, entry: &JournalEntry, saved: &Self) {
        match entry {
            JournalEntry::Edit(made) => {
                self.made.truncate(self.applied_count);
                self.made.push(Arc::clone(made));
                self.applied_count += 1;
            }
            JournalEntry::Undo => self.applied_count = self.applied_count.saturating_sub(1),
            JournalEntry::Redo => {
                self.applied_count = (self.applied_count + 1).min(self.made.len());
            }
            // Unsaved edits can be redone if they came after the saved ones.
            JournalEntry::QuitUnsaved if self.holds(saved) => {
                self.applied_count = saved.applied_count;
            }
            JournalEntry::QuitUnsaved => self.clone_from(saved),
        }
    }

    /// Returns the history after `entries`; `self` is the history as of the last save.
    #[must_use]
    pub fn after(&self, entries: &[JournalEntry]) -> Self {
        let mut past = self.clone();
        for entry in entries {
            past.apply(entry, self);
        }
        past
    }

    /// Returns the number of leading edits that are applied in both.
    pub fn shared(&self, other: &Self) -> usize {
        let pairs = self.applied().iter().zip(other.applied());
        pairs.take_while(|(a, b)| Arc::ptr_eq(a, b)).count()
    }

    /// True if the applied edits of `other` are here too, undone or not.
    fn holds(&self, other: &Self) -> bool {
        let mut pairs = self.made.iter().zip(other.applied());
        self.made.len() >= other.applied_count && pairs.all(|(a, b)| Arc::ptr_eq(a, b))
    }

    pub fn applied(&self) -> &[Arc<MadeEdit>] {
        &self.made[..self.applied_count]
    }

    /// Counts the changes in only one of the two, as the user made them: edits that were made together
    /// count once.
    pub fn changes_since(&self, other: &Self) -> usize {
        let shared = self.shared(other);
        let changes = |history: &Self| {
            let rest = history.applied()[shared..].iter();
            let further = rest.skip(1).filter(|made| made.grouping == Grouping::Joined);
            history.applied_count - shared - further.count()
        };
        changes(self) + changes(other)
    }

    /// Returns the number of edits that are applied in only one of the two.
    pub fn differing(&self, other: &Self) -> usize {
        self.applied_count + other.applied_count - 2 * self.shared(other)
    }
}

/// How the titles of edits begin that decide a conflict.
pub const CONFLICT: &str = "conflict about ";

impl MadeEdit {
    /// True if an earlier run decided a conflict by it, so that undoing it does not list the conflict again.
    pub fn decided_conflict(&self) -> bool {
        self.title.starts_with(CONFLICT) && !self.is_of_this_run()
    }

    /// Returns the edit itself.
    pub fn edit(&self) -> &Edit {
        &self.change.edit
    }

    /// True if this run made it.
    pub fn is_of_this_run(&self) -> bool {
        self.when == 0
    }

    /// Returns it with another change, which the same edit made in another text.
    #[must_use]
    pub fn with(&self, change: Change) -> Self {
        Self { change, ..self.clone() }
    }

    /// Returns the record for `turnwise apply`: `file` is the end of the file's path; the dialog is named by
    /// its id, or by its position if it has none.
    pub fn record(&self, file: &str) -> Record {
        let id = self.id.clone().map(DialogRef::Id);
        Record {
            file: Some(file.to_owned()),
            dialog: id.unwrap_or(self.numbered().dialog),
            dialog_id: None,
            edit: self.change.edit.clone(),
            on: self.change.on.clone(),
            origin: Origin::of(self.by.as_deref()),
        }
    }

    /// Returns the record as the journal stores it: without the file, which the journal names once, and
    /// with the position of the dialog.
    fn numbered(&self) -> Record {
        Record {
            file: None,
            dialog: DialogRef::Number(self.change.dialog),
            dialog_id: None,
            edit: self.change.edit.clone(),
            on: self.change.on.clone(),
            origin: Origin::of(self.by.as_deref()),
        }
    }
}

/// The JSON line of an edit.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EditLine<'t> {
    #[serde(borrow)]
    made: &'t RawValue,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    turn: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    segment: Option<usize>,
    title: String,
    #[serde(default, skip_serializing_if = "Grouping::is_alone")]
    kind: Grouping,
    /// For each splice its first byte in the dialog's old text, the old text, and the new text.
    splices: Vec<(usize, String, String)>,
    when: u64,
}

const UNDO: &str = "{\"undo\":true}";
const REDO: &str = "{\"redo\":true}";
const LEFT: &str = "{\"left\":true}";

impl fmt::Display for JournalEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undo => f.write_str(UNDO),
            Self::Redo => f.write_str(REDO),
            Self::QuitUnsaved => f.write_str(LEFT),
            Self::Edit(made) => {
                let record = RawValue::from_string(made.numbered().to_string());
                let record = record.map_err(|_| fmt::Error)?;
                let Change { patch, inverse, .. } = &made.change;
                let pairs = patch.splices().iter().zip(inverse.splices());
                let line = EditLine {
                    made: &record,
                    id: made.id.clone(),
                    turn: made.turn,
                    segment: made.segment,
                    title: made.title.clone(),
                    kind: made.grouping,
                    splices: pairs
                        .map(|(new, old)| (new.range.start, old.text.clone(), new.text.clone()))
                        .collect(),
                    when: made.when,
                };
                f.write_str(&serde_json::to_string(&line).map_err(|_| fmt::Error)?)
            }
        }
    }
}

impl FromStr for JournalEntry {
    type Err = BadRecord;

    fn from_str(line: &str) -> Result<Self, BadRecord> {
        match line {
            UNDO => return Ok(Self::Undo),
            REDO => return Ok(Self::Redo),
            LEFT => return Ok(Self::QuitUnsaved),
            _ => {}
        }
        let line: EditLine<'_> = serde_json::from_str(line).map_err(BadRecord::BadEdit)?;
        let Record { dialog, edit, on, origin, .. } = line.made.get().parse::<Record>()?;
        let DialogRef::Number(dialog) = dialog else {
            return Err(BadRecord::NoDialog);
        };
        let (mut splices, mut inverse) = (Vec::new(), Vec::new());
        // The bytes by which the splices so far shift the following ones.
        let mut shift = 0;
        for (start, was, is) in line.splices {
            let end = start.saturating_add(was.len());
            let now = start.saturating_add_signed(shift);
            shift += is.len() as isize - was.len() as isize;
            inverse.push(Splice::new(now..now.saturating_add(is.len()), was));
            splices.push(Splice::new(start..end, is));
        }
        // Patches have no empty splices, so both have the same number.
        let overlap = |_| BadRecord::NoEdit;
        Ok(Self::Edit(Arc::new(MadeEdit {
            change: Change {
                dialog,
                edit,
                on,
                patch: Patch::new(splices).map_err(overlap)?,
                inverse: Patch::new(inverse).map_err(overlap)?,
            },
            id: line.id,
            turn: line.turn,
            segment: line.segment,
            title: line.title,
            by: origin.by,
            grouping: line.kind,
            when: line.when.max(1),
        })))
    }
}
