//! Makes, undoes and redoes edits of a file's dialogs.

use std::{io, mem};

use super::{CorpusFile, ReadError};
use crate::corpus::index::Contents;
use crate::dialog::{Edit, EditContext, EditError};
use crate::format::{self, AppliedEdit, EditGroup, FileFormat, FileStyle, Part};
use crate::json::{Patch, Splice, Value};

/// An edit that was made, with the patch of its dialog's text. To undo or redo it takes neither the file nor its
/// format.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Position of the dialog in its file.
    pub dialog: usize,
    /// The edit itself.
    pub edit: Edit,
    /// The context in which it was made, if known.
    pub on: Option<EditContext>,
    /// The change of the dialog's text, and its inverse. Of edits that were made at once, the first has those of all.
    pub patch: Patch,
    pub inverse: Patch,
}

/// The outcome of several groups of edits.
#[derive(Debug, Default)]
pub struct EditsMade {
    /// For each group, whether it changed anything, or why it was refused.
    pub results: Vec<Result<bool, EditError>>,
    /// The changes in the order in which they were made, each with the number of its group.
    pub changes: Vec<(usize, Change)>,
}

impl EditsMade {
    /// Returns the outcome of groups that are all refused.
    pub fn refused(why: &EditError, groups: usize) -> Self {
        Self { results: vec![Err(why.clone()); groups], changes: Vec::new() }
    }

    /// Adds the outcome of the next groups.
    fn extend(&mut self, next: Self) {
        let first = self.results.len();
        let changes = next.changes.into_iter();
        self.changes.extend(changes.map(|(group, change)| (first + group, change)));
        self.results.extend(next.results);
    }
}

/// The most groups of edits that are made at once: the time that their patches take grows with the square of it.
const AT_ONCE: usize = 256;

impl CorpusFile {
    /// Makes an edit of dialog `position`, and returns the change; None if it would change no byte.
    ///
    /// # Errors
    /// If the edit is refused; nothing has changed then.
    pub fn edit(&mut self, position: usize, edit: &Edit) -> Result<Option<Change>, EditError> {
        self.edit_on(position, edit, None)
    }

    /// Like [`CorpusFile::edit`], for an edit that was made `on` a context: it is refused if that context
    /// has changed.
    ///
    /// # Errors
    /// If the edit is refused; nothing has changed then.
    pub fn edit_on(
        &mut self,
        position: usize,
        edit: &Edit,
        on: Option<&EditContext>,
    ) -> Result<Option<Change>, EditError> {
        let edits = std::slice::from_ref(edit);
        let mut made = self.edit_all(position, &[EditGroup { edits, on }]);
        made.results.pop().unwrap_or(Ok(false))?;
        Ok(made.changes.pop().map(|(_, change)| change))
    }

