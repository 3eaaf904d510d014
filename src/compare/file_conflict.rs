//! The result of merging two copies of a file, with what is left to decide.

use super::dialogs::NamedDialog;
use super::merge::Conflict;
use crate::dialog::Edit;

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
    /// True if keeping both sides is something else than either.
    pub has_both: bool,
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
        has_both: false,
        base: Vec::new(),
    }
}
