//! The result of merging two copies of a file, with what is left to decide.

use super::dialogs::NamedDialog;
use super::differences::Unsaid;
use crate::dialog::Edit;

/// Something that both sides have changed, and not in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The position of the turn in the merged dialog; None if it is about the whole dialog.
    pub turn: Option<usize>,
    /// The kind of thing: "segment", "text", "vote".
    pub part: &'static str,
    /// As the base has it, in short; None if it has none.
    pub base: Option<String>,
    pub ours: Option<String>,
    pub theirs: Option<String>,
}

/// The kind of a conflict about what cannot be written.
const UNWRITTEN: &str = "other";

/// Returns the conflict that a change of theirs is if it cannot be written beside ours.
pub fn unwritten(Unsaid { turn, part }: Unsaid) -> Conflict {
    Conflict {
        turn,
        part: UNWRITTEN,
        base: None,
        ours: Some("as it was".to_owned()),
        theirs: Some(format!("{part} changed, which cannot be written into ours")),
    }
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
