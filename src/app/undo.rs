//! Making, undoing and redoing edits. The order of the steps over all files is in [`UndoStack`].
//!
//! [`UndoStack`]: crate::workspace::UndoStack

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::{App, Effect};
use crate::corpus::Revision;
use crate::dialog::Edit;
use crate::text::grouped;
use crate::workspace::{
    DialogAnalysis, DialogId, Grouping, JournalEntry, JournaledEdit, SegmentEdge, THIS_RUN,
    UndoStep,
};

impl App {
    /// Makes an edit of the open dialog. Returns false and reports why if it is refused. An edit
    /// without a change is not a step; that is reported too.
    pub(super) fn edit(&mut self, edit: &Edit, title: String) -> (bool, Vec<Effect>) {
        self.make(edit, title, Grouping::Alone)
    }

    /// Moves an edge of a segment; joins the step before if that moved the same edge.
    pub(super) fn nudge(
        &mut self,
        edit: &Edit,
        edge: SegmentEdge,
        (from, to): (u32, u32),
    ) -> (bool, Vec<Effect>) {
        let title = |from| {
            let (edge, turn) = (edge.name(), edit.turn());
            format!("{edge} {from} → {to} in turn {turn}")
        };
        let Some((at, from)) = self.continued_nudge(edge) else {
            return self.make(edit, title(from), Grouping::Nudge { edge, from });
        };
        if !self.may_edit(at) {
            return (false, Vec::new());
        }
        // Both moves become one step.
        let undone = self.workspace.files.undo(at.file);
        self.workspace.steps.done -= usize::from(undone.is_some());
        let mut effects: Vec<_> = undone.into_iter().map(|entry| journal(at, entry)).collect();
        let before = self.workspace.steps.done;
        let (made, more) = self.make(edit, title(from), Grouping::Nudge { edge, from });
        effects.extend(more);
        if !made {
            let redone = self.workspace.files.redo(at.file);
            self.workspace.steps.done += usize::from(redone.is_some());
            effects.extend(redone.map(|entry| journal(at, entry)));
        } else if self.workspace.steps.done == before {
            // The edge is back where it was.
            self.reread();
        }
        (made, effects)
    }

    /// Returns the dialog of the last step, and where the edge was before it, if that step moved this
    /// edge of the current segment.
    fn continued_nudge(&self, edge: SegmentEdge) -> Option<(DialogId, u32)> {
        let last = &self.workspace.steps.all[self.workspace.steps.done.checked_sub(1)?];
        let shown = &self.panes.transcript;
        let is_here =
            Some(last.at) == shown.at && (last.turn, last.segment) == (shown.turn, shown.segment);
        // A saved state stays a step of its own, so that undo can go back to it.
        let is_saved = self.workspace.files.corpus(last.at)?.history().ends_saved();
        match last.kind {
            Grouping::Nudge { edge: moved, from } if moved == edge && is_here && !is_saved => {
                Some((last.at, from))
            }
            _ => None,
        }
    }

    /// Makes an edit that belongs to the edit before it.
    pub(super) fn edit_joined(&mut self, edit: &Edit, title: String) -> (bool, Vec<Effect>) {
        self.make(edit, title, Grouping::Joined)
    }

    pub(super) fn make(
        &mut self,
        edit: &Edit,
        title: String,
        kind: Grouping,
    ) -> (bool, Vec<Effect>) {
        let Some(shown) = self.panes.transcript.at else {
            self.complain("no dialog to edit");
            return (false, Vec::new());
        };
        let Some((at, began)) = self.edited_at(shown, edit) else {
            return (false, Vec::new());
        };
        let (turn, segment) = (self.panes.transcript.turn, self.panes.transcript.segment);
        let step = UndoStep {
            at,
            turn,
            segment,
            title,
            edit: edit.clone(),
            kind,
            when: THIS_RUN,
        };
        let mut effects: Vec<_> = began.into_iter().collect();
        match self.workspace.files.edit(at, edit) {
            Ok(false) => {
                self.say("no change");
                (true, effects)
            }
            Ok(true) => {
                effects.extend(self.push_step(step));
                (true, effects)
            }
            Err(refused) => {
                self.complain(refused.to_string());
                (false, effects)
            }
        }
    }