    /// Makes several groups of edits of dialog `position`, one after the other. This takes as long as a few edits.
    pub fn edit_all(&mut self, position: usize, groups: &[EditGroup<'_>]) -> EditsMade {
        if matches!(self.index.contents, Contents::Judgements) {
            return self.judge_all(groups);
        }
        let mut all = EditsMade::default();
        for groups in groups.chunks(AT_ONCE) {
            all.extend(self.edit_some(position, groups));
        }
        all
    }

    /// Makes the edits of a group one after the other.
    fn edit_one_by_one(&mut self, position: usize, group: EditGroup<'_>) -> EditsMade {
        let mut changes = Vec::new();
        for (number, edit) in group.edits.iter().enumerate() {
            match self.edit_on(position, edit, group.on.filter(|_| number == 0)) {
                Ok(change) => changes.extend(change.map(|change| (0, change))),
                Err(refused) => {
                    self.undo(changes.iter().rev().map(|(_, change)| change));
                    return EditsMade::refused(&refused, 1);
                }
            }
        }
        EditsMade { results: vec![Ok(!changes.is_empty())], changes }
    }

    /// Makes groups of edits at once. If that is refused, makes each half of them by itself.
    fn edit_some(&mut self, position: usize, groups: &[EditGroup<'_>]) -> EditsMade {
        match (self.edit_at_once(position, groups), groups) {
            (Ok(made), _) if made.results.len() == groups.len() => made,
            (Ok(mut made), _) if !made.results.is_empty() => {
                let rest = &groups[made.results.len()..];
                made.extend(self.edit_some(position, rest));
                made
            }
            (Err(refused), _) if refused.is_for_all_edits() => {
                EditsMade::refused(&refused, groups.len())
            }
            (Err(refused), [group]) if group.edits.len() < 2 => EditsMade::refused(&refused, 1),
            // Its edits may fit one after the other.
            (_, [group]) => self.edit_one_by_one(position, *group),
            _ => {
                let (first, rest) = groups.split_at(groups.len() / 2);
                let mut made = self.edit_some(position, first);
                made.extend(self.edit_some(position, rest));
                made
            }
        }
    }

    /// Makes groups of edits at once.
    ///
    /// # Errors
    /// If they cannot be made together, or no edit can be made at all.
    fn edit_at_once(
        &mut self,
        position: usize,
        groups: &[EditGroup<'_>],
    ) -> Result<EditsMade, EditError> {
        let unreadable = |reason: String| EditError::NotEditable { what: "the dialog", reason };
        let Some(format) = self.file_format() else {
            return Err(unreadable("the file has no known format".to_owned()));
        };
        if let Some((_, kind)) = &self.index.error {
            return Err(unreadable(format!("the file is broken ({kind}) and opens read-only")));
        }
        let text = self.whole_text(position).map_err(|error| unreadable(error.to_string()))?;
        let edits: Vec<&Edit> = groups.iter().flat_map(|group| group.edits).collect();
        match edits[..] {
            [edit @ Edit::Put { .. }] => return self.put_part(position, edit, &format, &text),
            // By itself.
            _ if edits.iter().any(|edit| matches!(edit, Edit::Put { .. })) => {
                let reason = "apply each `put` as a separate edit".to_owned();
                return Err(EditError::NotEditable { what: "this", reason });
            }
            _ => {}
        }
        let slots = self.slots.clone();
        let style = FileStyle { escapes: self.escapes(), slots: slots.as_deref() };
        let edited = format::edit_all(
            |root| format.of(root),
            |before, after| format.is_still(before, after),
            &text,
            style,
            groups,
        )?;
        let results = edited.results.into_iter();
        let mut results: Vec<_> = results.map(|result| result.map(|()| false)).collect();
        let mut changes = Vec::new();
        let (mut patch, mut inverse) = (edited.patch.clone(), edited.patch.invert(&text));
        for AppliedEdit { group, edit, on } in edited.applied {
            results[group] = Ok(true);
            let edit = groups[group].edits[edit].clone();
            // The first one has the change of the text by all.
            let (patch, inverse) = (mem::take(&mut patch), mem::take(&mut inverse));
            changes.push((group, Change { dialog: position, edit, on, patch, inverse }));
        }
        if edited.text != text {
            let put = self.replace(position, edited.text);
            put.map_err(|error| unreadable(error.to_string()))?;
        }
        Ok(EditsMade { results, changes })
    }

    /// Returns the text of a dialog as it would be with these edits; None if it cannot be read, or they cannot be made.
    pub fn text_with(&self, position: usize, edits: &[Edit]) -> Option<String> {
        let formats = self.file_format()?;
        let mut text = self.whole_text(position).ok()?;
        for edit in edits {
            text = self.text_after(edit, &formats, &text).ok()?;
        }
        Some(text)
    }

    /// Returns a text of one of its dialogs after an edit.
    fn text_after(
        &self,
        edit: &Edit,
        formats: &FileFormat,
        text: &str,
    ) -> Result<String, EditError> {
        let format = formats.of_text(text);
        let Edit::Put { turn, path, was, json } = edit else {
            return Ok(format::edit(format, text, self.escapes(), edit)?.text);
        };
        let part = Part { turn: *turn, path, was: was.as_deref(), json: json.as_deref() };
        let is_still = |before: Value<'_>, after: Value<'_>| formats.is_still(before, after);
        format::put(format, is_still, text, self.escapes(), &part)
    }

    /// Puts a part of a dialog, whose text this is.
    fn put_part(
        &mut self,
        position: usize,
        edit: &Edit,
        formats: &FileFormat,
        text: &str,
    ) -> Result<EditsMade, EditError> {
        let put = self.text_after(edit, formats, text)?;
        if put == text {
            return Ok(EditsMade { results: vec![Ok(false)], changes: Vec::new() });
        }
        let patch = Patch::from(Splice::between(text, &put));
        let inverse = patch.invert(text);
        let unreadable = |error: ReadError| EditError::NotEditable {
            what: "the dialog",
            reason: error.to_string(),
        };
        self.replace(position, put).map_err(unreadable)?;
        let change = Change { dialog: position, edit: edit.clone(), on: None, patch, inverse };
        Ok(EditsMade { results: vec![Ok(true)], changes: vec![(0, change)] })
    }

    /// Undoes changes, of which the last made comes first, and returns how many it undid: it stops where
    /// the text of a dialog cannot be read or is not what the change made. Consecutive changes of one dialog
    /// are undone as one change of its text.
    pub fn undo<'c>(&mut self, changes: impl IntoIterator<Item = &'c Change>) -> usize {
        let back = |change: &'c Change| (change.dialog, &change.inverse, &change.patch);
        self.change_all(changes.into_iter().map(back))
    }

    /// Makes changes again that were undone, the first one first, and returns how many it made; see
    /// [`CorpusFile::undo`].
    pub fn redo<'c>(&mut self, changes: impl IntoIterator<Item = &'c Change>) -> usize {
        let again = |change: &'c Change| (change.dialog, &change.patch, &change.inverse);
        self.change_all(changes.into_iter().map(again))
    }

    /// Applies patches, each with its dialog and its inverse, and returns how many fit.
    fn change_all<'c>(
        &mut self,
        changes: impl Iterator<Item = (usize, &'c Patch, &'c Patch)>,
    ) -> usize {
        let mut changed = 0;
        let mut changes = changes.peekable();
        while let Some(&(dialog, ..)) = changes.peek() {
            let of_dialog = std::iter::from_fn(|| changes.next_if(|change| change.0 == dialog));
            let (patches, inverses): (Vec<_>, Vec<_>) =
                of_dialog.map(|(_, patch, inverse)| (patch.clone(), inverse.clone())).unzip();
            let count = patches.len();
            if self.change(dialog, patches, inverses).is_err() {
                break;
            }
            changed += count;
        }
        changed
    }

    /// Applies patches to the text of a dialog one after the other.
    fn change(
        &mut self,
        dialog: usize,
        patches: Vec<Patch>,
        mut inverses: Vec<Patch>,
    ) -> Result<(), ReadError> {
        let text = self.whole_text(dialog)?;
        inverses.reverse();
        let changed = Patch::composed(patches).try_apply(&text);
        let back = changed.as_ref().map(|changed| Patch::composed(inverses).try_apply(changed));
        match (changed, back.flatten()) {
            // The patches are for this text if their inverses lead back to it.
            (Some(changed), Some(back)) if back == text => self.replace(dialog, changed),
            _ => {
                let why = "the dialog is not the one that was edited";
                Err(io::Error::new(io::ErrorKind::InvalidData, why).into())
            }
        }
    }
}
