//! The state of saving: the files of one save command, and their results so far.

use std::collections::BTreeSet;
use std::mem;

/// The files of one save command, and their results so far.
#[derive(Clone, Debug, Default)]
pub struct SaveBatch {
    pub files: usize,
    pub waiting: usize,
    pub saved: usize,
    pub lines: usize,
    /// Warnings about saved files, and errors of the others.
    pub notes: Vec<String>,
    /// The files whose last save failed or was refused; only commands save them again.
    pub failed: BTreeSet<usize>,
    /// True while the journal cannot be written, so that edits are in memory only.
    pub is_journal_behind: bool,
    /// True if only failures are reported.
    pub quiet: bool,
}

impl SaveBatch {
    /// Adds a file to save.
    pub fn begin(&mut self) {
        if self.waiting == 0 {
            let (failed, is_journal_behind) = (mem::take(&mut self.failed), self.is_journal_behind);
            *self = Self { failed, is_journal_behind, ..Self::default() };
        }
        self.files += 1;
        self.waiting += 1;
    }

    /// Counts a file as done, saved or not.
    pub fn done(&mut self) {
        self.waiting = self.waiting.saturating_sub(1);
    }
}
