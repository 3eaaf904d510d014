//! Recovery: takes over the edit history of earlier runs, which can be undone here, and restores,
//! exports or discards the edits that the last run left unsaved.
//!
//! A file is not edited until the user has decided about its unsaved edits: new ones would mix with
//! the old.

use std::collections::{BTreeSet, HashSet};

use super::msg::{EditsToExport, Msg};
use super::status::Subject;
use super::{App, Effect, command};
use crate::corpus::DialogRef;
use crate::text::counted;
use crate::workspace::{DialogId, EditHistory, JournalEntry, JournaledEdit, THIS_RUN, UndoStep};

/// The result of restoring the unsaved edits of a file.
struct Restored {
    /// Number of edits made or undone.
    count: usize,
    /// Edits that do not fit now, as records.
    refused: Vec<String>,
    effect: Effect,
    /// The file, its steps, and how many of them are in force.
    past: (usize, Vec<UndoStep>, usize),
}

impl App {
    /// Handles a message about journals.
    pub(super) fn take_of_journals(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::History {
                file,
                past,
                unsaved,
            } => {
                self.workspace.files.set_history(file, past, unsaved);
                Vec::new()
            }
            Msg::Damaged { file, message } => {
                self.workspace.files.set_damage(file, Some(message));
                Vec::new()
            }
            Msg::NewerJournal { file } => {
                self.workspace.files.set_newer(file, true);
                self.workspace.files.unasked = true;
                Vec::new()
            }
            Msg::PutAside { files, message } => {
                for file in files {
                    self.workspace.files.set_newer(file, false);
                }
                self.say(message);
                Vec::new()
            }
            Msg::Exported {
                files,
                all,
                message,
            } => self.on_exported(&files, all, message),
            _ => Vec::new(),
        }
    }

    /// Takes over the history that earlier runs left for a file that was just read.
    pub(super) fn take_past(&mut self, file: usize) {
        let Some(past) = self.workspace.files.take_history(file) else {
            return;
        };
        let steps = past.made.iter().map(|made| step(file, made)).collect();
        self.session.arrived.pasts.push((file, steps, past.done));
        self.workspace.files.unasked = true;
    }

    /// Replaces the steps of files. Each file comes with its steps, those in force first, and their
    /// number; the steps of all files are merged by time.
    pub(super) fn set_steps(&mut self, pasts: Vec<(usize, Vec<UndoStep>, usize)>) {
        let files: HashSet<usize> = pasts.iter().map(|(file, ..)| *file).collect();
        let of_others = |step: &UndoStep| !files.contains(&(step.at.file as usize));
        let mut undone = self
            .workspace
            .steps
            .all
            .split_off(self.workspace.steps.done);
        undone.retain(of_others);
        let in_force = &mut self.workspace.steps.all;
        in_force.retain(of_others);
        for (_, mut steps, done) in pasts {
            undone.extend(steps.split_off(done));
            // A clock may go backwards; the steps of one file still keep their order.
            let mut when = 0;
            for step in &mut steps {
                when = step.when.max(when);
                step.when = when;
            }
            in_force.extend(steps);
        }
        in_force.sort_by_key(|step| step.when);
        self.workspace.steps.done = in_force.len();
        in_force.extend(undone);
    }

    /// Restores the unsaved edits of the last run.
    pub(super) fn recover(&mut self, files: &BTreeSet<usize>) -> Vec<Effect> {
        let (mut count, mut refused, mut effects) = (0, 0, Vec::new());
        let mut pasts = Vec::new();
        let mut lost = Vec::new();
        self.workspace.files.find_judged(files.iter().copied());
        for file in files {
            let Some(again) = self.make_again(*file) else {
                continue;
            };
            count += again.count;
            refused += again.refused.len();
            effects.push(again.effect);
            pasts.push(again.past);
            if !again.refused.is_empty() {
                let (file, records, undone) = (*file, again.refused, 0);
                lost.push(EditsToExport {
                    file,
                    records,
                    undone,
                });
            }
        }
        if effects.is_empty() {
            return effects;
        }
        self.set_steps(pasts);
        if !lost.is_empty() {
            let (files, all) = (lost, false);
            effects.push(Effect::ExportEdits { files, all });
        }
        if self.panes.transcript.at.is_some() {
            self.reread();
        }
        self.count_unsaved_votes();
        if let Some(now) = self.progress_text() {
            // The question covered the progress; its message must show the new count.
            self.overlay.covered.update(Subject::Progress, &now);
        }
        // Otherwise the next key would change a restored vote.
        effects.extend(self.leave_judged());
        self.panes.list.rebuild(&self.workspace.files);
        let edits = counted(count, "unsaved edit");
        let [save, undo] =
            [&command::SAVE, &command::UNDO].map(|name| self.input.keymap.shown(name));
        let mut message = format!("{edits} of the last run restored; {save} saves, {undo} undoes");
        if refused > 0 {
            message = format!("{message}; {refused} no longer fit");
        }
        self.say(message);
        effects
    }

    /// Restores the unsaved edits of a file; None if it cannot be edited now.
    fn make_again(&mut self, file: usize) -> Option<Restored> {
        let (past, entries) = self.what_to_decide(file)?;
        let after = past.after(&entries);
        let shared = past.shared(&after);
        let mut written = Vec::new();
        for _ in shared..past.done {
            written.extend(self.workspace.files.undo(file as u32));
        }
        let damaged = self.workspace.files.damage(file).is_some();
        let mut steps: Vec<_> = past.made[..shared].iter().map(|m| step(file, m)).collect();
        let (mut done, mut refused) = (shared, Vec::new());
        for (number, made) in after.made.iter().enumerate().skip(shared) {
            let step = step(file, made);
            let holds = self.workspace.files.has_dialog(step.at);
            // In a damaged journal an earlier edit may be missing, so the text has to match.
            let on = made.on.as_ref().filter(|_| damaged);
            match holds.then(|| self.workspace.files.edit_on(step.at, &step.edit, on)) {
                Some(Ok(true)) => {}
                Some(Ok(false)) => continue,
                _ => {
                    // An undone edit does not have to fit.
                    let record = || made.record(self.workspace.files.name(file)).to_string();
                    refused.extend((number < after.done).then(record));
                    continue;
                }
            }
            written.extend(self.journal_entry(&step));
            steps.push(step);
            done += usize::from(number < after.done);
        }
        for _ in done..steps.len() {
            written.extend(self.workspace.files.undo(file as u32));
        }
        let made = steps[shared..].iter().map(|step| step.at);
        let undone = past.made[shared..past.done].iter();
        let touched = made.chain(undone.map(|made| at(file, made)));
        for at in touched.collect::<BTreeSet<DialogId>>() {
            self.workspace.files.forget_summary(at);
        }
        self.workspace.files.decided(file);
        let entries = written;
        Some(Restored {
            count: after.differing(&past),
            refused,
            effect: Effect::RewriteJournal { file, entries },
            past: (file, steps, done),
        })
    }

    /// Exports the unsaved edits of the last run.
    pub(super) fn export_offered(&mut self, files: &BTreeSet<usize>) -> Vec<Effect> {
        let kept = files.iter().filter_map(|file| self.keep_of(*file));
        let files: Vec<_> = kept.collect();
        if files.is_empty() {
            return Vec::new();
        }
        let all = true;
        vec![Effect::ExportEdits { files, all }]
    }

    fn keep_of(&mut self, file: usize) -> Option<EditsToExport> {
        self.what_to_decide(file)?;
        let kept = self.offered_to_export(file)?;
        if kept.records.is_empty() {
            self.say(
                "these edits only undo saved ones; edit files cannot express that, so restore or discard them",
            );
            self.offer_unsaved(file);
            return None;
        }
        Some(kept)
    }

    /// Returns the unsaved edits of a file in the form to export.
    pub(super) fn offered_to_export(&self, file: usize) -> Option<EditsToExport> {
        let (past, entries) = self.workspace.files.offered(file)?;
        let after = past.after(entries);
        let shared = past.shared(&after);
        let made = after.in_force()[shared..].iter();
        let record = |made: &JournaledEdit| {
            let id = self
                .workspace
                .files
                .summary(at(file, made))
                .map(|o| o.id.to_string());
            let mut record = made.record(self.workspace.files.name(file));
            if let Some(id) = id.filter(|id| !id.is_empty()) {
                record.dialog = DialogRef::Id(id);
            }
            record
        };
        Some(EditsToExport {
            file,
            records: made.map(|made| record(made).to_string()).collect(),
            undone: past.done - shared,
        })
    }

    /// Handles an export; turnwise stops offering the edits if it covers `all` of them.
    pub(super) fn on_exported(
        &mut self,
        files: &[usize],
        all: bool,
        message: String,
    ) -> Vec<Effect> {
        if !all {
            self.complain(message);
            return Vec::new();
        }
        self.say(message);
        let decided = |file: &usize| {
            self.workspace.files.decided(*file);
            let (file, entries) = (*file, Vec::new());
            Effect::RewriteJournal { file, entries }
        };
        files.iter().map(decided).collect()
    }

    /// Returns the unsaved edits of a file and the history they follow; None if it cannot be edited
    /// now.
    pub(super) fn what_to_decide(
        &mut self,
        file: usize,
    ) -> Option<(EditHistory, Vec<JournalEntry>)> {
        let (past, entries) = self.workspace.files.offered(file)?;
        let offered = (past.clone(), entries.to_vec());
        self.may_decide(file).then_some(offered)
    }
}

pub(super) fn at(file: usize, made: &JournaledEdit) -> DialogId {
    DialogId::new(file, made.dialog as usize)
}

fn step(file: usize, made: &JournaledEdit) -> UndoStep {
    UndoStep {
        at: at(file, made),
        turn: made.turn,
        segment: made.segment,
        title: made.title.clone(),
        edit: made.edit.clone(),
        kind: made.kind,
        when: made.when.min(THIS_RUN - 1),
    }
}
