//! What earlier runs have done to files, kept until they are read and it is decided what becomes of it.

use super::{Files, Outdated};
use crate::app::journal_entry::{EditHistory, JournalEntry};
use crate::app::msg::Bytes;
use crate::corpus::Index;

/// What earlier runs have left in the journal of a file.
#[derive(Default)]
pub(super) struct RecoveredJournal {
    /// What they have done to it, told before it is read.
    past: Option<(EditHistory, Vec<JournalEntry>)>,
    /// What the last run has done and had not saved, until it is decided what becomes of it; and what
    /// it was done on.
    pub(super) offered: Option<(EditHistory, Vec<JournalEntry>)>,
    /// What is wrong with the journal, until it is decided.
    damage: Option<String>,
    /// A newer version of the program wrote the journal: the file is only read.
    pub(super) newer: bool,
}

impl Files {
    /// Keeps what earlier runs have done to a file until it is read.
    pub fn set_history(&mut self, file: usize, past: EditHistory, unsaved: Vec<JournalEntry>) {
        if let Some(open) = self.files.get_mut(file) {
            open.left.past = Some((past, unsaved));
        }
    }

    /// Keeps what is wrong with the journal of a file, if anything is.
    pub fn set_damage(&mut self, file: usize, damage: Option<String>) {
        if let Some(open) = self.files.get_mut(file) {
            open.left.damage = damage;
        }
    }

    /// What is wrong with the journal of a file of which something is offered, if anything is.
    pub fn damage(&self, file: usize) -> Option<&str> {
        self.get(file)?.left.damage.as_deref()
    }

    /// A newer version of the program wrote the journal of a file, or that was put aside.
    pub fn set_newer(&mut self, file: usize, newer: bool) {
        self.change(file, |open| open.left.newer = newer);
    }

    /// True if a newer version of the program wrote the journal of a file.
    pub fn is_newer(&self, file: usize) -> bool {
        self.newer.contains(&file)
    }

    /// True if a newer version of the program wrote the journal of any file.
    pub fn any_newer(&self) -> bool {
        !self.newer.is_empty()
    }

    /// Takes over what earlier runs have done to a file that is read, so that it can be undone here;
    /// None if there is nothing of the kind. What they had not saved is offered.
    pub fn take_history(&mut self, file: usize) -> Option<EditHistory> {
        self.change(file, |open| {
            let (mut past, unsaved) = open.left.past.take()?;
            let after = past.after(&unsaved);
            let differs = after.differing(&past) > 0;
            if !differs {
                // What was all undone again can still be redone.
                past = after;
            }
            let revisions = past.made.iter().map(|made| made.revision()).collect();
            if !open.corpus.as_mut()?.restore(revisions, past.done) {
                return None;
            }
            if differs {
                open.left.offered = Some((past.clone(), unsaved));
            }
            Some(past)
        })?
    }

    /// What the last run has done to a file and had not saved, and what it was done on; None if there
    /// is nothing to decide.
    pub fn offered(&self, file: usize) -> Option<(&EditHistory, &[JournalEntry])> {
        let (past, entries) = self.get(file)?.left.offered.as_ref()?;
        Some((past, entries))
    }

    /// Takes over a file that was read anew and is what it was; false if it is another one.
    pub(in crate::app) fn reopened(&mut self, file: usize, bytes: &Bytes, index: &Index) -> bool {
        let Some(open) = self.files.get_mut(file) else {
            return false;
        };
        let Some(corpus) = open.corpus.as_mut() else {
            return false;
        };
        let same = index.hash.is_some() && corpus.index().hash == index.hash;
        if same {
            corpus.reopen(bytes.clone(), index.clone());
            (open.outdated, open.gone) = (Outdated::No, false);
        }
        same
    }

    /// True if no other process edits a file.
    pub(in crate::app) fn is_ours(&self, file: usize) -> bool {
        self.holds.is_none() || self.files.get(file).is_some_and(|open| open.ours)
    }

    /// True if nobody has decided yet about some edits of the last run.
    pub fn any_undecided(&self) -> bool {
        !self.undecided.is_empty()
    }

    /// The files with such edits, and those whose journals a newer version of the program wrote.
    pub fn with_undecided(&self) -> Vec<usize> {
        self.undecided.union(&self.newer).copied().collect()
    }

    /// Edits of the last run that nobody has decided about yet, in all files.
    pub fn undecided(&self) -> usize {
        let files = self.undecided.iter().filter_map(|file| self.offered(*file));
        files
            .map(|(past, entries)| past.after(entries).differing(past))
            .sum()
    }

    /// It is decided what becomes of what the last run had not saved.
    pub fn decided(&mut self, file: usize) {
        self.change(file, |open| {
            (open.left.offered, open.left.damage) = (None, None);
        });
    }
}
