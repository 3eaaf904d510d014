//! Editing files, and what of it is not saved.

use super::Files;
use crate::app::journal_entry::JournalEntry;
use crate::app::msg::DialogId;
use crate::corpus::{CorpusFile, EditsMade};
use crate::dialog::{Edit, EditContext, EditError};
use crate::format::EditGroup;

impl Files {
    /// Makes an edit; false if that says already what is meant, and so nothing was changed.
    ///
    /// # Errors
    /// If it is refused.
    pub fn edit(&mut self, at: DialogId, edit: &Edit) -> Result<bool, EditError> {
        self.edit_on(at, edit, None)
    }

    /// As [`Files::edit`], refused where what it was made `on` is not there any more.
    pub(in crate::app) fn edit_on(
        &mut self,
        at: DialogId,
        edit: &Edit,
        on: Option<&EditContext>,
    ) -> Result<bool, EditError> {
        let made = self.change_corpus(at.file as usize, |corpus| {
            corpus.edit_on(at.dialog as usize, edit, on)
        });
        made.unwrap_or_else(|| Err(not_open()))
    }

    /// Makes several groups of edits of a dialog; see [`CorpusFile::edit_all`].
    pub(in crate::app) fn edit_all(&mut self, at: DialogId, groups: &[EditGroup<'_>]) -> EditsMade {
        let made = self.change_corpus(at.file as usize, |corpus| {
            corpus.edit_all(at.dialog as usize, groups)
        });
        made.unwrap_or_else(|| EditsMade {
            results: vec![Err(not_open()); groups.len()],
            revisions: Vec::new(),
        })
    }

    /// Takes the last edits of a file back; see [`CorpusFile::undo_last`].
    pub(in crate::app) fn undo_last(&mut self, file: u32, count: usize) -> usize {
        let undone = self.change_corpus(file as usize, |corpus| corpus.undo_last(count));
        undone.unwrap_or(0)
    }

    /// Makes undone edits of a file again; see [`CorpusFile::redo_next`].
    pub(in crate::app) fn redo_next(&mut self, file: u32, count: usize) -> usize {
        let redone = self.change_corpus(file as usize, |corpus| corpus.redo_next(count));
        redone.unwrap_or(0)
    }

    /// Takes the last edit of a file back, and says how that is written down; None if it cannot be
    /// done.
    pub fn undo(&mut self, file: u32) -> Option<JournalEntry> {
        self.change_corpus(file as usize, CorpusFile::undo)??;
        Some(JournalEntry::Undo)
    }

    /// Makes the edit again that was undone last, and says how that is written down; None if it
    /// cannot be done.
    pub fn redo(&mut self, file: u32) -> Option<JournalEntry> {
        self.change_corpus(file as usize, CorpusFile::redo)?
            .ok()??;
        Some(JournalEntry::Redo)
    }

    pub fn is_modified(&self, file: usize) -> bool {
        self.modified.contains(&file)
    }

    pub fn any_modified(&self) -> bool {
        !self.modified.is_empty()
    }

    /// The files that have unsaved edits.
    pub fn modified(&self) -> impl Iterator<Item = usize> {
        self.modified.iter().copied()
    }

    /// Edits that are not saved, in all files.
    pub fn unsaved(&self) -> usize {
        let corpora = self.modified().filter_map(|file| self.files[file].corpus());
        corpora.map(CorpusFile::unsaved).sum()
    }

    /// True if a dialog says something else than its file on disk.
    pub fn is_edited(&self, at: DialogId) -> bool {
        let corpus = self.corpus(at);
        corpus.is_some_and(|corpus| {
            corpus.is_modified() && corpus.edited_texts().contains_key(&(at.dialog as usize))
        })
    }

    /// True if a dialog, or what is voted on it, is not as it is on disk.
    pub fn is_changed(&self, at: DialogId) -> bool {
        let mut logs = self.logs.of(at);
        self.is_edited(at) || logs.any(|log| self.is_modified(log))
    }

    /// True, once, after edits of a file have led back to what it says on the disk.
    pub(in crate::app) fn mark_unchanged_as_saved(&mut self, file: usize) -> bool {
        let open = self.files.get_mut(file);
        let corpus = open.and_then(|open| open.corpus.as_mut());
        corpus.is_some_and(CorpusFile::take_level)
    }
}

/// Why nothing can be edited in a file that is not open.
fn not_open() -> EditError {
    EditError::NotEditable {
        what: "the file",
        reason: "it is not open".to_owned(),
    }
}
