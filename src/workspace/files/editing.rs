//! Edits of files, and which of them are unsaved.

use super::{Files, LoadState};
use crate::corpus::{CorpusFile, EditsMade, Source};
use crate::dialog::{Edit, EditContext, EditError};
use crate::format::EditGroup;
use crate::workspace::DialogId;
use crate::workspace::{JournalEntry, LintContext};

impl Files {
    /// Makes an edit. Returns false if it changes nothing.
    ///
    /// # Errors
    /// If it is refused.
    pub fn edit(&mut self, at: DialogId, edit: &Edit) -> Result<bool, EditError> {
        self.edit_on(at, edit, None)
    }

    /// Like [`Files::edit`], but refuses the edit if the context it was made in, `on`, has changed.
    pub(crate) fn edit_on(
        &mut self,
        at: DialogId,
        edit: &Edit,
        on: Option<&EditContext>,
    ) -> Result<bool, EditError> {
        let rules = self.rules.clone();
        let made = self.change_corpus(at.file as usize, |corpus| {
            set_slots(corpus, rules.as_deref());
            corpus.edit_on(at.dialog as usize, edit, on)
        });
        made.unwrap_or_else(|| Err(not_open()))
    }

    /// Makes several groups of edits of a dialog; see [`CorpusFile::edit_all`].
    pub(crate) fn edit_all(&mut self, at: DialogId, groups: &[EditGroup<'_>]) -> EditsMade {
        let rules = self.rules.clone();
        let made = self.change_corpus(at.file as usize, |corpus| {
            set_slots(corpus, rules.as_deref());
            corpus.edit_all(at.dialog as usize, groups)
        });
        made.unwrap_or_else(|| EditsMade {
            tries: 0,
            results: vec![Err(not_open()); groups.len()],
            revisions: Vec::new(),
        })
    }

    /// Undoes the last edits of a file; see [`CorpusFile::undo_last`].
    pub(crate) fn undo_last(&mut self, file: u32, count: usize) -> usize {
        let undone = self.change_corpus(file as usize, |corpus| corpus.undo_last(count));
        undone.unwrap_or(0)
    }

    /// Redoes undone edits of a file; see [`CorpusFile::redo_next`].
    pub(crate) fn redo_next(&mut self, file: u32, count: usize) -> usize {
        let redone = self.change_corpus(file as usize, |corpus| corpus.redo_next(count));
        redone.unwrap_or(0)
    }

    /// The number of edits of a file, undone ones included.
    pub(crate) fn revisions(&mut self, file: u32) -> usize {
        let revisions = self.change_corpus(file as usize, |corpus| corpus.revisions());
        revisions.unwrap_or(0)
    }

    /// Forgets undone edits; see [`CorpusFile::forget_since`].
    pub(crate) fn forget_since(&mut self, file: u32, revisions: usize) {
        self.change_corpus(file as usize, |corpus| corpus.forget_since(revisions));
    }

    /// Undoes the last edit of a file and returns the journal entry; None if nothing can be undone.
    pub fn undo(&mut self, file: u32) -> Option<JournalEntry> {
        self.change_corpus(file as usize, CorpusFile::undo)??;
        Some(JournalEntry::Undo)
    }

    /// Redoes the edit undone last and returns the journal entry; None if nothing can be redone.
    pub fn redo(&mut self, file: u32) -> Option<JournalEntry> {
        self.change_corpus(file as usize, CorpusFile::redo)?
            .ok()??;
        Some(JournalEntry::Redo)
    }

    pub fn is_modified(&self, file: usize) -> bool {
        self.modified.contains(&file)
    }

    /// True while a file is being saved.
    pub(crate) fn is_saving(&self, file: usize) -> bool {
        self.get(file)
            .is_some_and(|open| open.state == LoadState::Saving)
    }

    pub fn any_modified(&self) -> bool {
        !self.modified.is_empty()
    }

    /// Returns the files that have unsaved edits.
    pub fn modified(&self) -> impl Iterator<Item = usize> {
        self.modified.iter().copied()
    }

    /// Counts the unsaved edits of all files.
    pub fn unsaved(&self) -> usize {
        let corpora = self.modified().filter_map(|file| self.files[file].corpus());
        corpora.map(CorpusFile::unsaved).sum()
    }

    /// Returns whether a dialog differs from its file on disk.
    pub fn is_edited(&self, at: DialogId) -> bool {
        let corpus = self.corpus(at);
        corpus.is_some_and(|corpus| {
            corpus.is_modified() && corpus.edited_texts().contains_key(&(at.dialog as usize))
        })
    }

    /// Returns whether a dialog, or its votes, differ from the files on disk.
    pub fn is_changed(&self, at: DialogId) -> bool {
        let mut logs = self.logs.of(at);
        self.is_edited(at) || logs.any(|log| self.is_modified(log))
    }

    /// After edits have restored a file to its content on disk, returns true, but only once.
    pub(crate) fn mark_unchanged_as_saved(&mut self, file: usize) -> bool {
        let open = self.files.get_mut(file);
        let corpus = open.and_then(|open| open.corpus.as_deref_mut());
        corpus.is_some_and(CorpusFile::take_level)
    }
}

/// The error for an edit of a file that is not open.
fn not_open() -> EditError {
    EditError::NotEditable {
        what: "the file",
        reason: "it is not open".to_owned(),
    }
}

/// Gives a file the slots that the ontologies list for its family.
fn set_slots<S: Source>(corpus: &mut CorpusFile<S>, rules: Option<&LintContext>) {
    if let Some((rules, format)) = rules.zip(corpus.format()) {
        corpus.set_slots(rules.linter.ontologies.slots(format.name()));
    }
}
