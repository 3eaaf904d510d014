//! Recovery: takes over the edit history of earlier runs, which can be undone here, and offers the
//! edits that the last run left unsaved.
//!
//! A file is not edited until the user has decided about its unsaved edits: new ones would mix with
//! the old.

use std::collections::{BTreeSet, HashSet};

use super::journal_entry::{EditHistory, JournalEntry, JournaledEdit};
use super::line::{Ink, Line, wrapped};
use super::msg::{DialogId, EditsToExport, Msg};
use super::undo::{THIS_RUN, UndoStep, journal};
use super::{App, Effect, Overlay, Question, command, details};
use crate::corpus::{CorpusFile, DialogRef};
use crate::text::counted;

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
                self.files.set_history(file, past, unsaved);
                Vec::new()
            }
            Msg::Damaged { file, message } => {
                self.files.set_damage(file, Some(message));
                Vec::new()
            }
            Msg::NewerJournal { file } => {
                self.files.set_newer(file, true);
                self.files.unasked = true;
                Vec::new()
            }
            Msg::PutAside { files, message } => {
                for file in files {
                    self.files.set_newer(file, false);
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
        let Some(past) = self.files.take_history(file) else {
            return;
        };
        let steps = past.made.iter().map(|made| step(file, made)).collect();
        self.arrived.pasts.push((file, steps, past.done));
        self.files.unasked = true;
    }

    /// Asks about the unsaved edits of the last run once all files are read: until then the question
    /// may still grow to cover more files.
    pub(super) fn offer_once_read(&mut self) {
        if !self.files.unasked || self.files.progress().is_some() {
            return;
        }
        self.files.unasked = false;
        for file in self.files.with_undecided() {
            self.offer_unsaved(file);
            self.ask_about_newer(file);
        }
    }

    /// Asks whether to edit a file although a newer version of turnwise wrote its journal; one
    /// question covers all such files.
    pub(super) fn ask_about_newer(&mut self, file: usize) {
        if !self.files.is_newer(file) {
            return;
        }
        let open = match &mut self.overlay {
            Some(Overlay::Question(question)) => Some(question),
            _ => None,
        };
        let asked = open.into_iter().chain(&mut self.questions);
        let files = asked.filter_map(|question| match question {
            Question::NewerJournal { files } => Some(files),
            _ => None,
        });
        if let Some(files) = files.last() {
            files.insert(file);
        } else {
            let files = BTreeSet::from([file]);
            self.questions.push_back(Question::NewerJournal { files });
        }
    }

    /// Asks about the unsaved edits of the last run; one question covers all files that are known to
    /// have some.
    pub(super) fn offer_unsaved(&mut self, file: usize) {
        let Some((past, entries)) = self.files.offered(file) else {
            return;
        };
        let more = past.after(entries).differing(past);
        let columns = self.window_columns();
        let is_shown =
            |question: &Question| matches!(question, Question::Recover { shown: Some(_), .. });
        let open = matches!(&self.overlay, Some(Overlay::Question(open)) if is_shown(open));
        let shown = open || self.questions.iter().any(is_shown);
        let lines = shown.then(|| self.offered_lines(file, columns));
        let open = match &mut self.overlay {
            Some(Overlay::Question(question)) => Some(question),
            _ => None,
        };
        let asked = open.into_iter().chain(&mut self.questions);
        for question in asked {
            let Question::Recover {
                files,
                count,
                shown,
            } = question
            else {
                continue;
            };
            if files.insert(file) {
                *count += more;
                if let Some(shown) = shown {
                    shown.lines.extend(lines.into_iter().flatten());
                }
            }
            return;
        }
        self.questions.push_back(Question::Recover {
            files: BTreeSet::from([file]),
            count: more,
            shown: None,
        });
    }

    /// Asks again about all unsaved edits of the last run.
    pub(super) fn ask_about_unsaved(&mut self) {
        if !self.files.any_undecided() && !self.files.any_newer() {
            self.say("the last run left no edits to decide about");
        }
        for file in self.files.with_undecided() {
            self.offer_unsaved(file);
            self.ask_about_newer(file);
        }
    }

    /// Queues a question, unless it is open or queued already.
    pub(super) fn ask_once(&mut self, question: Question) {
        let open = matches!(&self.overlay, Some(Overlay::Question(q)) if q.is_same(&question));
        if !open && !self.questions.iter().any(|q| q.is_same(&question)) {
            self.questions.push_back(question);
        }
    }

    /// Replaces the steps of files. Each file comes with its steps, those in force first, and their
    /// number; the steps of all files are merged by time.
    pub(super) fn set_steps(&mut self, pasts: Vec<(usize, Vec<UndoStep>, usize)>) {
        let files: HashSet<usize> = pasts.iter().map(|(file, ..)| *file).collect();
        let of_others = |step: &UndoStep| !files.contains(&(step.at.file as usize));
        let mut undone = self.steps.all.split_off(self.steps.done);
        undone.retain(of_others);
        let in_force = &mut self.steps.all;
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
        self.steps.done = in_force.len();
        in_force.extend(undone);
    }

    /// Restores the unsaved edits of the last run.
    pub(super) fn recover(&mut self, files: &BTreeSet<usize>) -> Vec<Effect> {
        let (mut count, mut refused, mut effects) = (0, 0, Vec::new());
        let mut pasts = Vec::new();
        let (mut lost, before) = (Vec::new(), self.progress_text());
        self.files.find_judged(files.iter().copied());
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
        if self.transcript.at.is_some() {
            self.reread();
        }
        self.count_unsaved_votes();
        if let Some((before, now)) = before.zip(self.progress_text()) {
            // The question covered the progress; its message must show the new count.
            self.covered.text = self.covered.text.replace(&before, &now);
        }
        // Otherwise the next key would change a restored vote.
        effects.extend(self.leave_judged());
        self.list.rebuild(&self.files);
        let edits = counted(count, "unsaved edit");
        let [save, undo] = [&command::SAVE, &command::UNDO].map(|name| self.keymap.shown(name));
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
            written.extend(self.files.undo(file as u32));
        }
        let damaged = self.files.damage(file).is_some();
        let mut steps: Vec<_> = past.made[..shared].iter().map(|m| step(file, m)).collect();
        let (mut done, mut refused) = (shared, Vec::new());
        for (number, made) in after.made.iter().enumerate().skip(shared) {
            let step = step(file, made);
            let holds = self.files.has_dialog(step.at);
            // In a damaged journal an earlier edit may be missing, so the text has to match.
            let on = made.on.as_ref().filter(|_| damaged);
            match holds.then(|| self.files.edit_on(step.at, &step.edit, on)) {
                Some(Ok(true)) => {}
                Some(Ok(false)) => continue,
                _ => {
                    // An undone edit does not have to fit.
                    let record = || made.record(self.files.name(file)).to_string();
                    refused.extend((number < after.done).then(record));
                    continue;
                }
            }
            written.extend(self.journal_entry(&step));
            steps.push(step);
            done += usize::from(number < after.done);
        }
        for _ in done..steps.len() {
            written.extend(self.files.undo(file as u32));
        }
        let made = steps[shared..].iter().map(|step| step.at);
        let undone = past.made[shared..past.done].iter();
        let touched = made.chain(undone.map(|made| at(file, made)));
        for at in touched.collect::<BTreeSet<DialogId>>() {
            self.files.forget_summary(at);
        }
        self.files.decided(file);
        let entries = written;
        Some(Restored {
            count: after.differing(&past),
            refused,
            effect: Effect::RewriteJournal { file, entries },
            past: (file, steps, done),
        })
    }

    /// Discards the unsaved edits of the last run.
    pub(super) fn discard_offered(&mut self, files: &BTreeSet<usize>) -> Vec<Effect> {
        let mut effects = Vec::new();
        for file in files.iter().copied() {
            if self.what_to_decide(file).is_some() {
                self.files.decided(file);
                let entries = Vec::new();
                effects.push(Effect::RewriteJournal { file, entries });
            }
        }
        if !effects.is_empty() {
            self.say("edits of the last run discarded");
        }
        effects
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
            self.say("undone saves cannot be exported: restore or discard them");
            self.offer_unsaved(file);
            return None;
        }
        Some(kept)
    }

    /// Returns the unsaved edits of a file in the form to export.
    pub(super) fn offered_to_export(&self, file: usize) -> Option<EditsToExport> {
        let (past, entries) = self.files.offered(file)?;
        let after = past.after(entries);
        let shared = past.shared(&after);
        let made = after.in_force()[shared..].iter();
        let record = |made: &JournaledEdit| {
            let id = self.files.summary(at(file, made)).map(|o| o.id.to_string());
            let mut record = made.record(self.files.name(file));
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
            self.files.decided(*file);
            let (file, entries) = (*file, Vec::new());
            Effect::RewriteJournal { file, entries }
        };
        files.iter().map(decided).collect()
    }

    /// Returns the unsaved edits of a file and the history they follow; None if it cannot be edited
    /// now.
    fn what_to_decide(&mut self, file: usize) -> Option<(EditHistory, Vec<JournalEntry>)> {
        let (past, entries) = self.files.offered(file)?;
        let offered = (past.clone(), entries.to_vec());
        self.may_decide(file).then_some(offered)
    }

    /// Returns the lines of a file's unsaved edits, each with its changes to the text.
    pub(super) fn offered_lines(&self, file: usize, columns: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let Some((past, entries)) = self.files.offered(file) else {
            return lines;
        };
        let Some(mut corpus) = self.files.get(file).and_then(|f| f.corpus().cloned()) else {
            return lines;
        };
        let damage = self.files.damage(file);
        if let Some(message) = damage {
            lines.extend(wrapped(
                Line::of(Ink::Plain, " "),
                Ink::Warning,
                message,
                columns,
            ));
        }
        let after = past.after(entries);
        let shared = past.shared(&after);
        for made in past.in_force()[shared..].iter().rev() {
            self.offered_line("undone ", (file, made), columns, &mut lines);
            let differs = changed_by(&mut corpus, made, columns, |corpus| corpus.undo().is_some());
            lines.extend(if self.hides_edit(&made.edit) {
                Vec::new()
            } else {
                differs
            });
        }
        for made in &after.in_force()[shared..] {
            self.offered_line("", (file, made), columns, &mut lines);
            let differs = changed_by(&mut corpus, made, columns, |corpus| {
                let on = made.on.as_ref().filter(|_| damage.is_some());
                let made = corpus.edit_on(made.dialog as usize, &made.edit, on);
                made.is_ok()
            });
            lines.extend(if self.hides_edit(&made.edit) {
                Vec::new()
            } else {
                differs
            });
        }
        lines
    }

    fn offered_line(
        &self,
        sign: &str,
        (file, made): (usize, &JournaledEdit),
        columns: usize,
        lines: &mut Vec<Line>,
    ) {
        let at = self.files.judged_in(at(file, made));
        let outline = self.files.summary(at);
        let id = outline.map_or_else(String::new, |o| format!("  {}", o.id));
        let head = Line::of(Ink::Changed, " ● ").with(Ink::Dim, sign);
        let text = format!("{}{id}", self.titled(&made.title, &made.edit, false));
        lines.extend(wrapped(head, Ink::Plain, &text, columns));
    }
}

/// Returns the difference that `run` makes in the text of the dialog of `made`.
fn changed_by<S: crate::corpus::Source>(
    corpus: &mut CorpusFile<S>,
    made: &JournaledEdit,
    columns: usize,
    run: impl Fn(&mut CorpusFile<S>) -> bool,
) -> Vec<Line> {
    let dialog = made.dialog as usize;
    if dialog >= corpus.index().pieces.len() {
        return Vec::new();
    }
    let before = corpus.text(dialog).unwrap_or_default();
    if !run(corpus) {
        return vec![Line::of(Ink::Warning, "   no longer fits")];
    }
    details::difference(&before, &corpus.text(dialog).unwrap_or_default(), columns)
}

fn at(file: usize, made: &JournaledEdit) -> DialogId {
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

impl App {
    /// Journals that the user quit without saving, so that the unsaved edits of the last run stay
    /// undone.
    pub(super) fn leave_unsaved(&self) -> Vec<Effect> {
        let left = |file| journal(DialogId::first_of(file), JournalEntry::QuitUnsaved);
        self.files.modified().map(left).collect()
    }
}
