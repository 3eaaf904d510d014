//! The list of fixes to review before they are applied.

use crate::lint::FixPreview;
use crate::workspace::DialogId;

/// The dialogs that a bulk fix covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkFixScope {
    Dialog,
    File,
    All,
}

impl BulkFixScope {
    pub fn name(self) -> &'static str {
        match self {
            Self::Dialog => "in this dialog",
            Self::File => "in this file",
            Self::All => "in all files",
        }
    }
}

/// A fix in the list.
#[derive(Clone, Debug)]
pub struct PlannedFix {
    pub at: DialogId,
    pub repair: FixPreview,
    pub ticked: bool,
}

/// The list of fixes.
#[derive(Clone, Debug)]
pub struct BulkFix {
    /// The rule whose problems are fixed; None for the safe fixes of all rules.
    pub rule: Option<&'static str>,
    pub reach: BulkFixScope,
    pub all: Vec<PlannedFix>,
    /// Position of the selected fix.
    pub chosen: usize,
    /// Dialogs checked so far, and dialogs to check.
    pub looked: (usize, usize),
    /// The number of fixes left out of the list, because their dialogs are long and have many.
    pub more: usize,
    /// The number of this list, by which late results of an earlier one are recognized.
    pub number: u64,
}

impl BulkFix {
    pub fn ticked(&self) -> usize {
        self.all.iter().filter(|planned| planned.ticked).count()
    }

    /// True while dialogs are still being checked.
    pub fn is_searching(&self) -> bool {
        self.looked.0 < self.looked.1
    }
}
