//! The edits made in all open files, in the order in which they were made: the one list that undo and redo
//! go through, with a cursor, and with what each file on disk has of it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use super::{DialogId, MadeEdit, Workspace};
use crate::corpus::{Bytes, Index};
use crate::dialog::Edit;
use crate::text::SpanEdge;

/// An edit and its file.
#[derive(Clone, Debug)]
pub struct UndoStep {
    pub at: DialogId,
    pub made: Arc<MadeEdit>,
}

impl UndoStep {
    pub fn new(file: usize, made: Arc<MadeEdit>) -> Self {
        let at = DialogId::new(file, made.change.dialog);
        Self { at, made }
    }

    /// True if it is a part of the same change.
    fn is_part_of(&self, first: &Self) -> bool {
        let place = |step: &Self| (step.at, step.made.turn, step.made.segment);
        self.made.title == first.made.title && place(self) == place(first)
    }

    fn is_joined(&self) -> bool {
        self.made.grouping == Grouping::Joined
    }

    /// Returns the dialog and the edit. Edits that were undone and then made again identically have the same.
    fn key(&self) -> (DialogId, &Edit) {
        (self.at, self.made.edit())
    }
}

impl PartialEq for UndoStep {
    /// True if both are the same edit, not just an equal one.
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && Arc::ptr_eq(&self.made, &other.made)
    }
}

/// Whether a step belongs to the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grouping {
    /// Journals of older versions tell moves of edges without saying which edge; these stay single steps.
    #[default]
    #[serde(alias = "nudge")]
    Alone,
    /// Moves one edge of a segment, which was at `from`; several in a row make one step.
    #[serde(rename = "moved_edge")]
    Nudge { edge: SpanEdge, from: u32 },
    /// Undone and redone with the step before it.
    Joined,
}

impl Grouping {
    /// True if the step does not belong to another, as most do not.
    pub fn is_alone(&self) -> bool {
        *self == Self::Alone
    }
}

/// The steps of all files in the order in which they were made, with a cursor: undo moves it back, redo
/// moves it on.
#[derive(Clone, Debug, Default)]
pub struct UndoStack {
    all: Vec<UndoStep>,
    /// Number of applied steps, at the beginning of `all`; the others are undone.
    applied_count: usize,
    /// The steps that each file on disk has: those applied when it was saved last.
    saved: BTreeMap<u32, Vec<UndoStep>>,
    /// Steps that were reverted, the last at the end.
    pub(crate) reverted: Vec<RevertedStep>,
}

/// How the applied steps differ from those that one file on disk has.
pub(crate) struct UnsavedOfFile<'s> {
    /// Positions of applied steps that the file does not have.
    pub added: Vec<usize>,
    /// Steps that it has and that are not applied.
    pub undone: Vec<&'s UndoStep>,
}

/// How the applied steps differ from those that the files on disk have.
#[derive(Default)]
pub struct UnsavedSteps<'s> {
    /// Positions of applied steps that are not saved, and of undone ones that are.
    pub in_list: BTreeSet<usize>,
    /// Saved steps that were undone and that redo does not reach, those of one file in the order in which
    /// they were made.
    pub orphaned: Vec<&'s UndoStep>,
}

impl UndoStack {
    /// Returns all steps: the applied ones, then those that redo makes again.
    pub fn all(&self) -> &[UndoStep] {
        &self.all
    }

    /// Returns the applied steps.
    pub fn applied(&self) -> &[UndoStep] {
        &self.all[..self.applied_count]
    }

    /// Returns the applied steps of a dialog that are not saved.
    pub fn unsaved_at(&self, at: DialogId) -> impl Iterator<Item = &UndoStep> {
        let unsaved = self.unsaved_of(at.file).added.into_iter();
        let steps = unsaved.filter_map(|step| self.applied().get(step));
        steps.filter(move |step| step.at == at)
    }

    /// Returns the applied steps of a file.
    pub(crate) fn of_file(&self, file: u32) -> impl DoubleEndedIterator<Item = &UndoStep> {
        let applied = self.applied().iter();
        applied.filter(move |step| step.at.file == file)
    }

    /// Notes that the last applied steps were undone in their files.
    pub(crate) fn undo(&mut self, steps: usize) {
        self.applied_count -= steps;
    }

    /// Notes that undone steps were made again in their files.
    pub(crate) fn redo(&mut self, steps: usize) {
        self.applied_count += steps;
    }

    /// Adds a step that was just made in its file. Redo no longer reaches the undone ones.
    pub(crate) fn push(&mut self, step: UndoStep) {
        self.all.truncate(self.applied_count);
        self.all.push(step);
        self.applied_count += 1;
    }

