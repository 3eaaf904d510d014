//! Runs the effects that the program asks for: long ones in the background, the others at once. The main
//! loop itself runs those that need the terminal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Runtime;
use crate::app::{
    App, EditsToExport, Effect, FiguresOf, IgnoresChange, Msg, conflicts_while_saving,
};
use crate::corpus::positions;
use crate::lint::IgnoresLine;
use crate::query::{CountKey, Query};
use crate::shell::runtime::job::JobKind;
use crate::shell::runtime::jobs::{
    AnswerScope, BlameScope, FixScope, MadeText, QueueScope, SearchScope, Sink as _,
};
use crate::shell::runtime::loading::{FileToRead, index_files};
use crate::shell::runtime::save_job::SaveRequest;
use crate::shell::runtime::{jobs, save_job};
use crate::shell::storage::access::OwnerChange;
use crate::shell::storage::conflicts::keep_conflicts;
use crate::shell::storage::edit_lock::{corpora_of, path_of};
use crate::shell::storage::ignores_file::{self, read_side_files};
use crate::shell::storage::journal::{WriteRequest, journal_of};
use crate::shell::storage::leftover_edits::{ExportedEdits, export_edits};
use crate::shell::storage::read_again::read_again;
use crate::shell::storage::save::write_text;
use crate::shell::storage::user::remember_annotator;
use crate::shell::storage::{Companions, add_questions, companions, leftover_edits};
use crate::text::counted;
use crate::workspace::{DialogId, JournalOp, OpenFile, Outdated, QueueJudge, QueueKind};

/// Makes the text of figures, with the number of the line that is shown first.
type MakeFigures = Box<dyn FnOnce(&mut dyn FnMut(usize) -> bool) -> (String, usize) + Send>;

