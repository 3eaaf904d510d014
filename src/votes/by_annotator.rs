//! How many votes each annotator has cast.

use std::collections::BTreeMap;

use crate::dialog::{Dialog, Short};

/// The number of votes in a dialog, by annotator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VotesBy(Box<[(Short, u32)]>);

impl VotesBy {
    /// Counts the votes in a dialog.
    pub fn of(dialog: &Dialog) -> Self {
        let mut counts: BTreeMap<&Short, u32> = BTreeMap::new();
        for vote in dialog.turns.iter().flat_map(|turn| &turn.votes) {
            *counts.entry(&vote.annotator).or_default() += 1;
        }
        let counts = counts.into_iter();
        Self(counts.map(|(by, count)| (by.clone(), count)).collect())
    }

    /// Returns the number of votes of an annotator, or of all of them.
    pub fn count(&self, annotator: Option<&str>) -> u32 {
        let is_wanted = |by: &Short| annotator.is_none_or(|wanted| *by == wanted);
        let counts = self.0.iter().filter(|(by, _)| is_wanted(by));
        counts.map(|(_, count)| count).sum()
    }
}