    /// Pushes a step that its file has just taken.
    pub(super) fn push_step(&mut self, step: UndoStep) -> Option<Effect> {
        let written = self
            .journal_entry(&step)
            .map(|entry| journal(step.at, entry));
        let forgotten = self
            .workspace
            .steps
            .all
            .split_off(self.workspace.steps.done);
        self.workspace.steps.all.push(step);
        self.workspace.steps.done += 1;
        self.keep_orphaned(forgotten);
        self.reread();
        written
    }

    /// Returns the journal entry of the step that its file has just taken.
    pub(super) fn journal_entry(&self, step: &UndoStep) -> Option<JournalEntry> {
        let revision = self.workspace.files.corpus(step.at)?.history().current()?;
        Some(self.entry_of(step, revision))
    }

    /// A step and the revision that it made, as they are written down.
    pub(super) fn entry_of(&self, step: &UndoStep, revision: &Revision) -> JournalEntry {
        let open =
            (self.panes.transcript.at == Some(step.at)).then_some(&self.panes.transcript.dialog);
        let listed = || {
            self.workspace
                .files
                .summary(step.at)
                .map(|o| o.id.to_string())
        };
        let id = open.map(|dialog| dialog.id.clone()).or_else(listed);
        JournalEntry::Edit(Arc::new(JournaledEdit {
            dialog: step.at.dialog,
            id: id.filter(|id| !id.is_empty()),
            edit: revision.edit.clone(),
            on: revision.on.clone(),
            turn: step.turn,
            segment: step.segment,
            title: step.title.clone(),
            kind: step.kind,
            patch: revision.patch.clone(),
            inverse: revision.inverse.clone(),
            when: if step.when == THIS_RUN { 0 } else { step.when },
        }))
    }

    /// Undoes the last step with those joined to it, and goes to its place.
    pub(super) fn undo(&mut self) -> Vec<Effect> {
        if self.was_just_reverted() {
            return self.reapply_reverted();
        }
        let Some(last) = self.workspace.steps.done.checked_sub(1) else {
            self.say("nothing to undo");
            return Vec::new();
        };
        let first = self.workspace.steps.together(last).start;
        if !self.may_undo(first..last + 1) || !self.may_edit_all(first..last + 1) {
            return Vec::new();
        }
        let saved = &self.saved_steps()[first..=last];
        let was_saved = saved.contains(&true);
        let past = match (was_saved, self.workspace.steps.all[first].when == THIS_RUN) {
            (true, true) if saved.contains(&false) => ", partly saved",
            (true, true) => ", which was saved",
            (true, false) => ", which an earlier run saved",
            (false, true) => "",
            (false, false) => ", which an earlier run made",
        };
        let mut effects = Vec::new();
        while self.workspace.steps.done > first {
            let in_force = &self.workspace.steps.all[first..self.workspace.steps.done];
            let at = in_force[in_force.len() - 1].at;
            let of_file = in_force.iter().rev().take_while(|s| s.at.file == at.file);
            let count = of_file.count();
            let undone = self.workspace.files.undo_last(at.file, count);
            self.workspace.steps.done -= undone;
            effects.extend((0..undone).map(|_| journal(at, JournalEntry::Undo)));
            if undone < count {
                self.complain("not undone: the dialog cannot be read");
                return effects;
            }
        }
        let step = self.workspace.steps.all[first].clone();
        self.forget_labels(first..last + 1);
        effects.extend(self.return_to(&step, first..last + 1));
        let more = and_n_more(last - first);
        let title = self.title_of(&step).into_owned();
        self.say(format!("undone: {title}{more}{past}"));
        effects
    }

