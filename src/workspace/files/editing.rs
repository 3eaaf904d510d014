//! Edits of files, and which of them are unsaved.

use super::{Files, LoadState};
use crate::corpus::{Change, CorpusFile, EditsMade};
use crate::dialog::{Edit, EditContext, EditError, EditKind};
use crate::format::EditGroup;
use crate::workspace::DialogId;
use crate::workspace::{LintContext, MadeEdit};

impl Files {
    /// Makes an edit and returns the change; None if it changes nothing.
    ///
    /// # Errors
    /// If it is refused.
    pub fn edit(&mut self, at: DialogId, edit: &Edit) -> Result<Option<Change>, EditError> {
        self.edit_on(at, edit, None)
    }

    /// Like [`Files::edit`], but refuses the edit if the context it was made in, `on`, has changed.
    pub(crate) fn edit_on(
        &mut self,
        at: DialogId,
        edit: &Edit,
        on: Option<&EditContext>,
    ) -> Result<Option<Change>, EditError> {
        self.check_turns(at, edit)?;
        let rules = self.rules.clone();
        let made = self.change_corpus(at.file as usize, |corpus| {
            set_slots(corpus, rules.as_deref());
            corpus.edit_on(at.dialog as usize, edit, on)
        });
        made.unwrap_or_else(|| Err(not_open()))
    }

    /// Makes several groups of edits of a dialog; see [`CorpusFile::edit_all`].
    pub(crate) fn edit_all(&mut self, at: DialogId, groups: &[EditGroup<'_>]) -> EditsMade {
        let edits = groups.iter().flat_map(|group| group.edits);
        let refused = edits.map(|edit| self.check_turns(at, edit).err());
        if let Some(refused) = refused.flatten().next() {
            return EditsMade::refused(&refused, groups.len());
        }
        let rules = self.rules.clone();
        let made = self.change_corpus(at.file as usize, |corpus| {
            set_slots(corpus, rules.as_deref());
            corpus.edit_all(at.dialog as usize, groups)
        });
        made.unwrap_or_else(|| EditsMade::refused(&not_open(), groups.len()))
    }

    /// Checks that an edit moves no turns that votes or gold labels beside the corpus count.
    ///
    /// # Errors
    /// If it does.
    pub fn check_turns(&self, at: DialogId, edit: &Edit) -> Result<(), EditError> {
        if edit.about() != EditKind::Turns {
            return Ok(());
        }
        if self.expects_logs() {
            let why = "votes beside the corpus are still being read; try again in a moment";
            return Err(EditError::of_turns(edit, why.to_owned()));
        }
        let read = self.judged_dialog(at).ok().flatten();
        let turns = read.map(|(dialog, _)| dialog.turns).unwrap_or_default();
        let name = |log: DialogId| self.name(log.file as usize);
        if let Some(log) = self.log_of(at)
            && turns.iter().any(|turn| !turn.votes.is_empty())
        {
            return Err(EditError::turns_are_voted_on(edit, name(log)));
        }
        if let Some(gold) = self.gold_of(at)
            && turns.iter().skip(edit.turn()).any(|turn| turn.gold.is_some())
        {
            return Err(EditError::turns_have_gold(edit, name(gold)));
        }
        Ok(())
    }

    /// Undoes changes in a file, the last made first, and returns how many; see [`CorpusFile::undo`].
    pub(crate) fn undo<'c>(
        &mut self,
        file: u32,
        changes: impl IntoIterator<Item = &'c MadeEdit>,
    ) -> usize {
        let changes = changes.into_iter().map(|made| &made.change);
        let undone = self.change_corpus(file as usize, |corpus| corpus.undo(changes));
        undone.unwrap_or(0)
    }

    /// Makes undone changes in a file again, and returns how many; see [`CorpusFile::redo`].
    pub(crate) fn redo<'c>(
        &mut self,
        file: u32,
        changes: impl IntoIterator<Item = &'c MadeEdit>,
    ) -> usize {
        let changes = changes.into_iter().map(|made| &made.change);
        let redone = self.change_corpus(file as usize, |corpus| corpus.redo(changes));
        redone.unwrap_or(0)
    }

    pub fn is_modified(&self, file: usize) -> bool {
        self.modified.contains(&file)
    }

    /// True while a file is being saved.
    pub(crate) fn is_saving(&self, file: usize) -> bool {
        self.get(file).is_some_and(|open| open.state == LoadState::Saving)
    }

    pub fn any_modified(&self) -> bool {
        !self.modified.is_empty()
    }

    /// Returns the files that have unsaved edits.
    pub fn modified(&self) -> impl Iterator<Item = usize> {
        self.modified.iter().copied()
    }

    /// Returns whether a dialog differs from its file on disk.
    pub fn is_edited(&self, at: DialogId) -> bool {
        let corpus = self.corpus(at);
        corpus.is_some_and(|corpus| corpus.edited_texts().contains_key(&(at.dialog as usize)))
    }

    /// Returns whether a dialog, or its votes, differ from the files on disk.
    pub fn is_changed(&self, at: DialogId) -> bool {
        let mut logs = self.logs.of(at);
        self.is_edited(at) || logs.any(|log| self.is_modified(log))
    }
}

/// Returns the error for an edit of a file that is not open.
fn not_open() -> EditError {
    EditError::NotEditable { what: "the file", reason: "it is not open".to_owned() }
}

/// Gives a file the slots that the ontologies list for its family.
fn set_slots(corpus: &mut CorpusFile, rules: Option<&LintContext>) {
    if let Some((rules, format)) = rules.zip(corpus.format()) {
        corpus.set_slots(rules.linter.ontologies.slots(format.name()));
    }
}
