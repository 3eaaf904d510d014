//! Reverting: takes back a single step and keeps the later ones; also goes to the place of a step.

use std::ops::Range;

use super::undo::{and_n_more, journal};
use super::{App, Effect, Focus, command};
use crate::dialog::Edit;
use crate::workspace::{DialogId, Grouping, OpenFile, RevertedStep, UndoStep};

impl App {
    /// Returns for each step whether it is in force and saved.
    pub(super) fn saved_steps(&self) -> Vec<bool> {
        let saved = |open: &OpenFile| {
            let corpus = open.corpus();
            corpus.map_or_else(Vec::new, |corpus| corpus.history().saved())
        };
        let mut saved: Vec<_> = self
            .workspace
            .files
            .all()
            .iter()
            .map(|open| saved(open).into_iter())
            .collect();
        let is_saved = |(number, step): (usize, &UndoStep)| {
            number < self.workspace.steps.done && saved[step.at.file as usize].next() == Some(true)
        };
        self.workspace
            .steps
            .all
            .iter()
            .enumerate()
            .map(is_saved)
            .collect()
    }

    /// Goes to the place of a step.
    pub(super) fn go_to_step(&mut self, step: Option<&UndoStep>) -> Vec<Effect> {
        let Some(step) = step else {
            return Vec::new();
        };
        let at = self.workspace.files.judged_in(step.at);
        let (turn, segment) = (step.turn, step.segment);
        self.panes.focus_on(Focus::Transcript);
        self.go_to(at, turn, segment)
    }

    /// Reverts a step with those joined to it, and keeps the later ones.
    pub(super) fn revert_step(&mut self, step: usize) -> Vec<Effect> {
        if step >= self.workspace.steps.done {
            self.say("already undone");
            return Vec::new();
        }
        let Range { start: first, end } = self.workspace.steps.together(step);
        let end = end.min(self.workspace.steps.done);
        let at = self.workspace.steps.all[first].at;
        if self.workspace.steps.all[first..end]
            .iter()
            .any(|step| step.at.file != at.file)
        {
            if end == self.workspace.steps.done {
                return self.undo();
            }
            self.say("this step changed several files: only undo can take it back");
            return Vec::new();
        }
        if !self.may_edit_all(first..end) {
            return Vec::new();
        }
        let after: Vec<usize> = (end..self.workspace.steps.done)
            .filter(|i| self.workspace.steps.all[*i].at.file == at.file)
            .collect();
        let Some(edits) = self.edits_without(first..end, &after) else {
            return Vec::new();
        };
        let title = self.workspace.steps.all[first].title.clone();
        let mut effects = Vec::new();
        for _ in 0..end - first + after.len() {
            effects.extend(
                self.workspace
                    .files
                    .undo(at.file)
                    .map(|entry| journal(at, entry)),
            );
        }
        // Steps that change nothing without the reverted ones.
        let mut idle = Vec::new();
        for (place, (at, edit)) in edits.iter().enumerate() {
            match self.workspace.files.edit(*at, edit) {
                Ok(true) => {
                    let entry = self.journal_entry(&self.workspace.steps.all[after[place]]);
                    effects.extend(entry.map(|entry| journal(*at, entry)));
                }
                Ok(false) => idle.push(after[place]),
                Err(refused) => {
                    // Restore the state before: undo the steps made again, then make all as before.
                    let name = self.workspace.steps.all[after[place]].title.clone();
                    for _ in 0..place - idle.len() {
                        self.workspace.files.undo(at.file);
                    }
                    for i in (first..end).chain(after) {
                        let UndoStep { at, edit, .. } = &self.workspace.steps.all[i];
                        let _ = self.workspace.files.edit(*at, edit);
                    }
                    self.complain(format!("\"{name}\" depends on it: {refused}"));
                    return Vec::new();
                }
            }
        }
        let again = after.len() - idle.len();
        let mut forgotten = self
            .workspace
            .steps
            .all
            .split_off(self.workspace.steps.done);
        let before = self.workspace.steps.all.clone();
        forgotten.extend_from_slice(&before[first..]);
        for (i, (_, edit)) in after.iter().zip(edits) {
            self.workspace.steps.all[*i].edit = edit;
        }
        for i in idle.into_iter().rev() {
            let gone = self.workspace.steps.all.remove(i);
            self.workspace.steps.done -= 1;
            if gone.kind != Grouping::Joined
                && let Some(next) = self.workspace.steps.all.get_mut(i)
                && next.kind == Grouping::Joined
            {
                next.kind = Grouping::Alone;
            }
        }
        self.workspace.steps.all.drain(first..end);
        self.workspace.steps.done -= end - first;
        self.keep_orphaned(forgotten);
        self.workspace
            .files
            .forget_summary(self.workspace.files.judged_in(at));
        self.reread();
        let undo = self.input.keymap.shown(&command::UNDO);
        let more = and_n_more(end - first - 1);
        self.say(format!("reverted: {title}{more}; {undo} restores it"));
        let behind = self.workspace.steps.all.clone();
        self.workspace.steps.taken_back.push(RevertedStep {
            at,
            title,
            steps: end - first,
            before,
            first,
            behind,
            again,
        });
        effects
    }

    /// True if the last action was a revert.
    pub(super) fn was_just_reverted(&self) -> bool {
        let last = self.workspace.steps.taken_back.last();
        last.is_some_and(|last| {
            self.workspace.steps.all[..self.workspace.steps.done] == last.behind
        })
    }

    /// Re-applies the step that was reverted last.
    pub(super) fn reapply_reverted(&mut self) -> Vec<Effect> {
        let Some(last) = self.workspace.steps.taken_back.last().cloned() else {
            return Vec::new();
        };
        let at = last.at;
        if !self.may_edit(at) {
            return Vec::new();
        }
        self.workspace.steps.taken_back.pop();
        let mut effects = Vec::new();
        for _ in 0..last.again {
            effects.extend(
                self.workspace
                    .files
                    .undo(at.file)
                    .map(|entry| journal(at, entry)),
            );
        }
        let steps = last.before[last.first..].iter();
        for step in steps.filter(|step| step.at.file == at.file) {
            // The text is the same as when the edit was first made.
            if let Ok(true) = self.workspace.files.edit(step.at, &step.edit) {
                effects.extend(
                    self.journal_entry(step)
                        .map(|entry| journal(step.at, entry)),
                );
            }
        }
        self.workspace.steps.all = last.before;
        self.workspace.steps.done = self.workspace.steps.all.len();
        self.workspace
            .files
            .forget_summary(self.workspace.files.judged_in(at));
        self.reread();
        let more = and_n_more(last.steps - 1);
        self.say(format!("restored: {}{more}", last.title));
        effects
    }

    /// Returns the edits of the steps `after`, rebased to work without the steps `gone`; reports it
    /// and returns None if one of them depends on those.
    fn edits_without(
        &mut self,
        gone: Range<usize>,
        after: &[usize],
    ) -> Option<Vec<(DialogId, Edit)>> {
        let mut edits = Vec::new();
        for i in after {
            let step = &self.workspace.steps.all[*i];
            let of_dialog = self.workspace.steps.all[gone.clone()]
                .iter()
                .rev()
                .filter(|other| other.at == step.at);
            let mut dropped = of_dialog.map(|other| &other.edit);
            let without =
                dropped.try_fold(step.edit.clone(), |edit, gone| edit.rebased_without(gone));
            match without {
                Some(edit) => edits.push((step.at, edit)),
                None => {
                    let title = step.title.clone();
                    self.say(format!("\"{title}\" depends on it: revert that first"));
                    return None;
                }
            }
        }
        Some(edits)
    }
}
