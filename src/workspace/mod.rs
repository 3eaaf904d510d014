//! The open files without a screen: their dialogs, edits, journals, locks, vote logs and problems.
//!
//! Nothing here knows panes, messages or keys; reading and writing is left to the caller.

mod analysis;
mod dialog_id;
pub mod edit_lock;
pub mod files;
mod journal_entry;
mod lint_context;
mod problems;
mod snapshot;
mod undo;
mod vote_log;
mod vote_queue;

pub use analysis::DialogAnalysis;
pub(crate) use analysis::analyse_tree;
pub use dialog_id::DialogId;
pub use edit_lock::{EditLocks, LockOutcome, holder_name};
pub use files::{AppearedFile, Files, LoadState, OpenFile, Outdated};
pub use files::{Code, OpenJudgements, OtherSide, OwnJudgement, make_pair};
pub use journal_entry::{CONFLICT, Doubt, EditHistory, JournalEntry, JournalOp, MadeEdit, NewFile};
pub use lint_context::{LintContext, worth_changing};
pub use snapshot::Snapshot;
pub use undo::{Grouping, PastSteps, RevertedStep, UndoStack, UndoStep, UnsavedSteps};
pub use vote_log::{FoundLog, OwnFile, VOTES_FOLDER, VoteLog, VoteLogs};
pub use vote_queue::{QueueItem, QueueJudge, QueueKind, in_order, to_judge};

use crate::query::Names;

/// The open files and what is known of them.
#[derive(Default)]
pub struct Workspace {
    pub files: Files,
    /// The edits made so far.
    pub steps: UndoStack,
    /// Names that the corpora use.
    pub names: Names,
}

impl Workspace {
    /// Creates a workspace before any file is open. `names` are the names of the files to open.
    pub fn new(names: Vec<String>) -> Self {
        Self { files: Files::new(names), ..Self::default() }
    }
}
