//! The parts of the open dialog, with the commits of Git that made them what they are.

use crate::compare::{BlamedPart, FileVersion};
use crate::workspace::DialogId;

/// The blame of the open dialog, while its tab is on.
#[derive(Clone, Debug, Default)]
pub struct BlameView {
    pub is_on: bool,
    /// The number of the last job, by which late results of an earlier one are recognized. 0: not started.
    pub number: u64,
    /// The dialog that it is about.
    pub at: Option<DialogId>,
    pub progress: BlameProgress,
    /// As far as they are known.
    pub found: FoundBlame,
}

/// The parts of a dialog with the versions that made them what they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundBlame {
    pub parts: Vec<BlamedPart>,
    /// The versions of the file, the latest first.
    pub versions: Vec<FileVersion>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BlameProgress {
    #[default]
    Idle,
    /// So many of the versions are read.
    Busy {
        read: usize,
        all: usize,
    },
    Done,
    /// Git does not know the file, or is not there.
    Failed(String),
}

impl BlameProgress {
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Busy { .. })
    }
}
