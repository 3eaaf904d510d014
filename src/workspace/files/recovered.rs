//! Edits of earlier sessions from the journals, kept until the files are read and the user has decided
//! about the unsaved ones.

use std::sync::Arc;

use super::{Files, LockState, Outdated};
use crate::corpus::{Bytes, Index};
use crate::workspace::{EditHistory, JournalEntry, MadeEdit};

impl Files {
    /// Keeps the edits of earlier sessions until the file is read.
    pub fn set_history(&mut self, file: usize, past: EditHistory, unsaved: Vec<JournalEntry>) {
        if let Some(open) = self.files.get_mut(file) {
            open.left.past = Some((past, unsaved));
        }
    }

    /// Keeps a description of the damage of a file's journal, if any.
    pub fn set_damage(&mut self, file: usize, damage: Option<String>) {
        if let Some(open) = self.files.get_mut(file) {
            open.left.damage = damage;
        }
    }

    /// Describes the damage of the journal of a file with undecided edits, if any.
    pub fn damage(&self, file: usize) -> Option<&str> {
        self.get(file)?.left.damage.as_deref()
    }

    /// Sets whether a newer version of the program wrote the journal of a file; false once that journal
    /// was put aside.
    pub fn set_newer(&mut self, file: usize, newer: bool) {
        self.change(file, |open| open.left.newer = newer);
    }

    /// Returns whether a newer version of the program wrote the journal of a file.
    pub fn is_newer(&self, file: usize) -> bool {
        self.newer.contains(&file)
    }

    /// Returns whether a newer version of the program wrote the journal of any file.
    pub fn any_newer(&self) -> bool {
        !self.newer.is_empty()
    }

    /// Returns the saved edits of earlier sessions in a file that has been read, so that they can be
    /// undone; None if there are none, or they cannot be of this file. Whether they fit its bytes is checked
    /// when they are undone. Unsaved edits are offered to the user.
    pub fn take_history(&mut self, file: usize) -> Option<EditHistory> {
        self.change(file, |open| {
            let (mut past, unsaved) = open.left.past.take()?;
            let after = past.after(&unsaved);
            let differs = after.differing(&past) > 0;
            if !differs {
                // Unsaved edits that were all undone can still be redone.
                past = after;
            }
            let corpus = open.corpus.as_ref()?;
            let count = corpus.index().pieces.len();
            let is_there = |made: &Arc<MadeEdit>| made.change.dialog < count;
            if corpus.is_modified() || !past.made.iter().all(is_there) {
                return None;
            }
            open.left.offered = differs.then(|| (past.clone(), unsaved));
            Some(past)
        })?
    }

    /// Returns the unsaved edits of the last session and the history they follow; None if there is
    /// nothing to decide.
    pub fn offered(&self, file: usize) -> Option<(&EditHistory, &[JournalEntry])> {
        let (past, entries) = self.get(file)?.left.offered.as_ref()?;
        Some((past, entries))
    }

    /// Takes over a file that was read again. Returns false if its content has changed.
    pub(crate) fn reopened(&mut self, file: usize, bytes: &Bytes, index: &Index) -> bool {
        let index = self.index_of_kind(file, index.clone());
        let Some(open) = self.files.get_mut(file) else {
            return false;
        };
        let Some(corpus) = open.corpus.as_mut() else {
            return false;
        };
        let same = index.hash.is_some() && corpus.index().hash == index.hash;
        if same {
            corpus.reopen(bytes.clone(), index);
            (open.outdated, open.gone) = (Outdated::No, false);
        }
        same
    }

    /// Returns whether this process may edit a file.
    pub(crate) fn is_ours(&self, file: usize) -> bool {
        self.lock_refused(file).is_none()
    }

    /// True if the last attempt to lock a file has failed, so that it is read-only until another one succeeds.
    pub fn is_read_only(&self, file: usize) -> bool {
        matches!(self.lock_refused(file), Some(LockState::Refused(_)))
    }

    /// Notes that this process no longer holds the edit lock of a file.
    pub(crate) fn unlock(&mut self, file: usize) {
        if let Some(open) = self.files.get_mut(file) {
            open.lock = LockState::Unknown;
        }
    }

    /// Returns whether edits of the last session are still undecided.
    pub fn any_undecided(&self) -> bool {
        !self.undecided.is_empty()
    }

    /// Returns the files with undecided edits, and those whose journals a newer version of the program
    /// wrote.
    pub fn with_undecided(&self) -> Vec<usize> {
        self.undecided.union(&self.newer).copied().collect()
    }

    /// Counts the undecided edits of the last session in all files.
    pub fn undecided(&self) -> usize {
        let files = self.undecided.iter().filter_map(|file| self.offered(*file));
        files.map(|(past, entries)| past.after(entries).changes_since(past)).sum()
    }

    /// Marks the unsaved edits of the last session as decided.
    pub fn decided(&mut self, file: usize) {
        self.change(file, |open| {
            (open.left.offered, open.left.damage) = (None, None);
        });
    }
}
