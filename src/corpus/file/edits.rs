//! Makes, undoes and redoes edits of a file's dialogs.

use std::collections::HashMap;
use std::io;

use super::{CorpusFile, ReadError};
use crate::corpus::index::Contents;
use crate::dialog::{Edit, EditContext, EditError, EditKind};
use crate::format::{self, EditGroup, EditQueue, EditStatus, FileStyle};
use crate::json::{BatchedPatch, Patch};

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
    /// The change of the dialog's text, and its inverse.
    pub patch: Patch,
    pub inverse: Patch,
}

/// The outcome of several groups of edits.
#[derive(Debug)]
pub struct EditsMade {
    /// For each group, whether it changed anything, or why it was refused.
    pub results: Vec<Result<bool, EditError>>,
    /// The changes in the order in which they were made, each with the number of its group.
    pub changes: Vec<(usize, Change)>,
    /// The number of tries for all groups together; most groups are tried once.
    pub tries: usize,
}

/// The outcome of the groups that were made at once.
struct EditRound {
    /// Their results by their numbers.
    results: HashMap<usize, Result<bool, EditError>>,
    changes: Vec<(usize, Change)>,
    /// Groups whose edits have to be made one by one.
    dependent: Vec<usize>,
}

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

    /// Makes several groups of edits of dialog `position`, one after the other. If most of them change
    /// different parts of the dialog, this takes as long as a few edits.
    pub fn edit_all(&mut self, position: usize, groups: &[EditGroup<'_>]) -> EditsMade {
        if matches!(self.index.contents, Contents::Judgements) {
            return self.judge_all(groups);
        }
        let mut all =
            EditsMade { results: Vec::with_capacity(groups.len()), changes: Vec::new(), tries: 0 };
        let moves =
            |group: &EditGroup<'_>| group.edits.iter().any(|e| e.about() == EditKind::Turns);
        // Edits behind one that moves turns count the turns after it.
        for groups in groups.chunk_by(|one, next| !moves(one) && !moves(next)) {
            let first = all.results.len();
            let made = self.edit_unmoved(position, groups);
            let changes = made.changes.into_iter();
            all.changes.extend(changes.map(|(group, change)| (first + group, change)));
            all.results.extend(made.results);
            all.tries += made.tries;
        }
        all
    }

    /// Makes groups of edits of which none moves the turns of another.
    fn edit_unmoved(&mut self, position: usize, groups: &[EditGroup<'_>]) -> EditsMade {
        let mut results = vec![Ok(false); groups.len()];
        let mut changes = Vec::new();
        let mut queue = EditQueue::new(groups);
        while !queue.is_empty() {
            let alone = match self.edit_some(position, &mut queue) {
                Ok(round) => {
                    changes.extend(round.changes);
                    for (group, result) in round.results {
                        results[group] = result;
                    }
                    queue.commit();
                    round.dependent
                }
                Err(refused) => match queue.roll_back().as_slice() {
                    &[alone] if !refused.is_for_all_edits() => {
                        results[alone] = Err(refused);
                        let several = groups[alone].edits.len() > 1;
                        if !several {
                            queue.drop_first(alone);
                        }
                        several.then_some(alone).into_iter().collect()
                    }
                    [_, _, ..] if !refused.is_for_all_edits() => Vec::new(),
                    _ => {
                        for group in queue.left() {
                            results[group] = Err(refused.clone());
                        }
                        break;
                    }
                },
            };
            for group in alone {
                let made = self.edit_one_by_one(position, groups[group]);
                results[group] = made.map(|made| {
                    let changed = !made.is_empty();
                    changes.extend(made.into_iter().map(|change| (group, change)));
                    changed
                });
                queue.drop_first(group);
            }
        }
        let tries = queue.tries();
        EditsMade { results, changes, tries }
    }

    /// Makes a group whose edits cannot be written together, and returns the changes.
    fn edit_one_by_one(
        &mut self,
        position: usize,
        group: EditGroup<'_>,
    ) -> Result<Vec<Change>, EditError> {
        let mut made = Vec::new();
        for (number, edit) in group.edits.iter().enumerate() {
            match self.edit_on(position, edit, group.on.filter(|_| number == 0)) {
                Ok(change) => made.extend(change),
                Err(refused) => {
                    self.undo(made.iter().rev());
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
        let unreadable = |reason: String| EditError::NotEditable { what: "the dialog", reason };
        let Some(format) = self.file_format() else {
            return Err(unreadable("the file holds no known dialogs".to_owned()));
        };
        if let Some((_, kind)) = &self.index.error {
            return Err(unreadable(format!("the file is broken ({kind}) and opens read-only")));
        }
        let text = self.whole_text(position).map_err(|error| unreadable(error.to_string()))?;
        let slots = self.slots.clone();
        let style = FileStyle { escapes: self.escapes(), slots: slots.as_deref() };
        let edited = format::edit_all(
            |root| format.of(root),
            |before, after| format.is_still(before, after),
            &text,
            style,
            queue,
        )?;
        let result = |(group, status)| match status {
            EditStatus::Applied => Some((group, Ok(false))),
            EditStatus::Deferred => None,
            EditStatus::Refused(refused) => Some((group, Err(refused))),
        };
        let mut results: HashMap<_, _> = edited.status.into_iter().filter_map(result).collect();
        let mut changes = Vec::new();
        for applied in edited.applied {
            let BatchedPatch { patch, inverse, .. } = applied.change;
            if patch.is_idle(&inverse) {
                continue;
            }
            results.insert(applied.group, Ok(true));
            let change = Change {
                dialog: position,
                edit: queue.edits(applied.group)[applied.edit].clone(),
                on: applied.on,
                patch,
                inverse,
            };
            changes.push((applied.group, change));
        }
        if edited.text != text {
            let put = self.put(position, edited.text);
            put.map_err(|error| unreadable(error.to_string()))?;
        }
        Ok(EditRound { results, changes, dependent: edited.dependent })
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
            (Some(changed), Some(back)) if back == text => self.put(dialog, changed),
            _ => {
                let why = "the dialog is not the one that was edited";
                Err(io::Error::new(io::ErrorKind::InvalidData, why).into())
            }
        }
    }
}
