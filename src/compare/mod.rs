//! Two or three copies of a dialog: what differs, as edits, and how to bring the changes of two copies together.
//!
//! Elements are paired by what they are, not by where they are: turns by speaker and text, segments by edges and
//! labels, votes by annotator, values by name. What no dialog tells is compared as JSON (`json`), and taken where ours
//! has not touched it (`complete`), and counted in the end (`audit`). What a file has beside its dialogs is JSON alone (`beside`).

mod audit;
mod beside;
mod blame;
mod canonical;
mod carry;
mod common;
mod complete;
mod conflict_line;
mod decidable;
mod dialogs;
mod differences;
mod elements;
mod file_conflict;
mod files;
mod form;
mod json;
mod judgements;
mod list;
mod marks;
mod merge;
mod pairs;
mod turns;

pub use blame::{Blame, BlamedPart, EarlierDialog, FileVersion};
pub use carry::carried_edits;
pub use conflict_line::{CONFLICTS, ConflictLine, written_hash};
pub use dialogs::{NamedDialog, PairedDialogs, paired_dialogs};
pub use differences::{Differences, Unsaid, differences};
pub use file_conflict::{FileConflict, MergedFile};
pub use files::{
    ChangedDialog, FileDifferences, MergeError, file_choices, file_differences, merge_files,
};
pub use judgements::judgement_differences;
pub use list::Side;
pub use marks::{TurnMarks, turn_marks};
pub use merge::{Conflict, Merged, choose, merge};
pub use pairs::Pairs;
pub use turns::aligned;