impl Runtime<'_> {
    /// Makes the text of figures.
    fn figures(&self, app: &App, number: u64, of: FiguresOf) {
        let path = |file: usize| self.path(app, file);
        let scope = || {
            let view = app.panes.transcript.judge.clone();
            AnswerScope::new(&app.workspace.files, path, app.judge(), view)
        };
        let make: MakeFigures = match of {
            FiguresOf::Groups => {
                let scope = scope();
                Box::new(move |goes_on| (scope.groups(goes_on), 0))
            }
            FiguresOf::Team => {
                let scope = scope();
                Box::new(move |goes_on| (scope.team(goes_on), 0))
            }
            FiguresOf::Blame { at, turn } => {
                let file = at.file as usize;
                let corpus = app.workspace.files.get(file).and_then(OpenFile::corpus).cloned();
                let dialog = app.workspace.files.dialog(at).ok().flatten();
                let (Some(path), Some(file), Some((dialog, _))) = (path(file), corpus, dialog)
                else {
                    let text = "the dialog cannot be read".to_owned();
                    return self.tell(Msg::Figures { number, text, first: 0 });
                };
                let scope = BlameScope { path, file, position: at.dialog as usize, dialog };
                Box::new(move |goes_on| jobs::blame(scope, turn, goes_on))
            }
        };
        let read = if matches!(of, FiguresOf::Blame { .. }) { "version" } else { "dialog" };
        self.jobs.start(JobKind::Figures, number, move |job| {
            let (text, first) = make(&mut |done| {
                if job.is_due() {
                    let text = format!("reading … {}", counted(done, read));
                    job.send(Msg::Figures { number, text, first: 0 });
                }
                !job.is_cancelled()
            });
            if !job.is_cancelled() {
                job.send(Msg::Figures { number, text, first });
            }
        });
    }

    fn tell(&self, msg: Msg) {
        self.jobs.reports.send(msg);
    }

    /// Runs an effect, or starts it in the background.
    pub(super) fn start(&self, app: &App, effect: Effect) {
        let files = &app.workspace.files;
        match effect {
            Effect::Summarize { file } => {
                if let Some(snapshot) = files.snapshot(file) {
                    self.jobs.summarize(file, snapshot);
                }
            }
            Effect::Load { file } => self.load(app, file),
            Effect::Search { search, query, from, only } => {
                let scope = SearchScope::new(files, query, app.judge(), from, search).only(only);
                self.jobs.start(JobKind::Search, search, move |job| jobs::search(&scope, job));
            }
            Effect::CancelSearch => {
                self.jobs.cancel(JobKind::Search);
                self.jobs.cancel(JobKind::Hits);
            }
            Effect::CountHits { search, query, key } => self.count_hits(app, search, query, key),
            Effect::ExportHits { query, path } => self.export_hits(app, query, path),
            Effect::WriteReport { path } => self.write_report(app, path),
            Effect::Companions { at, id } => self.look_beside(app, at, id),
            Effect::Locate { at } => self.locate(app, at),
            Effect::Save { file, changing_owner } => self.save(app, file, changing_owner),
            Effect::Journal { file, what } => self.write_down(app, file, what),
            Effect::Queue { number, wanted, judge } => self.queue(app, number, wanted, judge),
            Effect::Figures { number, of } => self.figures(app, number, of),
            Effect::CancelFigures => self.jobs.cancel(JobKind::Figures),
            Effect::FindFixes { number, dialogs, source } => {
                let scope = FixScope::new(files, dialogs, source, number);
                self.jobs.start(JobKind::Fixes, number, |job| jobs::find_fixes(scope, job));
            }
            Effect::CancelFixes => self.jobs.cancel(JobKind::Fixes),
            Effect::Ignore { at, line, change } => self.ignore(at, line, change),
            Effect::WriteConflicts { file, on_disk, text } => {
                let path = self.path(app, file);
                let kept = path.map(|path| keep_conflicts(&path, &on_disk, &text));
                if let Some(Err(why)) = kept {
                    self.tell(Msg::Complaint(why));
                }
            }
            Effect::Remember => (self.remember)(app),
            Effect::AddQuestions { name } => self.add_questions(app, &name),
            Effect::RememberAnnotator(id) => {
                if let Some(state) = &self.state {
                    remember_annotator(state, &id);
                }
            }
            Effect::CheckFiles => {
                let all = (0..files.len()).filter_map(|file| Some((file, self.path(app, file)?)));
                self.watch.look_at_all(all.collect());
                self.look_around(app, Vec::new());
            }
            Effect::Reload { file } => self.reload(app, file),
            Effect::ExportEdits { files, all } => self.export(app, files, all),
            // The main loop runs these itself.
            Effect::Copy { .. }
            | Effect::Redraw
            | Effect::NextTheme
            | Effect::Suspend
            | Effect::Quit => {}
        }
    }

    fn count_hits(&self, app: &App, search: u64, query: Query, key: CountKey) {
        let (files, first) = (&app.workspace.files, DialogId::default());
        let mut scope = SearchScope::new(files, query, app.judge(), first, search);
        if key.is_about_judgements() {
            scope = scope.with_judgements(files);
        }
        self.jobs.start(JobKind::Hits, search, move |job| jobs::count_hits(&scope, key, job));
    }

    fn queue(&self, app: &App, number: u64, kind: QueueKind, judge: QueueJudge) {
        let path = |file: usize| self.path(app, file);
        let (files, judging) = (&app.workspace.files, app.judging.on);
        let scope = QueueScope::new(files, path, judging, number, kind, judge);
        let labels = |path: &Path, id: &str| companions(path, id).labels;
        self.jobs.run(move || Some(jobs::queue(&scope, labels)));
    }

    fn add_questions(&self, app: &App, name: &str) {
        let Some(file) = self.paths.first() else {
            return;
        };
        let keymap = &app.input.keymap;
        let test = |key| Some(keymap.needed_to_judge(key)?.doc());
        self.tell(match add_questions(name, file, self.root.as_deref(), &test) {
            Ok((path, scheme)) => {
                Msg::Questions { path: path.display().to_string(), scheme: Box::new(scheme) }
            }
            Err(why) => Msg::Complaint(format!("no question was added: {why}")),
        });
    }

    /// Adds a line to the ignores file or removes it at once, because the program may quit with the next key, and then reads
    /// all ignores files again.
    fn ignore(&self, at: DialogId, line: Box<IgnoresLine>, change: IgnoresChange) {
        let changed =
            match self.paths.get(at.file as usize) {
                Some(path) => ignores_file::change(path, self.root.as_deref(), &line, change),
                None => Err("this file did not exist when turnwise started; open its folder again"
                    .to_owned()),
            };
        if let Err(why) = changed {
            let why = format!("the list of ignored problems is unchanged: {why}");
            return self.tell(Msg::Complaint(why));
        }
        let paths = Arc::clone(&self.paths);
        self.jobs.run(move || {
            Some(match read_side_files(paths.iter().map(PathBuf::as_path)) {
                Ok(ignores) => Msg::Ignores { at, line, change, ignores: Box::new(ignores) },
                Err(why) => {
                    Msg::Complaint(format!("the list of ignored problems cannot be read: {why}"))
                }
            })
        });
    }

    /// Looks at files that are followed, and finds files that have appeared in the folders that were opened.
    fn look_around(&self, app: &App, followed: Vec<(usize, PathBuf)>) {
        let later = app.workspace.files.later_paths().map(Path::to_owned);
        self.watch.look_around(followed, self.paths.iter().cloned().chain(later).collect());
    }

    fn load(&self, app: &App, file: usize) {
        if let Some(path) = self.path(app, file) {
            let name = app.workspace.files.name(file).to_owned();
            let files = vec![FileToRead { file, name, path }];
            let (reading, state) = (self.reading.clone(), self.state.clone());
            index_files(files, self.watch.family(), reading, state, self.jobs.reports.clone());
        }
    }

    fn reload(&self, app: &App, file: usize) {
        let Some(path) = self.path(app, file) else {
            return;
        };
        let (reading, reports) = (self.reading.clone(), self.jobs.reports.clone());
        let formats = app.workspace.files.formats(file);
        self.writers.spawn_fifo(move || {
            reports.send(match read_again(file, &path, &formats, &reading) {
                Ok((bytes, index)) => Msg::Reloaded { file, bytes, index: Box::new(index) },
                Err(why) => Msg::Complaint(why),
            });
        });
    }

    fn save(&self, app: &App, file: usize, changing_owner: bool) {
        let corpus = app.workspace.files.get(file).and_then(|open| open.corpus().cloned());
        let (Some(path), Some(corpus)) = (self.path(app, file), corpus) else {
            return;
        };
        let new = app.workspace.files.is_new(file);
        let request = SaveRequest {
            file,
            new,
            change: if changing_owner { OwnerChange::Allow } else { OwnerChange::Refuse },
            about: corpora_of(&app.workspace.files, &self.paths, &path).collect(),
            conflicts: conflicts_while_saving(app, file),
        };
        let journal = self.journal(app, file);
        let journal = journal.map(|journal| (self.journals.clone(), journal));
        let (reading, reports) = (self.reading.clone(), self.jobs.reports.clone());
        let locks = self.locks.clone();
        self.writers.spawn_fifo(move || {
            if let Some(reason) = locks.and_then(|locks| locks.refusal(file)) {
                reports.send(Msg::SaveFailed { file, reason });
                return;
            }
            save_job::save(request, &path, &corpus, &reading, journal.as_ref(), &reports);
        });
    }

    /// Exports edits to files: with `all`, the leftover edits of an earlier run; otherwise the edits
    /// given.
    fn export(&self, app: &App, wanted: Vec<EditsToExport>, all: bool) {
        let Some(state) = &self.state else {
            let message = "edits cannot be exported: no home folder was found".to_owned();
            return self.tell(Msg::Complaint(message));
        };
        let (mut files, mut kept) = (Vec::new(), Vec::new());
        for EditsToExport { file, records, undone } in wanted {
            let Some(path) = self.path(app, file) else {
                continue;
            };
            let outcome = export_edits(state, &path, &records);
            files.extend(outcome.is_ok().then_some(file));
            kept.push(ExportedEdits {
                name: app.workspace.files.name(file).to_owned(),
                edits: records.len(),
                undone,
                outcome,
            });
        }
        let message = leftover_edits::message(&kept);
        let failed = files.len() < kept.len();
        if !files.is_empty() {
            let message = message.clone();
            self.tell(Msg::Exported { files, all, message });
        }
        if failed {
            self.tell(Msg::Complaint(message));
        }
    }

    /// Checks whether another program has changed the file on the screen, unless the user knows of a
    /// change.
    pub(super) fn look_at_open_file(&self, app: &App) {
        if self.watch.is_search_due() {
            let files = &app.workspace.files;
            let followed = (0..files.len()).filter(|file| files.is_followed(*file));
            let followed = followed.filter_map(|file| Some((file, self.path(app, file)?)));
            self.look_around(app, followed.collect());
        }
        let file = app.panes.transcript.at.map(|at| at.file as usize);
        let file = file.filter(|file| app.workspace.files.outdated(*file) != Outdated::Reported);
        if let Some((file, path)) = file.and_then(|file| Some((file, self.path(app, file)?))) {
            self.watch.look_at(file, path);
        }
    }

    /// Returns the path of a file that was opened, or of one that was not there at the start.
    fn path(&self, app: &App, file: usize) -> Option<PathBuf> {
        path_of(&app.workspace.files, &self.paths, file)
    }

    /// Writes to a file's journal, if it can have one.
    fn write_down(&self, app: &App, file: usize, what: JournalOp) {
        let corpus = app.workspace.files.get(file).and_then(OpenFile::corpus);
        let hash = corpus.and_then(|corpus| corpus.index().hash);
        if let (Some(journal), Some(hash)) = (self.journal(app, file), hash) {
            self.journals.write(WriteRequest { journal, hash, what });
        }
    }

    fn journal(&self, app: &App, file: usize) -> Option<PathBuf> {
        Some(journal_of(self.state.as_ref()?, &self.path(app, file)?))
    }

    fn look_beside(&self, app: &App, at: DialogId, id: String) {
        let Some(path) = self.path(app, at.file as usize) else {
            return;
        };
        self.jobs.run(move || {
            let Companions { context, labels, trouble } = companions(&path, &id);
            let is_any = context.is_some() || labels.is_some() || trouble.is_some();
            let labels = labels.map(Box::new);
            is_any.then_some(Msg::Companions { at, context, labels, trouble })
        });
    }

    /// Finds the line number at which a dialog begins.
    fn locate(&self, app: &App, at: DialogId) {
        let Some(corpus) = app.workspace.files.corpus(at) else {
            return;
        };
        if let Some(piece) = corpus.index().pieces.get(at.dialog as usize) {
            let (bytes, start) = (corpus.shared_source(), piece.start);
            self.jobs.run(move || {
                let line = positions(&*bytes, &[start]).ok()?[0].line;
                Some(Msg::Located { at, line })
            });
        }
    }

    /// Exports all hits of a query to the new file at `path`.
    fn export_hits(&self, app: &App, query: Query, path: String) {
        let scope = Self::scope(app, query);
        self.jobs.run(move || Some(write_new(&path, &jobs::export_hits(&scope))));
    }

    /// Writes a report of all dialogs to the new file at `path`.
    fn write_report(&self, app: &App, path: String) {
        let Some(query) = jobs::every_dialog() else { return };
        let scope = Self::scope(app, query).with_judgements(&app.workspace.files);
        self.jobs.run(move || Some(write_new(&path, &jobs::report(&scope))));
    }

    /// Returns the scope of a query of all files, which nobody cancels.
    fn scope(app: &App, query: Query) -> SearchScope {
        SearchScope::new(&app.workspace.files, query, app.judge(), DialogId::default(), 0)
    }
}

/// Writes what a job has made to the new file at `path`.
fn write_new(path: &str, made: &MadeText) -> Msg {
    let write = |text: &[u8]| {
        let written = write_text(Path::new(path), text, &[], false);
        written.map(drop).map_err(|error| error.to_string())
    };
    // The folder is that in which the program was started.
    let whole = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
    made.put(&whole.display().to_string(), write)
}
