//! Two or three copies of a dialog: what differs, as edits, and how to bring the changes of two copies together.
//!
//! Elements are paired by what they are, not by where they are: turns by speaker and text (`turns`), segments by edges and
//! labels, votes by annotator, values by name (`elements`, `pairs`). A merge gives the turns one text each (`one_text`),
//! knows each element in all three copies by one number (`classes`), and merges the JSON by that (`tree`). The sides of a
//! conflict are edits that put JSON in place of what is there (`puts`). What a file has beside its dialogs is JSON alone (`beside`).

mod beside;
mod blame;
mod canonical;
mod carry;
mod classes;
mod conflict_line;
mod dialogs;
mod differences;
mod elements;
mod file_conflict;
mod files;
mod form;
mod judgements;
mod list;
mod marks;
mod one_text;
mod outcome;
mod pairs;
mod puts;
mod three;
mod tree;
mod turns;

pub use blame::{Blame, BlamedPart, EarlierDialog, FileVersion};
pub use carry::carried_edits;
pub use conflict_line::{CONFLICTS, ConflictLine, also_of, written_hash};
pub use dialogs::{NamedDialog, PairedDialogs, paired_dialogs};
pub use differences::{Differences, Unsaid, differences};
pub use file_conflict::{Conflict, FileConflict, MergedFile};
pub use files::{
    ChangedDialog, FileDifferences, MergeError, file_choices, file_differences, merge_files,
};
pub use judgements::judgement_differences;
pub use list::Side;
pub use marks::{TurnMarks, turn_marks};
pub use pairs::{Paired, Pairs, pairs};
pub use three::Three;
pub use tree::{MergedTree, Trees};
pub use turns::aligned;