    /// Removes the steps `reverted` from the applied ones. `again` has what became of each later step of the
    /// same file: the step as it was made again, or None if it changes nothing without the reverted ones.
    pub(crate) fn remove(
        &mut self,
        reverted: Range<usize>,
        again: Vec<(usize, Option<Arc<MadeEdit>>)>,
    ) {
        self.all.truncate(self.applied_count);
        for (step, made) in again.into_iter().rev() {
            if let Some(made) = made {
                self.all[step].made = made;
                continue;
            }
            let removed = self.all.remove(step);
            if !removed.is_joined()
                && let Some(next) = self.all.get_mut(step)
                && next.is_joined()
            {
                Arc::make_mut(&mut next.made).grouping = Grouping::Alone;
            }
        }
        self.all.drain(reverted);
        self.applied_count = self.all.len();
    }

    /// Takes over the steps that the journals of files have; the steps of all files are merged by time.
    pub(crate) fn take_past(&mut self, pasts: Vec<PastSteps>) {
        let is_of_other = |step: &UndoStep| pasts.iter().all(|past| past.file != step.at.file);
        let mut applied = std::mem::take(&mut self.all);
        let mut undone = applied.split_off(self.applied_count);
        applied.retain(is_of_other);
        undone.retain(is_of_other);
        let mut timed = by_time(applied);
        for mut past in pasts {
            undone.extend(past.steps.split_off(past.applied_count));
            timed.extend(by_time(past.steps));
            self.saved.insert(past.file, past.saved);
        }
        timed.sort_by_key(|(when, _)| *when);
        let applied = timed.into_iter().map(|(_, step)| step).collect();
        self.set(applied, undone);
    }

    /// Replaces all steps: the applied ones, and the undone ones.
    pub(crate) fn set(&mut self, applied: Vec<UndoStep>, undone: Vec<UndoStep>) {
        self.all = applied;
        self.applied_count = self.all.len();
        self.all.extend(undone);
    }

    /// Notes that a file on disk has the applied steps.
    pub(crate) fn mark_saved(&mut self, file: u32) {
        let saved = self.of_file(file).cloned().collect();
        self.saved.insert(file, saved);
    }

    /// Forgets the steps of a file, and the undone steps of all files.
    pub(crate) fn forget_file(&mut self, file: usize) {
        self.reverted.clear();
        self.all.truncate(self.applied_count);
        self.all.retain(|step| step.at.file as usize != file);
        self.applied_count = self.all.len();
        self.saved.remove(&(file as u32));
    }

    /// True if the applied steps of a file are not those that the file on disk has.
    fn is_ahead(&self, file: u32) -> bool {
        let saved = self.saved.get(&file).into_iter().flatten();
        !self.of_file(file).eq(saved)
    }

    /// Returns how the applied steps of a file differ from those that the file on disk has.
    pub(crate) fn unsaved_of(&self, file: u32) -> UnsavedOfFile<'_> {
        let is_of_file = |(_, step): &(usize, &UndoStep)| step.at.file == file;
        let applied: Vec<_> = self.applied().iter().enumerate().filter(is_of_file).collect();
        let saved = self.saved.get(&file).map_or(&[][..], Vec::as_slice);
        let pairs = applied.iter().zip(saved);
        let same = pairs.take_while(|((_, step), saved)| step == saved).count();
        let mut places: HashMap<_, Vec<usize>> = HashMap::new();
        for (place, step) in saved.iter().enumerate().skip(same) {
            places.entry(step.key()).or_default().push(place);
        }
        // Saved steps that were undone and then made again identically, in the same order.
        let (mut from, mut again) = (same, HashSet::new());
        let is_new = |(_, step): &&(usize, &UndoStep)| {
            let places = places.get(&step.key()).map_or(&[][..], Vec::as_slice);
            let next = places.get(places.partition_point(|place| *place < from));
            if let Some(place) = next {
                again.insert(*place);
                from = place + 1;
            }
            next.is_none()
        };
        let added = applied[same..].iter().filter(is_new);
        let added = added.map(|(place, _)| *place).collect();
        let undone = saved.iter().enumerate().skip(same);
        let undone = undone.filter(|(place, _)| !again.contains(place));
        UnsavedOfFile { added, undone: undone.map(|(_, step)| step).collect() }
    }

    fn unsaved(&self, files: impl Iterator<Item = usize>) -> UnsavedSteps<'_> {
        let mut unsaved = UnsavedSteps::default();
        let mut redoable: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (number, step) in self.all.iter().enumerate().skip(self.applied_count) {
            redoable.entry(step.key()).or_default().push_back(number);
        }
        for file in files {
            let UnsavedOfFile { added, undone } = self.unsaved_of(file as u32);
            unsaved.in_list.extend(added);
            for step in undone {
                let redoable = redoable.get_mut(&step.key());
                match redoable.and_then(VecDeque::pop_front) {
                    Some(number) => drop(unsaved.in_list.insert(number)),
                    None => unsaved.orphaned.push(step),
                }
            }
        }
        unsaved
    }

    /// Returns the steps that are undone and redone together with this one.
    pub(crate) fn together(&self, step: usize) -> Range<usize> {
        let alone = |i: &usize| !self.all[*i].is_joined();
        let first = (0..=step).rev().find(alone).unwrap_or(0);
        let end = (step + 1..self.all.len()).find(alone);
        first..end.unwrap_or(self.all.len())
    }

    /// Counts the changes that these steps, which belong together, make besides the first. The parts of one
    /// change, such as the two edits of a split, have its title and its place.
    pub(crate) fn further(&self, steps: Range<usize>) -> usize {
        let Some((first, rest)) = self.all.get(steps).and_then(<[UndoStep]>::split_first) else {
            return 0;
        };
        rest.iter().filter(|step| !step.is_part_of(first)).count()
    }
}

