//! The steps that undo and redo go through, over all open files.
//!
//! Each file has its own revisions, in `corpus/history.rs`. [`UndoStack`] has their order over all files,
//! and what the user sees of each: a title and a place.

use std::ops::Range;

use super::DialogId;
use crate::dialog::Edit;

/// An edit and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct UndoStep {
    pub at: DialogId,
    pub turn: usize,
    pub segment: Option<usize>,
    /// A short description: "end 55 → 54 in turn 7".
    pub title: String,
    /// The author of the suggestion that it was; None if it was none.
    pub(crate) by: Option<String>,
    pub(crate) edit: Edit,
    pub(crate) kind: Grouping,
    /// Time of an edit of an earlier run, in milliseconds since 1970; [`THIS_RUN`] for this run.
    pub(crate) when: u64,
}

impl UndoStep {
    /// True if it is a part of the same change.
    fn is_part_of(&self, first: &Self) -> bool {
        let place = |step: &Self| (step.at, step.turn, step.segment);
        self.title == first.title && place(self) == place(first)
    }
}

/// The time of every edit of this run: later than all of earlier runs.
pub const THIS_RUN: u64 = u64::MAX;

/// An edge of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SegmentEdge {
    Start,
    End,
}

impl SegmentEdge {
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
        }
    }
}

/// Whether a step belongs to the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grouping {
    #[default]
    #[serde(alias = "nudge")]
    Alone,
    /// Moves one edge of a segment, which was at `from`; several in a row make one step.
    #[serde(rename = "moved_edge")]
    Nudge { edge: SegmentEdge, from: u32 },
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
    /// Number of steps in force, at the beginning of `all`; the others are undone.
    done: usize,
    /// Undone steps that redo does not reach, kept because their files on disk had them when they were
    /// undone. Later saves may have removed them.
    pub(crate) orphaned: Vec<UndoStep>,
    /// Steps that were reverted, the last at the end.
    pub(crate) reverted: Vec<RevertedStep>,
}

impl UndoStack {
    /// Returns all steps: those in force, then those that redo makes again.
    pub fn all(&self) -> &[UndoStep] {
        &self.all
    }

    /// Returns the number of steps in force.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Returns the steps in force.
    pub fn in_force(&self) -> &[UndoStep] {
        &self.all[..self.done]
    }

    /// Notes that the last steps in force were undone in their files.
    pub(crate) fn undo(&mut self, steps: usize) {
        self.done -= steps;
    }

    /// Notes that undone steps were made again in their files.
    pub(crate) fn redo(&mut self, steps: usize) {
        self.done += steps;
    }

    /// Adds steps that were just made in their files, and returns the undone steps, which redo no longer
    /// reaches.
    pub(super) fn push(&mut self, steps: Vec<UndoStep>) -> Vec<UndoStep> {
        let undone = self.all.split_off(self.done);
        self.all.extend(steps);
        self.done = self.all.len();
        undone
    }

    /// Removes the steps `reverted` from those in force, and the later ones that change nothing without
    /// them, `idle`; `rebased` holds the edits of the later steps as they are now. Returns the steps that
    /// were undone, reverted or made again.
    pub(super) fn remove(
        &mut self,
        reverted: Range<usize>,
        rebased: Vec<(usize, Edit)>,
        idle: Vec<usize>,
    ) -> Vec<UndoStep> {
        let mut gone = self.all.split_off(self.done);
        gone.extend_from_slice(&self.all[reverted.start..]);
        for (step, edit) in rebased {
            self.all[step].edit = edit;
        }
        for step in idle.into_iter().rev() {
            let removed = self.all.remove(step);
            if removed.kind != Grouping::Joined
                && let Some(next) = self.all.get_mut(step)
                && next.kind == Grouping::Joined
            {
                next.kind = Grouping::Alone;
            }
        }
        self.all.drain(reverted);
        self.done = self.all.len();
        gone
    }

    /// Replaces all steps: those in force, and the undone ones.
    pub(crate) fn set(&mut self, in_force: Vec<UndoStep>, undone: Vec<UndoStep>) {
        self.all = in_force;
        self.done = self.all.len();
        self.all.extend(undone);
    }

    /// Forgets the steps of a file, and the undone steps of all files.
    pub(crate) fn forget_file(&mut self, file: usize) {
        self.reverted.clear();
        self.all.truncate(self.done);
        self.all.retain(|step| step.at.file as usize != file);
        self.done = self.all.len();
    }

    /// Returns the steps that are undone and redone together with this one.
    pub(crate) fn together(&self, step: usize) -> Range<usize> {
        let alone = |i: &usize| self.all[*i].kind != Grouping::Joined;
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

/// A reverted step, with the data to re-apply it.
#[derive(Clone, Debug)]
pub struct RevertedStep {
    pub(crate) at: DialogId,
    pub(crate) title: String,
    /// Number of steps, with the joined ones.
    pub(crate) steps: usize,
    /// The steps in force before the revert, and the position of the first reverted one.
    pub(crate) before: Vec<UndoStep>,
    pub(crate) first: usize,
    /// The steps in force after it, and how many of them were made again in the file.
    pub(crate) behind: Vec<UndoStep>,
    pub(crate) again: usize,
}
