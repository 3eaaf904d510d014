//! The state of the search: its query and its hits.

use std::collections::{BTreeMap, BTreeSet};

use crate::query::{HitExcerpt, Query};
use crate::text::{Direction, counted};
use crate::workspace::DialogId;

/// A dialog, and the text around its hits.
pub type DialogExcerpts = (DialogId, Box<[HitExcerpt]>);

/// A search and its hits.
#[derive(Clone, Debug, Default)]
pub struct Search {
    pub query: Option<Query>,
    /// Number of the search; results with another number are outdated.
    pub number: u64,
    /// Dialogs with hits, and how many each has, in order.
    pub found: Vec<(DialogId, u32)>,
    /// The text around the hits of the first dialogs.
    pub excerpts: BTreeMap<DialogId, Box<[HitExcerpt]>>,
    /// Number of dialogs searched so far.
    pub searched: usize,
    /// Number of dialogs that may have more hits, because variables may have too many values there.
    pub incomplete: usize,
    pub done: bool,
    /// Files that were read after the search had begun, and are searched once it is done.
    pub unsearched: BTreeSet<usize>,
    /// The direction of the hit that the user waits for.
    pub waiting: Option<Direction>,
}

impl Search {
    /// Returns the number of hits so far.
    pub fn count(&self) -> u64 {
        self.found.iter().map(|(_, count)| u64::from(*count)).sum()
    }

    /// Returns a remark on dialogs that may have more hits, behind the number of hits; empty if there are none.
    pub fn untried(&self) -> String {
        match self.incomplete {
            0 => String::new(),
            count => {
                format!(
                    " · not fully searched: {} with too many values",
                    counted(count as u64, "dialog")
                )
            }
        }
    }

    /// Returns the number of dialogs with hits.
    pub fn dialogs(&self) -> usize {
        self.found.len()
    }

    /// Returns the number of hits before a dialog.
    pub fn before(&self, at: DialogId) -> u64 {
        let before = self.found.iter().take_while(|(other, _)| *other < at);
        before.map(|(_, count)| u64::from(*count)).sum()
    }
}
