//! Who may edit a file: one process at a time.
//!
//! A file is asked for when it is first edited, not when it is looked at, and again at each edit
//! while another process has it. As bytes are read, this is asked through a trait: the lock is the
//! world's.

use std::path::Path;

use super::journal_entry::{EditHistory, JournalEntry};

/// What came of asking for a file.
#[derive(Clone, Debug, PartialEq)]
pub enum LockOutcome {
    /// It is this process's until it ends, or nobody can tell.
    Ours,
    /// The process with this id has it; empty if that is not known.
    Taken(String),
    /// It is ours now, but is not the file that was read.
    Changed,
    /// It is ours now, but another process has done something to it since it was read, and what is
    /// wrong with the journal of that, if anything is.
    Past(EditHistory, Vec<JournalEntry>, Option<String>),
    /// It is ours now, but its journal is damaged, and nothing in it can be read: where a copy is.
    Damaged(String),
    /// Nobody may edit it here: a newer version of the program wrote its journal.
    Newer,
    /// Nobody may edit it here, as its journal cannot be used: why.
    Unusable(String),
}

impl LockOutcome {
    /// True if the file may be edited by this process and no other.
    pub fn is_ours(&self) -> bool {
        !matches!(self, Self::Taken(_) | Self::Newer | Self::Unusable(_))
    }
}

/// A log of votes.
#[derive(Clone, Copy, Debug)]
pub struct VoteLogLock<'l> {
    pub place: &'l Path,
    /// The hash of the bytes that it began with, if it is not on the disk yet.
    pub hash: Option<u128>,
}

/// Asks for files, which are known by their places among the open ones.
pub trait LockProvider: Send + Sync {
    /// `log` is told of logs of votes, which may have been begun since the start.
    fn hold(&self, file: usize, log: Option<VoteLogLock<'_>>) -> LockOutcome;
}
