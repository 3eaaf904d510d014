//! Edits that were saved and then undone: their file on the disk still has them, so undoing them is an
//! unsaved change. A new edit makes them unreachable by redo; they are kept so that they can be applied
//! again.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use super::{DialogId, Grouping, OpenFile, UndoStep, Workspace};
use crate::corpus::Revision;
use crate::dialog::{Edit, EditContext};

/// A step that was undone after it was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UndoneSave {
    /// Redo reaches it: its position among all steps.
    Redoable(usize),
    /// Redo does not reach it: its position among the orphaned steps.
    Orphaned(usize),
}

impl Workspace {
    /// Adds steps that were just made in their files. Redo no longer reaches the undone ones.
    pub(crate) fn push_steps(&mut self, steps: Vec<UndoStep>) {
        let undone = self.steps.push(steps);
        self.keep_orphaned(undone);
    }

    /// Removes steps from those in force; see `UndoStack::remove`.
    pub(crate) fn remove_steps(
        &mut self,
        reverted: Range<usize>,
        rebased: Vec<(usize, Edit)>,
        idle: Vec<usize>,
    ) {
        let gone = self.steps.remove(reverted, rebased, idle);
        self.keep_orphaned(gone);
    }

    /// Keeps those of the dropped steps that are still in their saved files.
    fn keep_orphaned(&mut self, steps: Vec<UndoStep>) {
        if steps.is_empty() {
            return;
        }
        let undone: HashSet<_> = self.undone_revisions().into_iter().map(revised).collect();
        let is_undone = |step: &UndoStep| undone.contains(&made(step));
        let kept: Vec<_> = steps.into_iter().filter(is_undone).collect();
        let orphaned = &self.steps.orphaned;
        let mut known: HashMap<_, Vec<&UndoStep>> = HashMap::new();
        for step in orphaned {
            known.entry(made(step)).or_default().push(step);
        }
        let is_new = |step: &UndoStep| {
            let alike = known.get(&made(step));
            alike.is_none_or(|alike| !alike.contains(&step))
        };
        let new: Vec<_> = kept.into_iter().filter(is_new).collect();
        self.steps.orphaned.extend(new);
    }

    /// Returns the steps that were undone since they were saved; those of one file in the order in
    /// which they were made.
    pub fn undone_saves(&self) -> Vec<UndoneSave> {
        let revisions = self.undone_revisions();
        if revisions.is_empty() {
            return Vec::new();
        }
        let redoable = self.steps.all().iter().enumerate().skip(self.steps.done());
        let redoable = redoable.map(|(number, step)| (step, UndoneSave::Redoable(number)));
        let orphaned = self.steps.orphaned.iter().enumerate();
        let orphaned = orphaned.map(|(number, step)| (step, UndoneSave::Orphaned(number)));
        let mut steps: HashMap<_, VecDeque<UndoneSave>> = HashMap::new();
        for (step, undone) in redoable.chain(orphaned) {
            steps.entry(made(step)).or_default().push_back(undone);
        }
        let step = |revision| steps.get_mut(&revised(revision))?.pop_front();
        revisions.into_iter().filter_map(step).collect()
    }

    /// Returns the context in which an undone step was made, if the step was saved.
    pub(crate) fn context_of_undone(&self, step: &UndoStep) -> Option<EditContext> {
        let mut undone = self.undone_revisions().into_iter();
        let (_, revision) = undone.find(|revision| revised(*revision) == made(step))?;
        revision.on.clone()
    }

    /// Counts the unsaved changes of all files, as the user made them: edits that were made together, and
    /// are undone together, count once.
    pub fn unsaved(&self) -> usize {
        let edits = self.files.unsaved();
        let is_joined = |step: &UndoStep| step.kind == Grouping::Joined;
        let (all, orphaned) = (self.steps.all(), &self.steps.orphaned);
        if edits == 0 || !all.iter().chain(orphaned).any(is_joined) {
            return edits;
        }
        let saved = self.saved_steps();
        let is_edited = |step: &UndoStep| self.files.is_edited(step.at);
        let mut unsaved: HashSet<UndoneSave> = self.undone_saves().into_iter().collect();
        let made = (0..self.steps.done()).filter(|number| !saved[*number]);
        unsaved.extend(made.map(UndoneSave::Redoable));
        let counts = |at: &UndoneSave| {
            let step = match *at {
                UndoneSave::Redoable(number) => &all[number],
                UndoneSave::Orphaned(number) => &orphaned[number],
            };
            unsaved.contains(at) && is_edited(step)
        };
        let follows = |at: &&UndoneSave| {
            let (joined, before) = match **at {
                UndoneSave::Redoable(number) => (
                    is_joined(&all[number]),
                    number.checked_sub(1).map(UndoneSave::Redoable),
                ),
                UndoneSave::Orphaned(number) => (
                    is_joined(&orphaned[number]),
                    number.checked_sub(1).map(UndoneSave::Orphaned),
                ),
            };
            joined && counts(at) && before.is_some_and(|before| counts(&before))
        };
        edits
            .saturating_sub(unsaved.iter().filter(follows).count())
            .max(1)
    }

    fn undone_revisions(&self) -> Vec<(DialogId, &Revision)> {
        let mut undone = Vec::new();
        for file in self.files.modified() {
            let corpus = self.files.get(file).and_then(OpenFile::corpus);
            let revisions = corpus.map(|corpus| corpus.history().unsaved().undone);
            let of_file = revisions.into_iter().flatten();
            undone.extend(of_file.map(|revision| (DialogId::new(file, revision.dialog), revision)));
        }
        undone
    }

    /// Returns for each step whether it is in force and saved.
    pub fn saved_steps(&self) -> Vec<bool> {
        let saved = |open: &OpenFile| {
            let corpus = open.corpus();
            corpus.map_or_else(Vec::new, |corpus| corpus.history().saved())
        };
        let mut saved: Vec<_> = self
            .files
            .all()
            .iter()
            .map(|open| saved(open).into_iter())
            .collect();
        let is_saved = |(number, step): (usize, &UndoStep)| {
            number < self.steps.done() && saved[step.at.file as usize].next() == Some(true)
        };
        self.steps.all().iter().enumerate().map(is_saved).collect()
    }
}

/// Returns the dialog and the edit of a step.
fn made(step: &UndoStep) -> (DialogId, &Edit) {
    (step.at, &step.edit)
}

/// Returns the dialog and the edit of a revision.
fn revised((at, revision): (DialogId, &Revision)) -> (DialogId, &Edit) {
    (at, &revision.edit)
}
