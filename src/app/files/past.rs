//! What earlier runs have done to files, kept until they are read and it is decided what becomes of it.

use super::{Files, Outdated};
use crate::app::entry::{Entry, Past};
use crate::app::msg::Bytes;
use crate::corpus::Index;

impl Files {
    /// Keeps what earlier runs have done to a file until it is read.
    pub fn set_past(&mut self, file: usize, past: Past, unsaved: Vec<Entry>) {
        if let Some(open) = self.files.get_mut(file) {
            open.past = Some((past, unsaved));
        }
    }

    /// Takes over what earlier runs have done to a file that is read, so that it can be undone here;
    /// None if there is nothing of the kind. What they had not saved is offered.
    pub fn take_past(&mut self, file: usize) -> Option<Past> {
        self.change(file, |open| {
            let (mut past, unsaved) = open.past.take()?;
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
                open.offered = Some((past.clone(), unsaved));
            }
            Some(past)
        })?
    }

    /// What the last run has done to a file and had not saved, and what it was done on; None if there
    /// is nothing to decide.
    pub fn offered(&self, file: usize) -> Option<(&Past, &[Entry])> {
        let (past, entries) = self.get(file)?.offered.as_ref()?;
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

    /// The files with such edits.
    pub fn with_undecided(&self) -> Vec<usize> {
        self.undecided.iter().copied().collect()
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
        self.change(file, |open| open.offered = None);
    }
}
