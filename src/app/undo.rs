//! Making, undoing and redoing edits.
//!
//! Each file keeps its own revisions. The order over all files is kept here, so that undo goes back
//! through them in the order in which they were made.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::line::elided;
use super::{App, Effect};
use crate::corpus::Revision;
use crate::dialog::Edit;
use crate::text::grouped;
use crate::workspace::{
    DialogAnalysis, DialogId, Grouping, JournalEntry, JournaledEdit, LockOutcome, THIS_RUN,
    UndoStep,
};

/// Columns for a file's name in a message on the status line.
const NAME: usize = 26;

impl App {
    /// Makes an edit of the open dialog. Returns false and reports why if it is refused. An edit
    /// without a change is not a step; that is reported too.
    pub(super) fn edit(&mut self, edit: &Edit, title: String) -> (bool, Vec<Effect>) {
        self.make(edit, title, Grouping::Alone)
    }

    /// Moves an edge of a segment; joins the step before if that moved the same edge.
    pub(super) fn nudge(&mut self, edit: &Edit, title: String) -> (bool, Vec<Effect>) {
        self.make(edit, title, Grouping::Nudge)
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
        let Some(shown) = self.transcript.at else {
            self.complain("no dialog to edit");
            return (false, Vec::new());
        };
        let Some((at, began)) = self.edited_at(shown, edit) else {
            return (false, Vec::new());
        };
        let (turn, segment) = (self.transcript.turn, self.transcript.segment);
        let step = UndoStep {
            at,
            turn,
            segment,
            title,
            edit: edit.clone(),
            kind,
            when: THIS_RUN,
        };
        let last = self.steps.all.get(self.steps.done.wrapping_sub(1));
        // "end 55 → 54 in turn 7": titles with different first words are about different edges.
        let what = |step: &UndoStep| step.title.split(' ').next().map(str::to_owned);
        let same = |l: &UndoStep| {
            l.kind == Grouping::Nudge
                && (l.at, l.turn, l.segment) == (at, turn, segment)
                && what(l) == what(&step)
        };
        // A saved state stays a step of its own, so that undo can go back to it.
        let is_saved = |l: &UndoStep| {
            let corpus = self.files.corpus(l.at);
            corpus.is_some_and(|corpus| corpus.history().ends_saved())
        };
        let merges =
            kind == Grouping::Nudge && last.is_some_and(|last| same(last) && !is_saved(last));
        let continued = last.filter(|_| merges);
        let title = continued.map_or_else(
            || step.title.clone(),
            |last| from_where(&last.title, &step.title),
        );
        let step = UndoStep { title, ..step };
        let mut effects: Vec<_> = began.into_iter().collect();
        if merges && let Some(entry) = self.files.undo(at.file) {
            effects.push(journal(at, entry));
            self.steps.done -= 1;
        }
        match self.files.edit(at, edit) {
            Ok(false) => {
                if merges {
                    self.reread();
                }
                self.say("no change");
                (true, effects)
            }
            Ok(true) => {
                effects.extend(self.push_step(step));
                (true, effects)
            }
            Err(refused) => {
                if merges {
                    // Put the step before back in force.
                    let entry = self.files.redo(at.file);
                    self.steps.done += usize::from(entry.is_some());
                    effects.extend(entry.map(|entry| journal(at, entry)));
                }
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
        let forgotten = self.steps.all.split_off(self.steps.done);
        self.steps.all.push(step);
        self.steps.done += 1;
        self.keep_orphaned(forgotten);
        self.reread();
        written
    }

    /// Returns the journal entry of the step that its file has just taken.
    pub(super) fn journal_entry(&self, step: &UndoStep) -> Option<JournalEntry> {
        let revision = self.files.corpus(step.at)?.history().current()?;
        Some(self.entry_of(step, revision))
    }

    /// A step and the revision that it made, as they are written down.
    pub(super) fn entry_of(&self, step: &UndoStep, revision: &Revision) -> JournalEntry {
        let open = (self.transcript.at == Some(step.at)).then_some(&self.transcript.dialog);
        let listed = || self.files.summary(step.at).map(|o| o.id.to_string());
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

    /// True if a dialog can be edited now; otherwise reports why.
    pub(super) fn may_edit(&mut self, at: DialogId) -> bool {
        let file = at.file as usize;
        if !self.may_decide(file) {
            return false;
        }
        if self.files.offered(file).is_some() {
            self.complain("first decide about the unsaved edits of the last run");
            self.offer_unsaved(file);
            return false;
        }
        true
    }

    /// True if this process may edit a file; otherwise reports why.
    pub(super) fn may_decide(&mut self, file: usize) -> bool {
        if let Err(why) = self.files.may_edit(file) {
            self.complain(why);
            return false;
        }
        let name = self.files.name(file);
        let name = elided(name, NAME);
        match self.files.lock(file) {
            LockOutcome::Ours => return true,
            LockOutcome::Taken(by) if by.is_empty() => self.complain(format!(
                "{name} is being edited by another process; read-only here"
            )),
            LockOutcome::Taken(by) => self.complain(format!(
                "{name} is being edited by process {by}; read-only here"
            )),
            LockOutcome::Changed => self.on_file_changed(file, false),
            LockOutcome::Past(past, unsaved, damage) => {
                self.files.set_history(file, past, unsaved);
                self.files.set_damage(file, damage.clone());
                self.take_past(file);
                self.take_arrived_pasts();
                if let Some(damage) = damage {
                    self.complain(damage);
                    // Show it again after the question.
                    self.status.news = true;
                }
                if self.files.offered(file).is_none() {
                    return true;
                }
                self.offer_unsaved(file);
            }
            LockOutcome::Damaged(damage) => {
                // The report of an edit would hide this message.
                self.complain(format!("{damage}; nothing was edited"));
                self.files.set_damage(file, Some(damage));
            }
            LockOutcome::Lost(why) => self.complain(why),
            LockOutcome::Regained(told) => self.complain(format!("nothing was edited: {told}")),
            LockOutcome::Newer => {
                self.files.set_newer(file, true);
                self.ask_about_newer(file);
            }
            LockOutcome::Unusable(why) => self.complain(format!("{name} is read-only here: {why}")),
        }
        false
    }

    /// Undoes the last step with those joined to it, and goes to its place.
    pub(super) fn undo(&mut self) -> Vec<Effect> {
        if self.was_just_reverted() {
            return self.reapply_reverted();
        }
        let Some(last) = self.steps.done.checked_sub(1) else {
            self.say("nothing to undo");
            return Vec::new();
        };
        let first = self.steps.together(last).start;
        if !self.may_undo(first..last + 1) || !self.may_edit_all(first..last + 1) {
            return Vec::new();
        }
        let saved = &self.saved_steps()[first..=last];
        let was_saved = saved.contains(&true);
        let past = match (was_saved, self.steps.all[first].when == THIS_RUN) {
            (true, true) if saved.contains(&false) => ", partly saved",
            (true, true) => ", which was saved",
            (true, false) => ", which an earlier run saved",
            (false, true) => "",
            (false, false) => ", which an earlier run made",
        };
        let mut effects = Vec::new();
        while self.steps.done > first {
            let in_force = &self.steps.all[first..self.steps.done];
            let at = in_force[in_force.len() - 1].at;
            let of_file = in_force.iter().rev().take_while(|s| s.at.file == at.file);
            let count = of_file.count();
            let undone = self.files.undo_last(at.file, count);
            self.steps.done -= undone;
            effects.extend((0..undone).map(|_| journal(at, JournalEntry::Undo)));
            if undone < count {
                self.complain("not undone: the dialog cannot be read");
                return effects;
            }
        }
        let step = self.steps.all[first].clone();
        self.forget_labels(first..last + 1);
        effects.extend(self.return_to(&step, first..last + 1));
        let more = and_n_more(last - first);
        self.say(format!("undone: {}{more}{past}", step.title));
        effects
    }

    /// Redoes the step that was undone last with those joined to it.
    pub(super) fn redo(&mut self) -> Vec<Effect> {
        let first = self.steps.done;
        if first >= self.steps.all.len() {
            self.say("nothing to redo");
            return Vec::new();
        }
        let end = self.steps.together(first).end;
        if !self.may_undo(first..end) || !self.may_edit_all(first..end) {
            return Vec::new();
        }
        let mut effects = Vec::new();
        while self.steps.done < end {
            let undone = &self.steps.all[self.steps.done..end];
            let at = undone[0].at;
            let count = undone.iter().take_while(|s| s.at.file == at.file).count();
            let redone = self.files.redo_next(at.file, count);
            self.steps.done += redone;
            effects.extend((0..redone).map(|_| journal(at, JournalEntry::Redo)));
            if redone < count {
                self.complain("not redone: the dialog cannot be read");
                return effects;
            }
        }
        let step = self.steps.all[first].clone();
        self.remember_labels(first..end);
        effects.extend(self.return_to(&step, first..end));
        self.say(format!(
            "redone: {}{}",
            step.title,
            and_n_more(end - first - 1)
        ));
        effects
    }

    /// True if all files of these steps can be edited; otherwise reports why.
    pub(super) fn may_edit_all(&mut self, steps: Range<usize>) -> bool {
        let mut files: Vec<DialogId> = self.steps.all[steps].iter().map(|step| step.at).collect();
        files.dedup_by_key(|at| at.file);
        let (all, done) = (self.steps.all.len(), self.steps.done);
        files.into_iter().all(|at| self.may_edit(at))
            // Locking a file may bring in edits of another process.
            && (all, done) == (self.steps.all.len(), self.steps.done)
    }

    /// Goes to a step, the first of those that were undone or redone.
    fn return_to(&mut self, step: &UndoStep, all: Range<usize>) -> Vec<Effect> {
        let steps = self.steps.all[all].iter();
        let touched: BTreeSet<DialogId> = steps.map(|step| self.files.judged_in(step.at)).collect();
        for at in touched {
            self.files.forget_summary(at);
        }
        let effects = self.open(self.files.judged_in(step.at));
        self.reread();
        self.transcript.go(step.turn);
        self.transcript.choose(step.segment);
        self.set_caret(None);
        effects
    }

    /// Reads the open dialog again after an edit; the position stays.
    pub(super) fn reread(&mut self) {
        let Some(at) = self.transcript.at else {
            return;
        };
        let analysis = self.files.analyse(at);
        self.count_problems();
        if let Ok(Some(DialogAnalysis {
            mut dialog, found, ..
        })) = analysis
        {
            for (new, old) in dialog
                .turns
                .iter_mut()
                .zip(&mut self.transcript.dialog.turns)
            {
                // The output of a detector comes from another file.
                if new.detections.is_empty() {
                    new.detections = std::mem::take(&mut old.detections);
                }
            }
            self.transcript.take_dialog(dialog);
            self.transcript.take_found(found);
        }
        self.count_votes();
        let segment = self.transcript.segment;
        self.transcript.mark(self.search.query.as_ref());
        self.transcript.choose(segment);
        self.details.forget();
    }
}

/// Returns the title of a move that continues another one: "end 35 → 36 in turn 7" and "end 36 → 37
/// in turn 7" become "end 35 → 37 in turn 7".
fn from_where(before: &str, now: &str) -> String {
    match (before.split_once('→'), now.split_once('→')) {
        (Some((from, _)), Some((_, to))) => format!("{from}→{to}"),
        _ => now.to_owned(),
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
