//! The edit lock: one process at a time may edit a file.
//!
//! The lock is taken when a file is first edited, not when it is read, and tried again at each edit
//! while another process holds it. [`LockProvider`] is implemented in the layer that does I/O.

use std::path::Path;

use super::journal_entry::{EditHistory, JournalEntry};

/// The result of trying to lock a file.
#[derive(Clone, Debug, PartialEq)]
pub enum LockOutcome {
    /// We hold the lock, or locking is not available.
    Ours,
    /// The process with this id holds it; empty if the id is not known.
    Taken(String),
    /// We hold the lock, but the file has changed since it was read.
    Changed,
    /// We hold the lock, but another process has journaled edits since the file was read; with what
    /// is wrong with that journal, if anything.
    Past(EditHistory, Vec<JournalEntry>, Option<String>),
    /// We hold the lock, but the journal is damaged and unreadable; with the path of its copy.
    Damaged(String),
    /// The file cannot be edited here: a newer version of the program wrote its journal.
    Newer,
    /// The file cannot be edited here because its journal cannot be used; with the reason.
    Unusable(String),
}

impl LockOutcome {
    /// Returns true if this process alone may edit the file.
    pub fn is_ours(&self) -> bool {
        !matches!(self, Self::Taken(_) | Self::Newer | Self::Unusable(_))
    }
}

/// A vote log to lock.
#[derive(Clone, Copy, Debug)]
pub struct VoteLogLock<'l> {
    pub place: &'l Path,
    /// The hash of its first bytes, if the log is not on disk yet.
    pub hash: Option<u128>,
}

/// Locks files, identified by their positions among the open ones.
pub trait LockProvider: Send + Sync {
    /// Tries to lock a file. `log` describes a vote log, which may have been created in this run.
    fn hold(&self, file: usize, log: Option<VoteLogLock<'_>>) -> LockOutcome;
}
