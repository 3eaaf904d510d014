//! Makes, undoes and redoes edits of a file's dialogs.

use std::collections::HashMap;
use std::io;

use super::{CorpusFile, ReadError};
use crate::corpus::history::Revision;
use crate::corpus::source::Source;
use crate::dialog::{Edit, EditContext, EditError};
use crate::format::{self, EditGroup, EditQueue, EditStatus, FileStyle};
use crate::json::{BatchedPatch, Patch};

/// The outcome of several groups of edits.
#[derive(Debug)]
pub struct EditsMade {
    /// For each group, the result that [`CorpusFile::edit`] would return for one edit.
    pub results: Vec<Result<bool, EditError>>,
    /// For each new revision, in order, the number of its group.
    pub revisions: Vec<usize>,
    /// The number of tries for all groups together; most groups are tried once.
    pub tries: usize,
}

/// The outcome of the groups that were made at once.
struct EditRound {
    /// Their results by their numbers.
    results: HashMap<usize, Result<bool, EditError>>,
    /// The number of the group of each new revision.
    made: Vec<usize>,
    /// Groups whose edits have to be made one by one.
    dependent: Vec<usize>,
}

impl<S: Source> CorpusFile<S> {
    /// Makes an edit of dialog `position`. Returns false, without an entry in the history, if the
    /// edit would change no byte.
    ///
    /// # Errors
    /// If the edit is refused; nothing has changed then.
    pub fn edit(&mut self, position: usize, edit: &Edit) -> Result<bool, EditError> {
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
    ) -> Result<bool, EditError> {
        let edits = std::slice::from_ref(edit);
        let mut made = self.edit_all(position, &[EditGroup { edits, on }]);
        made.results.pop().unwrap_or(Ok(false))
    }

