//! The lock that lets only one process at a time edit a file.
//!
//! A process acquires the lock at its first edit of the file, not when it opens the file. While another
//! process holds the lock, every edit tries again; once this process holds it, every edit checks that it
//! still does. The owner of the workspace acquires the lock, because that needs I/O.

use super::Files;
use super::journal_entry::{Doubt, EditHistory, JournalEntry};
use crate::corpus::{Bytes, Index};

/// Locks open files so that one process at a time edits them.
pub trait EditLocks: Send + Sync {
    /// Tries to lock a file, or checks that this process still holds its lock.
    fn hold(&self, files: &Files, file: usize) -> LockOutcome;

    /// Releases the lock of a file, which this process must not have edited since it acquired the lock.
    fn release(&self, file: usize);

    /// Reads a file again that another program has changed.
    ///
    /// # Errors
    /// Why it cannot be read, for the status line.
    fn read_again(&self, files: &Files, file: usize) -> Result<(Bytes, Index), String>;
}

/// Names the process that holds a lock, given its id, which is empty if not known.
pub fn holder_name(id: &str) -> String {
    match id {
        "" => "another process".to_owned(),
        id => format!("another process ({id})"),
    }
}

/// The result of trying to lock a file.
#[derive(Clone, Debug, PartialEq)]
pub enum LockOutcome {
    /// This process holds the lock, or locking is not available.
    Ours,
    /// Another process holds the lock: its id, empty if not known.
    Taken(String),
    /// This process holds the lock, but the file changed since it was read. `decided`: another process
    /// has decided about the unsaved edits that were offered here.
    Changed { decided: bool },
    /// This process holds the lock, but the journal is another one than when the file was read: its saved
    /// history, its unsaved entries, and why these may not fit, if they may not.
    Past(EditHistory, Vec<JournalEntry>, Option<Doubt>),
    /// This process held the lock, and another process holds it now: a message.
    Lost(String),
    /// The file cannot be edited here: its journal cannot be used, or it is not where it seems to be; contains the reason.
    Unusable(String),
}

impl LockOutcome {
    /// True if this process, and no other, may edit the file.
    pub fn is_ours(&self) -> bool {
        !matches!(self, Self::Taken(_) | Self::Lost(_) | Self::Unusable(_))
    }
}