    /// Redoes the last undone step, together with the steps joined to it.
    pub(super) fn redo(&mut self) -> Vec<Effect> {
        let first = self.workspace.steps.done;
        if first >= self.workspace.steps.all.len() {
            self.say("nothing to redo");
            return Vec::new();
        }
        let end = self.workspace.steps.together(first).end;
        if !self.may_undo(first..end) || !self.may_edit_all(first..end) {
            return Vec::new();
        }
        let mut effects = Vec::new();
        while self.workspace.steps.done < end {
            let undone = &self.workspace.steps.all[self.workspace.steps.done..end];
            let at = undone[0].at;
            let count = undone.iter().take_while(|s| s.at.file == at.file).count();
            let redone = self.workspace.files.redo_next(at.file, count);
            self.workspace.steps.done += redone;
            effects.extend((0..redone).map(|_| journal(at, JournalEntry::Redo)));
            if redone < count {
                self.complain("not redone: the dialog cannot be read");
                return effects;
            }
        }
        let step = self.workspace.steps.all[first].clone();
        self.remember_labels(first..end);
        effects.extend(self.return_to(&step, first..end));
        let more = and_n_more(end - first - 1);
        let title = self.title_of(&step).into_owned();
        self.say(format!("redone: {title}{more}"));
        effects
    }

    /// True if all files of these steps can be edited; otherwise reports why.
    pub(super) fn may_edit_all(&mut self, steps: Range<usize>) -> bool {
        let mut files: Vec<DialogId> = self.workspace.steps.all[steps]
            .iter()
            .map(|step| step.at)
            .collect();
        files.dedup_by_key(|at| at.file);
        files.into_iter().all(|at| self.may_edit(at))
    }

    /// Returns the files that undoing `count` times edits.
    pub(super) fn files_to_undo(&self, count: usize) -> Vec<usize> {
        let reverted = self.workspace.steps.taken_back.last();
        let reverted = reverted.filter(|_| self.was_just_reverted());
        let mut files: Vec<_> = reverted.iter().map(|step| step.at.file as usize).collect();
        let mut first = self.workspace.steps.done;
        for _ in 0..count {
            let Some(last) = first.checked_sub(1) else {
                break;
            };
            first = self.workspace.steps.together(last).start;
            files.extend(self.files_of_steps(first..last + 1));
        }
        files
    }

    /// Returns the files that redoing `count` times edits.
    pub(super) fn files_to_redo(&self, count: usize) -> Vec<usize> {
        let (mut files, mut first) = (Vec::new(), self.workspace.steps.done);
        for _ in 0..count {
            if first >= self.workspace.steps.all.len() {
                break;
            }
            let end = self.workspace.steps.together(first).end;
            files.extend(self.files_of_steps(first..end));
            first = end;
        }
        files
    }

    /// Goes to a step, the first of those that were undone or redone.
    fn return_to(&mut self, step: &UndoStep, all: Range<usize>) -> Vec<Effect> {
        let steps = self.workspace.steps.all[all].iter();
        let touched: BTreeSet<DialogId> = steps
            .map(|step| self.workspace.files.judged_in(step.at))
            .collect();
        for at in touched {
            self.workspace.files.forget_summary(at);
        }
        let effects = self.open(self.workspace.files.judged_in(step.at));
        self.reread();
        self.panes.transcript.go(step.turn);
        self.panes.transcript.choose(step.segment);
        self.set_caret(None);
        effects
    }

    /// Reads the open dialog again after an edit; the position stays.
    pub(super) fn reread(&mut self) {
        let Some(at) = self.panes.transcript.at else {
            return;
        };
        let analysis = self.workspace.files.analyse(at);
        self.count_problems();
        if let Ok(Some(DialogAnalysis {
            mut dialog, found, ..
        })) = analysis
        {
            for (new, old) in dialog
                .turns
                .iter_mut()
                .zip(&mut self.panes.transcript.dialog.turns)
            {
                // The output of a detector comes from another file.
                if new.detections.is_empty() {
                    new.detections = std::mem::take(&mut old.detections);
                }
            }
            self.panes.transcript.take_dialog(dialog);
            self.panes.transcript.take_found(found);
        }
        self.count_votes();
        let segment = self.panes.transcript.segment;
        self.panes.transcript.mark(self.search.query.as_ref());
        self.panes.transcript.choose(segment);
        self.panes.details.forget();
    }
}

/// Returns "and N more" for the steps joined to another.
pub(super) fn and_n_more(more: usize) -> String {
    match more {
        0 => String::new(),
        n => format!(", and {} more", grouped(n)),
    }
}

pub(super) fn journal(at: DialogId, entry: JournalEntry) -> Effect {
    Effect::Journal {
        file: at.file as usize,
        entry,
    }
}
