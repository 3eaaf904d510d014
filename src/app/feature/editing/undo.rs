//! Making, undoing and redoing edits. The order of the steps over all files is in [`UndoStack`].
//!
//! [`UndoStack`]: crate::workspace::UndoStack

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::app::core::app::App;
use crate::app::core::msg::Effect;
use crate::app::feature::editing::{labels, revert};
use crate::app::feature::finding::search;
use crate::app::feature::judging::judge;
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
    pub fn edit(&mut self, edit: &Edit, title: String) -> (bool, Vec<Effect>) {
        self.make(edit, title, Grouping::Alone)
    }

    /// Moves an edge of a segment; joins the step before if that moved the same edge.
    pub fn nudge(
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
    pub fn edit_joined(&mut self, edit: &Edit, title: String) -> (bool, Vec<Effect>) {
        self.make(edit, title, Grouping::Joined)
    }

    pub fn make(&mut self, edit: &Edit, title: String, kind: Grouping) -> (bool, Vec<Effect>) {
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
    pub fn push_step(&mut self, step: UndoStep) -> Option<Effect> {
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
    pub fn journal_entry(&self, step: &UndoStep) -> Option<JournalEntry> {
        let revision = self.workspace.files.corpus(step.at)?.history().current()?;
        Some(self.entry_of(step, revision))
    }

    /// A step and the revision that it made, as they are written down.
    pub fn entry_of(&self, step: &UndoStep, revision: &Revision) -> JournalEntry {
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

    /// True if all files of these steps can be edited; otherwise reports why.
    pub fn may_edit_all(&mut self, steps: Range<usize>) -> bool {
        let mut files: Vec<DialogId> = self.workspace.steps.all[steps]
            .iter()
            .map(|step| step.at)
            .collect();
        files.dedup_by_key(|at| at.file);
        files.into_iter().all(|at| self.may_edit(at))
    }

    /// Reads the open dialog again after an edit; the position stays.
    pub fn reread(&mut self) {
        let Some(at) = self.panes.transcript.at else {
            return;
        };
        let analysis = self.workspace.files.analyse(at);
        search::count_problems(self);
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
        judge::count_votes(self);
        let segment = self.panes.transcript.segment;
        self.panes.transcript.mark(self.search.query.as_ref());
        self.panes.transcript.choose(segment);
        self.panes.details.forget();
    }
}

/// Undoes the last step with those joined to it, and goes to its place.
pub fn undo(app: &mut App) -> Vec<Effect> {
    if revert::was_just_reverted(app) {
        return revert::reapply_reverted(app);
    }
    let Some(last) = app.workspace.steps.done.checked_sub(1) else {
        app.say("nothing to undo");
        return Vec::new();
    };
    let first = app.workspace.steps.together(last).start;
    if !app.may_undo(first..last + 1) || !app.may_edit_all(first..last + 1) {
        return Vec::new();
    }
    let saved = &app.saved_steps()[first..=last];
    let was_saved = saved.contains(&true);
    let past = match (was_saved, app.workspace.steps.all[first].when == THIS_RUN) {
        (true, true) if saved.contains(&false) => ", partly saved",
        (true, true) => ", which was saved",
        (true, false) => ", which an earlier run saved",
        (false, true) => "",
        (false, false) => ", which an earlier run made",
    };
    let mut effects = Vec::new();
    while app.workspace.steps.done > first {
        let in_force = &app.workspace.steps.all[first..app.workspace.steps.done];
        let at = in_force[in_force.len() - 1].at;
        let of_file = in_force.iter().rev().take_while(|s| s.at.file == at.file);
        let count = of_file.count();
        let undone = app.workspace.files.undo_last(at.file, count);
        app.workspace.steps.done -= undone;
        effects.extend((0..undone).map(|_| journal(at, JournalEntry::Undo)));
        if undone < count {
            app.complain("not undone: the dialog cannot be read");
            return effects;
        }
    }
    let step = app.workspace.steps.all[first].clone();
    labels::forget_labels(app, first..last + 1);
    effects.extend(return_to(app, &step, first..last + 1));
    let more = and_n_more(last - first);
    let title = app.title_of(&step).into_owned();
    app.say(format!("undone: {title}{more}{past}"));
    effects
}

/// Redoes the last undone step, together with the steps joined to it.
pub fn redo(app: &mut App) -> Vec<Effect> {
    let first = app.workspace.steps.done;
    if first >= app.workspace.steps.all.len() {
        app.say("nothing to redo");
        return Vec::new();
    }
    let end = app.workspace.steps.together(first).end;
    if !app.may_undo(first..end) || !app.may_edit_all(first..end) {
        return Vec::new();
    }
    let mut effects = Vec::new();
    while app.workspace.steps.done < end {
        let undone = &app.workspace.steps.all[app.workspace.steps.done..end];
        let at = undone[0].at;
        let count = undone.iter().take_while(|s| s.at.file == at.file).count();
        let redone = app.workspace.files.redo_next(at.file, count);
        app.workspace.steps.done += redone;
        effects.extend((0..redone).map(|_| journal(at, JournalEntry::Redo)));
        if redone < count {
            app.complain("not redone: the dialog cannot be read");
            return effects;
        }
    }
    let step = app.workspace.steps.all[first].clone();
    labels::remember_labels(app, first..end);
    effects.extend(return_to(app, &step, first..end));
    let more = and_n_more(end - first - 1);
    let title = app.title_of(&step).into_owned();
    app.say(format!("redone: {title}{more}"));
    effects
}

/// Returns the files that undoing `count` times edits.
pub fn files_to_undo(app: &App, count: usize) -> Vec<usize> {
    let reverted = app.workspace.steps.taken_back.last();
    let reverted = reverted.filter(|_| revert::was_just_reverted(app));
    let mut files: Vec<_> = reverted.iter().map(|step| step.at.file as usize).collect();
    let mut first = app.workspace.steps.done;
    for _ in 0..count {
        let Some(last) = first.checked_sub(1) else {
            break;
        };
        first = app.workspace.steps.together(last).start;
        files.extend(app.files_of_steps(first..last + 1));
    }
    files
}

/// Returns the files that redoing `count` times edits.
pub fn files_to_redo(app: &App, count: usize) -> Vec<usize> {
    let (mut files, mut first) = (Vec::new(), app.workspace.steps.done);
    for _ in 0..count {
        if first >= app.workspace.steps.all.len() {
            break;
        }
        let end = app.workspace.steps.together(first).end;
        files.extend(app.files_of_steps(first..end));
        first = end;
    }
    files
}

/// Goes to a step, the first of those that were undone or redone.
fn return_to(app: &mut App, step: &UndoStep, all: Range<usize>) -> Vec<Effect> {
    let steps = app.workspace.steps.all[all].iter();
    let touched: BTreeSet<DialogId> = steps
        .map(|step| app.workspace.files.judged_in(step.at))
        .collect();
    for at in touched {
        app.workspace.files.forget_summary(at);
    }
    let effects = app.open(app.workspace.files.judged_in(step.at));
    app.reread();
    app.panes.transcript.go(step.turn);
    app.panes.transcript.choose(step.segment);
    app.panes.transcript.set_caret(None);
    effects
}

/// Returns "and N more" for the steps joined to another.
pub fn and_n_more(more: usize) -> String {
    match more {
        0 => String::new(),
        n => format!(", and {} more", grouped(n)),
    }
}

pub fn journal(at: DialogId, entry: JournalEntry) -> Effect {
    Effect::Journal {
        file: at.file as usize,
        entry,
    }
}
