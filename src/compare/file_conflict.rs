//! The result of merging two copies of a file, with what is left to decide.

use super::dialogs::NamedDialog;
use super::three::Three;
use crate::dialog::Edit;

/// Something that both sides have changed, and not in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The position of the turn in the merged dialog; None if it is about the whole dialog.
    pub turn: Option<usize>,
    /// The kind of thing: "segment", "text", "vote".
    pub part: &'static str,
    /// The keys and positions that lead to the first that differs in it, with dots, from the turn or the dialog on.
    pub path: String,
    /// As each copy has it, in short; None if it has none.
    pub said: Three<Option<String>>,
}

impl Conflict {
    /// Returns a conflict about a whole dialog, or about something beside the dialogs.
    pub fn new(part: &'static str, said: Three<Option<String>>) -> Self {
        Self { turn: None, part, path: String::new(), said }
    }
}

/// The kind of a conflict about what cannot be written.
const UNWRITTEN: &str = "other";

/// Returns the conflict that a change of theirs is if it cannot be written beside ours.
pub fn unwritten(part: &str) -> Conflict {
    let ours = "unchanged".to_owned();
    let theirs = format!("{part} changed, but the change cannot be written into ours");
    Conflict::new(UNWRITTEN, Three::new(None, Some(ours), Some(theirs)))
}

/// The changes of two copies of a file in one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MergedFile {
    /// How many dialogs got changes from the other side.
    pub changed: usize,
    pub added: usize,
    pub removed: usize,
    /// True if something beside the dialogs is theirs now.
    pub beside: bool,
    pub conflicts: Vec<FileConflict>,
}

/// Something that both sides have changed, and not in the same way.
#[derive(Clone, Debug, PartialEq)]
pub struct FileConflict {
    /// The dialog in our copy, or in theirs if we have removed it.
    pub dialog: NamedDialog,
    /// True if our copy has the dialog.
    pub is_ours: bool,
    pub conflict: Conflict,
    /// The edits that take their side, for the merged file; none if no edit can.
    pub theirs: Vec<Edit>,
    /// Those that keep both sides, if that is something else.
    pub both: Vec<Edit>,
    /// Those that take neither.
    pub base: Vec<Edit>,
}

/// Returns a conflict that no edit decides.
pub fn undecidable(dialog: NamedDialog, is_ours: bool, conflict: Conflict) -> FileConflict {
    FileConflict {
        dialog,
        is_ours,
        conflict,
        theirs: Vec::new(),
        both: Vec::new(),
        base: Vec::new(),
    }
}
