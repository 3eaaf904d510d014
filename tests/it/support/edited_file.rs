//! A corpus file with the changes made in it, which can be undone and made again.

use std::ops::Deref;

use turnwise::corpus::{Bytes, Change, CorpusFile, EditsMade, Index};
use turnwise::dialog::{Edit, EditError};
use turnwise::format::EditGroup;

#[derive(Clone)]
pub struct EditedFile {
    file: CorpusFile,
    made: Vec<Change>,
    /// The number of applied changes; the others are undone.
    applied: usize,
}

impl From<CorpusFile> for EditedFile {
    fn from(file: CorpusFile) -> Self {
        Self { file, made: Vec::new(), applied: 0 }
    }
}

impl Deref for EditedFile {
    type Target = CorpusFile;

    fn deref(&self) -> &CorpusFile {
        &self.file
    }
}

impl EditedFile {
    /// The file itself, for changes that are not undone.
    pub fn inner(&mut self) -> &mut CorpusFile {
        &mut self.file
    }

    /// Makes an edit; false if it changes nothing.
    pub fn edit(&mut self, position: usize, edit: &Edit) -> Result<bool, EditError> {
        let change = self.file.edit(position, edit)?;
        let changed = change.is_some();
        self.push(change);
        Ok(changed)
    }

    pub fn edit_all(&mut self, position: usize, groups: &[EditGroup<'_>]) -> EditsMade {
        let made = self.file.edit_all(position, groups);
        self.push(made.changes.iter().map(|(_, change)| change.clone()));
        made
    }

    fn push(&mut self, changes: impl IntoIterator<Item = Change>) {
        let before = self.made.len();
        let undone = self.made.split_off(self.applied);
        self.made.extend(changes);
        self.applied = self.made.len();
        if self.applied + undone.len() == before {
            // Nothing was made, so the undone ones can still be redone.
            self.made.extend(undone);
        }
    }

    /// Undoes the last change and returns the position of its dialog; None if there is none.
    pub fn undo(&mut self) -> Option<usize> {
        let dialog = self.made[..self.applied].last()?.dialog;
        (self.undo_last(1) == 1).then_some(dialog)
    }

    /// Undoes the last changes and returns how many.
    pub fn undo_last(&mut self, count: usize) -> usize {
        let last = &self.made[self.applied.saturating_sub(count)..self.applied];
        let undone = self.file.undo(last.iter().rev());
        self.applied -= undone;
        undone
    }

    /// Makes the next undone change again and returns the position of its dialog; None if there is none.
    pub fn redo(&mut self) -> Option<usize> {
        let dialog = self.made.get(self.applied)?.dialog;
        (self.redo_next(1) == 1).then_some(dialog)
    }

    /// Makes the next undone changes again and returns how many.
    pub fn redo_next(&mut self, count: usize) -> usize {
        let redone = self.file.redo(self.made[self.applied..].iter().take(count));
        self.applied += redone;
        redone
    }

    /// Switches to the saved file as the new source.
    pub fn rebase(&mut self, source: impl Into<Bytes>, index: Index) {
        self.file.rebase(source, index);
    }
}
