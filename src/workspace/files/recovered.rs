//! Edits of earlier sessions from the journals, kept until the files are read and the user has decided
//! about the unsaved ones.

use std::sync::Arc;

use std::collections::{HashMap, HashSet};

use super::{Files, OpenFile, Outdated};
use crate::corpus::{Bytes, DialogRef, IdLookup, Index};
use crate::workspace::{DialogId, Doubt, EditHistory, JournalEntry, LockOutcome, MadeEdit};

impl Files {
    /// Keeps the edits of earlier sessions until the file is read.
    pub fn set_history(&mut self, file: usize, past: EditHistory, unsaved: Vec<JournalEntry>) {
        if let Some(open) = self.files.get_mut(file) {
            open.left.past = Some((past, unsaved));
        }
    }

    /// Keeps why the edits of earlier sessions may not fit a file, if they may not.
    pub fn set_doubt(&mut self, file: usize, doubt: Option<Doubt>) {
        if let Some(open) = self.files.get_mut(file) {
            open.left.doubt = doubt;
        }
    }

    /// Returns why the undecided edits of a file may not fit it, if they may not.
    pub fn doubt(&self, file: usize) -> Option<&Doubt> {
        self.get(file)?.left.doubt.as_ref()
    }

    /// Returns where the dialogs of edits are now: at their positions, or by their ids if they may have `moved`.
    pub fn places_of(
        &self,
        file: usize,
        made: &[Arc<MadeEdit>],
        moved: bool,
    ) -> Vec<Option<DialogId>> {
        let at = |made: &Arc<MadeEdit>| DialogId::new(file, made.change.dialog);
        let id = |made: &&Arc<MadeEdit>| made.id.clone().filter(|id| !id.is_empty());
        let ids: Vec<_> = made.iter().map(|made| id(&made)).collect();
        if !moved {
            return made.iter().map(|made| Some(at(made))).collect();
        }
        let places = self.dialogs_with(file, &ids.iter().flatten().map(String::as_str).collect());
        let place = |(made, id): (&Arc<MadeEdit>, &Option<String>)| match id {
            Some(id) => places.get(id).copied(),
            None => self.can_hold(at(made)).then(|| at(made)),
        };
        made.iter().zip(&ids).map(place).collect()
    }

    /// True if there is a dialog at `at`, or the judgements of a file of them.
    pub fn can_hold(&self, at: DialogId) -> bool {
        self.has_dialog(at) || self.is_judgements(at.file as usize)
    }

    /// As [`Files::find_dialog`], of the file with this name.
    pub(crate) fn find_named(&self, name: &str, id: &str, position: u32) -> Option<DialogId> {
        let file = self.all().iter().position(|open| open.name == name)?;
        self.find_dialog(file, id, position)
    }

    /// Returns the dialog of a file that was at a position and has this id; without an id, that at the position.
    pub(crate) fn find_dialog(&self, file: usize, id: &str, position: u32) -> Option<DialogId> {
        let at = DialogId::new(file, position as usize);
        if id.is_empty() {
            return self.can_hold(at).then_some(at);
        }
        if self.summary(at).is_some_and(|summary| summary.id == id) {
            return Some(at);
        }
        match self.corpus(at)?.find(&DialogRef::Id(id.to_owned())) {
            Ok(IdLookup::Found(dialog)) => Some(DialogId::new(file, dialog)),
            _ => None,
        }
    }

    /// Returns the positions of the dialogs with these ids; ids that occur more than once are left out.
    fn dialogs_with(&self, file: usize, ids: &HashSet<&str>) -> HashMap<String, DialogId> {
        let corpus = self.get(file).and_then(OpenFile::corpus).filter(|_| !ids.is_empty());
        let found = corpus.and_then(|corpus| corpus.find_ids(ids).ok());
        let only = |(id, lookup)| match lookup {
            IdLookup::Found(dialog) => Some((id, DialogId::new(file, dialog))),
            _ => None,
        };
        found.into_iter().flatten().filter_map(only).collect()
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

    /// Counts the unsaved edits of the last session in a file that cannot be read as dialogs.
    pub fn waiting(&self, file: usize) -> usize {
        let past = self.get(file).and_then(|open| open.left.past.as_ref());
        past.map_or(0, |(past, unsaved)| past.after(unsaved).changes_since(past))
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
            Arc::make_mut(corpus).reopen(bytes.clone(), index);
            (open.outdated, open.gone) = (Outdated::No, false);
        }
        same
    }

    /// Returns whether this process may edit a file.
    pub(crate) fn is_ours(&self, file: usize) -> bool {
        self.lock_outcome(file) == Some(&LockOutcome::Ours)
    }

    /// True if the last attempt to lock a file has failed, so that it is read-only until another one succeeds.
    pub fn is_read_only(&self, file: usize) -> bool {
        self.lock_outcome(file).is_some_and(|lock| *lock != LockOutcome::Ours)
    }

    /// Notes that this process no longer holds the edit lock of a file.
    pub(crate) fn unlock(&mut self, file: usize) {
        if let Some(open) = self.files.get_mut(file) {
            open.lock = None;
        }
    }

    /// Returns whether edits of the last session are still undecided.
    pub fn any_undecided(&self) -> bool {
        !self.undecided.is_empty()
    }

    /// Returns the files with undecided edits.
    pub fn with_undecided(&self) -> Vec<usize> {
        self.undecided.iter().copied().collect()
    }

    /// Counts the undecided edits of the last session in all files.
    pub fn undecided(&self) -> usize {
        let files = self.undecided.iter().filter_map(|file| self.offered(*file));
        files.map(|(past, entries)| past.after(entries).changes_since(past)).sum()
    }

    /// Marks the unsaved edits of the last session as decided.
    pub fn decided(&mut self, file: usize) {
        self.change(file, |open| {
            (open.left.offered, open.left.doubt) = (None, None);
        });
    }
}