    /// Makes several groups of edits of dialog `position`, one after the other. If most of them change
    /// different parts of the dialog, this takes as long as a few edits.
    pub fn edit_all(&mut self, position: usize, groups: &[EditGroup<'_>]) -> EditsMade {
        let mut results = vec![Ok(false); groups.len()];
        let mut revisions = Vec::new();
        let mut queue = EditQueue::new(groups);
        while !queue.is_empty() {
            match self.edit_some(position, &mut queue) {
                Ok(round) => {
                    revisions.extend(round.made);
                    for (group, result) in round.results {
                        results[group] = result;
                    }
                    queue.commit();
                    for group in round.dependent {
                        let made = self.edit_one_by_one(position, groups[group]);
                        let changed = made.as_ref().copied().unwrap_or_default();
                        revisions.extend(vec![group; changed]);
                        results[group] = made.map(|made| made > 0);
                        queue.drop_first(group);
                    }
                }
                Err(refused) => match queue.roll_back().as_slice() {
                    &[alone] if !refused.is_for_all_edits() => {
                        results[alone] = Err(refused);
                        if groups[alone].edits.len() > 1 {
                            let made = self.edit_one_by_one(position, groups[alone]);
                            let changed = made.as_ref().copied().unwrap_or_default();
                            revisions.extend(vec![alone; changed]);
                            results[alone] = made.map(|made| made > 0);
                        }
                        queue.drop_first(alone);
                    }
                    [_, _, ..] if !refused.is_for_all_edits() => {}
                    _ => {
                        for group in queue.left() {
                            results[group] = Err(refused.clone());
                        }
                        break;
                    }
                },
            }
        }
        let tries = queue.tries();
        EditsMade {
            results,
            revisions,
            tries,
        }
    }

    /// Makes a group whose edits cannot be written together, and returns how many changed something.
    fn edit_one_by_one(
        &mut self,
        position: usize,
        group: EditGroup<'_>,
    ) -> Result<usize, EditError> {
        let (mut made, revisions) = (0, self.history.count());
        for (number, edit) in group.edits.iter().enumerate() {
            match self.edit_on(position, edit, group.on.filter(|_| number == 0)) {
                Ok(changed) => made += usize::from(changed),
                Err(refused) => {
                    for _ in 0..made {
                        self.undo();
                    }
                    self.history.forget_since(revisions);
                    return Err(refused);
                }
            }
        }
        Ok(made)
    }

    /// Makes the groups of edits that can be made at once.
    ///
    /// # Errors
    /// If they cannot be made together, or no edit can be made at all.
    fn edit_some(
        &mut self,
        position: usize,
        queue: &mut EditQueue<'_>,
    ) -> Result<EditRound, EditError> {
        let unreadable = |reason: String| EditError::NotEditable {
            what: "the dialog",
            reason,
        };
        let Some(format) = self.file_format() else {
            return Err(unreadable("the file holds no known dialogs".to_owned()));
        };
        if let Some((_, kind)) = &self.index.error {
            return Err(unreadable(format!(
                "the file is broken ({kind}) and opens read-only"
            )));
        }
        let text = self
            .text(position)
            .map_err(|error| unreadable(error.to_string()))?;
        let slots = self.slots.clone();
        let style = FileStyle {
            escapes: self.escapes(),
            slots: slots.as_deref(),
        };
        let edited = format::edit_all(format.of_text(&text), &text, style, queue, true)?;
        let result = |(group, status)| match status {
            EditStatus::Applied => Some((group, Ok(false))),
            EditStatus::Deferred => None,
            EditStatus::Refused(refused) => Some((group, Err(refused))),
        };
        let mut results: HashMap<_, _> = edited.status.into_iter().filter_map(result).collect();
        let mut made = Vec::new();
        for applied in edited.applied {
            let BatchedPatch { patch, inverse, .. } = applied.change;
            if patch.is_idle(&inverse) {
                continue;
            }
            results.insert(applied.group, Ok(true));
            made.push(applied.group);
            self.history.commit(Revision {
                parent: None,
                dialog: position,
                edit: queue.edits(applied.group)[applied.edit].clone(),
                on: applied.on,
                patch,
                inverse,
            });
        }
        if edited.text != text {
            let put = self.put(position, edited.text);
            put.map_err(|error| unreadable(error.to_string()))?;
            self.check_level();
        }
        Ok(EditRound {
            results,
            made,
            dependent: edited.dependent,
        })
    }

    /// Undoes the last edit and returns the position of its dialog; None if there is none, or the text of
    /// the dialog can no longer be read.
    pub fn undo(&mut self) -> Option<usize> {
        let dialog = self.history.current()?.dialog;
        (self.undo_last(1) == 1).then_some(dialog)
    }

    /// Undoes the last `count` edits and returns how many it undid: it stops where the text of a dialog can
    /// no longer be read. Consecutive edits of one dialog are undone as one change of its text.
    pub fn undo_last(&mut self, count: usize) -> usize {
        let mut undone = 0;
        while undone < count {
            let last = self.history.last(count - undone);
            let Some(dialog) = last.last().map(|revision| revision.dialog) else {
                break;
            };
            let of_dialog = last.iter().rev().take_while(|r| r.dialog == dialog);
            let changes = of_dialog.map(|r| (r.inverse.clone(), r.patch.clone()));
            let changes: Vec<_> = changes.collect();
            let steps = changes.len();
            if self.change(dialog, changes).is_err() {
                break;
            }
            for _ in 0..steps {
                self.history.undo();
            }
            undone += steps;
            self.check_level();
        }
        undone
    }

    /// The number of edits made, undone ones included.
    pub fn revisions(&self) -> usize {
        self.history.count()
    }

    /// Forgets the edits made since there were `revisions`, which must be undone: an attempt that failed.
    pub fn forget_since(&mut self, revisions: usize) {
        self.history.forget_since(revisions);
    }

    /// Redoes the edit that was undone last and returns the position of its dialog.
    ///
    /// # Errors
    /// If the text of the dialog can no longer be read.
    pub fn redo(&mut self) -> Result<Option<usize>, ReadError> {
        let Some(dialog) = self.history.next().map(|revision| revision.dialog) else {
            return Ok(None);
        };
        self.redo_some(1)?;
        Ok(Some(dialog))
    }

    /// Redoes up to `count` undone edits and returns how many it redid: it stops where the text of a dialog
    /// can no longer be read.
    pub fn redo_next(&mut self, count: usize) -> usize {
        let mut redone = 0;
        while redone < count {
            match self.redo_some(count - redone) {
                Ok(0) | Err(_) => break,
                Ok(more) => redone += more,
            }
        }
        redone
    }

    /// Makes up to `count` undone edits of one dialog again and returns how many there were.
    fn redo_some(&mut self, count: usize) -> Result<usize, ReadError> {
        let ahead = self.history.ahead(count);
        let Some(dialog) = ahead.first().map(|revision| revision.dialog) else {
            return Ok(0);
        };
        let of_dialog = ahead.iter().take_while(|r| r.dialog == dialog);
        let changes = of_dialog.map(|r| (r.patch.clone(), r.inverse.clone()));
        let changes: Vec<_> = changes.collect();
        let steps = changes.len();
        self.change(dialog, changes)?;
        for _ in 0..steps {
            self.history.redo();
        }
        self.check_level();
        Ok(steps)
    }

    /// Applies patches to the text of a dialog one after the other. Each comes with its inverse.
    fn change(&mut self, dialog: usize, changes: Vec<(Patch, Patch)>) -> Result<(), ReadError> {
        let text = self.text(dialog)?;
        let (patches, mut inverses): (Vec<_>, Vec<_>) = changes.into_iter().unzip();
        inverses.reverse();
        let changed = Patch::composed(patches).try_apply(&text);
        let back = changed
            .as_ref()
            .map(|changed| Patch::composed(inverses).try_apply(changed));
        match (changed, back.flatten()) {
            // The patches are for this text if their inverses lead back to it.
            (Some(changed), Some(back)) if back == text => self.put(dialog, changed),
            _ => {
                let why = "the dialog is not the one that was edited";
                Err(io::Error::new(io::ErrorKind::InvalidData, why).into())
            }
        }
    }
}