/// Returns each step with its time. A clock may go backwards; the steps still keep their order.
fn by_time(steps: Vec<UndoStep>) -> Vec<(u64, UndoStep)> {
    let mut latest = 0;
    let timed = steps.into_iter().map(|step| {
        let this_run = step.made.is_of_this_run();
        latest = latest.max(if this_run { u64::MAX } else { step.made.when });
        (latest, step)
    });
    timed.collect()
}

/// The steps that the journal of a file has.
#[derive(Debug)]
pub struct PastSteps {
    pub file: u32,
    /// The applied ones, then the undone ones.
    pub steps: Vec<UndoStep>,
    /// Number of applied steps.
    pub applied_count: usize,
    /// The steps that the file on disk has.
    pub saved: Vec<UndoStep>,
}

/// A reverted step, with the data to re-apply it.
#[derive(Clone, Debug)]
pub struct RevertedStep {
    pub(crate) at: DialogId,
    pub(crate) title: String,
    /// Number of steps, with the joined ones.
    pub(crate) steps: usize,
    /// The applied steps before the revert, and the position of the first reverted one.
    pub(crate) before: Vec<UndoStep>,
    pub(crate) first: usize,
    /// The applied steps after it, and how many of them were made again in the file.
    pub(crate) behind: Vec<UndoStep>,
    pub(crate) again: usize,
}

impl Workspace {
    /// Undoes the last applied steps, which are of one file, and returns how many it undid; see
    /// [`Files::undo`].
    pub(crate) fn undo_last(&mut self, count: usize) -> usize {
        let applied = self.steps.applied();
        let last = applied[applied.len() - count..].iter().rev();
        let Some(file) = last.clone().next().map(|step| step.at.file) else {
            return 0;
        };
        let undone = self.files.undo(file, last.map(|step| &*step.made));
        self.steps.undo(undone);
        undone
    }

    /// Makes the next undone steps again, which are of one file, and returns how many; see [`Files::redo`].
    pub(crate) fn redo_next(&mut self, count: usize) -> usize {
        let next = self.steps.all[self.steps.applied_count..].iter().take(count);
        let Some(file) = next.clone().next().map(|step| step.at.file) else {
            return 0;
        };
        let redone = self.files.redo(file, next.map(|step| &*step.made));
        self.steps.redo(redone);
        redone
    }

    /// Takes over the bytes and the index of a file that was saved.
    pub fn mark_saved(&mut self, file: usize, bytes: Bytes, index: Index) {
        self.files.saved(file, bytes, index);
        self.steps.mark_saved(file as u32);
    }

    /// If edits have restored a file to its content on disk, marks them as saved and returns true.
    pub(crate) fn mark_unchanged_as_saved(&mut self, file: usize) -> bool {
        let unchanged = !self.files.is_modified(file) && self.steps.is_ahead(file as u32);
        if unchanged {
            self.steps.mark_saved(file as u32);
        }
        unchanged
    }

    /// Returns the steps that are not saved, and the saved ones that are undone.
    pub fn unsaved_steps(&self) -> UnsavedSteps<'_> {
        self.steps.unsaved(self.files.modified())
    }

    /// Returns the edits of a file that are not saved, and the saved ones that were undone.
    pub fn unsaved_edits(&self, file: usize) -> impl Iterator<Item = &Edit> {
        let UnsavedOfFile { added, undone } = self.steps.unsaved_of(file as u32);
        let added = added.into_iter().map(|number| &self.steps.all[number]);
        added.chain(undone).map(|step| step.made.edit())
    }

    /// Counts the unsaved changes of all files, as the user made them: edits that were made together, and
    /// are undone together, count once.
    pub fn unsaved(&self) -> usize {
        let UnsavedSteps { in_list, orphaned } = self.unsaved_steps();
        let is_edited = |step: &UndoStep| self.files.is_edited(step.at);
        let counts =
            |number: usize| in_list.contains(&number) && is_edited(&self.steps.all[number]);
        let follows = |number: usize| {
            self.steps.all[number].is_joined() && number.checked_sub(1).is_some_and(counts)
        };
        let listed = in_list.iter().filter(|n| counts(**n) && !follows(**n));
        let mut orphans = 0;
        let mut before = false;
        for step in &orphaned {
            let counts = is_edited(step);
            orphans += usize::from(counts && !(before && step.is_joined()));
            before = counts;
        }
        listed.count() + orphans
    }
}
