//! Runs the effects that the program asks for: long ones in the background, the others at once. The main
//! loop itself runs those that need the terminal.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::Runtime;
use super::locking::{corpora_of, path_of};
use crate::app::{App, EditsToExport, Effect, FiguresOf, Msg, conflicts_while_saving};
use crate::query::{CountKey, Query};
use crate::shell::RealFs;
use crate::shell::runtime::job::Job;
use crate::shell::runtime::jobs::{
    AnswerScope, BlameScope, FixScope, QueueScope, SearchScope, Sink as _,
};
use crate::shell::runtime::loading::{FileToRead, index_files};
use crate::shell::runtime::messages::{MessageSender, Pace};
use crate::shell::runtime::save_job::SaveRequest;
use crate::shell::runtime::{background, jobs, save_job, watch};
use crate::shell::storage::access::OwnerChange;
use crate::shell::storage::conflicts::keep_conflicts;
use crate::shell::storage::journal::{JournalOp, NewFile, WriteRequest, journal_of};
use crate::shell::storage::leftover_edits::{ExportedEdits, export_edits};
use crate::shell::storage::past::put_newer_aside;
use crate::shell::storage::save::{Content, Expect, Save};
use crate::shell::storage::user::remember_annotator;
use crate::shell::storage::{Companions, companions, leftover_edits};
use crate::text::counted;
use crate::workspace::{DialogId, OpenFile, QueueJudge, QueueKind};

/// Makes the text of figures, with the number of the line that is shown first.
type MakeFigures = Box<dyn FnOnce(&mut dyn FnMut(usize) -> bool) -> (String, usize) + Send>;

impl Runtime<'_> {
    /// Makes the text of figures.
    fn figures(&self, app: &App, number: u64, of: FiguresOf, reports: MessageSender) {
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
                    reports.send(Msg::Figures { number, text, first: 0 });
                    return;
                };
                let scope = BlameScope { path, file, position: at.dialog as usize, dialog };
                Box::new(move |goes_on| jobs::blame(scope, turn, goes_on))
            }
        };
        let read = if matches!(of, FiguresOf::Blame { .. }) { "version" } else { "dialog" };
        self.figures.start(number, Pace::steady(), reports, move |job: &mut Job| {
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

    /// Runs an effect, or starts it in the background.
    pub(super) fn start(&self, app: &App, effect: Effect) {
        let reports = MessageSender::new(self.to.clone());
        match effect {
            Effect::Summarize { file } => {
                if let Some(snapshot) = app.workspace.files.snapshot(file) {
                    self.summarizer.summarize(file, snapshot);
                }
            }
            Effect::Load { file } => self.load(app, file, reports),
            Effect::Search { search, query, from, only } => {
                let files = &app.workspace.files;
                let scope = SearchScope::new(files, query, app.judge(), from, search).only(only);
                let work = move |job: &mut Job| jobs::search(&scope, job);
                self.search.start(search, Pace::steady(), reports, work);
            }
            Effect::Prefetch { at } => {
                if let Some(snapshot) = app.workspace.files.snapshot(at.file as usize) {
                    background::prefetch(at, snapshot, reports);
                }
            }
            Effect::CancelSearch => {
                self.search.cancel();
                self.hits.cancel();
            }
            Effect::CountHits { search, query, key } => {
                self.count_hits(app, search, query, key, reports);
            }
            Effect::ExportHits { query, path } => export_hits(app, query, path, reports),
            Effect::WriteReport { path } => write_report(app, path, reports),
            Effect::Companions { at, id } => self.look_beside(app, at, id, reports),
            Effect::Locate { at } => locate(app, at, reports),
            Effect::Save { file } => self.save(app, file, OwnerChange::Refuse, reports),
            Effect::SaveChangingOwner { file } => {
                self.save(app, file, OwnerChange::Allow, reports);
            }
            Effect::JournalBegins { file, name, text } => {
                self.write_down(app, file, JournalOp::Begins(NewFile { name, text }));
            }
            Effect::Journal { file, entry } => self.write_down(app, file, JournalOp::Did(entry)),
            Effect::JournalSaved { file } => self.write_down(app, file, JournalOp::Saved),
            Effect::RewriteJournal { file, entries } => {
                self.write_down(app, file, JournalOp::Rewrite(entries));
            }
            Effect::Queue { number, wanted, judge } => {
                self.queue(app, number, wanted, judge, reports)
            }
            Effect::Figures { number, of } => self.figures(app, number, of, reports),
            Effect::CancelFigures => self.figures.cancel(),
            Effect::FindFixes { number, dialogs, source } => {
                let scope = FixScope::new(&app.workspace.files, dialogs, source, number);
                let work = move |job: &mut Job| jobs::find_fixes(scope, job);
                self.bulk_fix.start(number, Pace::steady(), reports, work);
            }
            Effect::CancelFixes => self.bulk_fix.cancel(),
            Effect::Ignore { at, line, change } => {
                let paths = Arc::clone(&self.paths);
                background::ignore(paths, self.root.as_deref(), at, line, change, reports);
            }
            Effect::WriteConflicts { file, on_disk, text } => {
                self.keep_conflicts(app, file, [&on_disk, &text], &reports)
            }
            Effect::Remember => (self.remember)(app),
            Effect::RememberAnnotator(id) => {
                if let Some(state) = &self.state {
                    remember_annotator(state, &id);
                }
            }
            Effect::CheckFiles => self.check_files(app, reports),
            Effect::Reload { file } => self.reload(app, file, reports),
            Effect::PutAside { files } => self.put_aside(app, files, &reports),
            Effect::ExportEdits { files, all } => self.export(app, files, all, &reports),
            // The main loop runs these itself.
            Effect::Copy { .. }
            | Effect::Redraw
            | Effect::NextTheme
            | Effect::Suspend
            | Effect::Quit => {}
        }
    }

    /// Writes the conflicts that are left, unless the list of a file is no longer as it was.
    fn keep_conflicts(
        &self,
        app: &App,
        file: usize,
        [on_disk, text]: [&str; 2],
        reports: &MessageSender,
    ) {
        let path = self.path(app, file);
        let kept = path.map(|path| keep_conflicts(&path, on_disk, text));
        if let Some(Err(why)) = kept {
            reports.send(Msg::Complaint(why));
        }
    }

    fn count_hits(
        &self,
        app: &App,
        search: u64,
        query: Query,
        key: CountKey,
        reports: MessageSender,
    ) {
        let (files, first) = (&app.workspace.files, DialogId::default());
        let mut scope = SearchScope::new(files, query, app.judge(), first, search);
        if key.is_about_judgements() {
            scope = scope.with_judgements(files);
        }
        let work = move |job: &mut Job| jobs::count_hits(&scope, key, job);
        self.hits.start(search, Pace::steady(), reports, work);
    }

    fn queue(
        &self,
        app: &App,
        number: u64,
        kind: QueueKind,
        judge: QueueJudge,
        reports: MessageSender,
    ) {
        let path = |file: usize| self.path(app, file);
        let (files, judging) = (&app.workspace.files, app.judging.on);
        let scope = QueueScope::new(files, path, judging, number, kind, judge);
        let labels = |path: &Path, id: &str| companions(path, id).labels;
        thread::spawn(move || reports.send(jobs::queue(&scope, labels)));
    }

    fn check_files(&self, app: &App, reports: MessageSender) {
        let begun = (self.paths.len()..app.workspace.files.len())
            .filter_map(|file| self.path(app, file))
            .collect();
        watch::look_at_all(Arc::clone(&self.paths), begun, Arc::clone(&self.identities), reports);
        self.look_around(app, Vec::new());
    }

    /// Looks at files that are followed, and finds files that have appeared in the folders that were opened.
    fn look_around(&self, app: &App, followed: Vec<(usize, PathBuf)>) {
        let later = app.workspace.files.later_paths().map(Path::to_owned);
        let known = self.paths.iter().cloned().chain(later).collect();
        let reports = MessageSender::new(self.to.clone());
        let identities = Arc::clone(&self.identities);
        self.folders.look(followed, known, identities, reports);
    }

    fn load(&self, app: &App, file: usize, reports: MessageSender) {
        let Some(path) = self.path(app, file) else {
            return;
        };
        let name = app.workspace.files.name(file).to_owned();
        let state = self.state.clone().map(|state| (state, Arc::clone(&self.seen)));
        index_files(
            vec![FileToRead { file, name, path }],
            self.folders.family().map(str::to_owned),
            Arc::clone(&self.identities),
            self.open.clone(),
            state,
            reports,
        );
    }

    fn reload(&self, app: &App, file: usize, reports: MessageSender) {
        let Some(path) = self.path(app, file) else {
            return;
        };
        let (identities, open) = (Arc::clone(&self.identities), self.open.clone());
        let corpus = app.workspace.files.get(file).and_then(OpenFile::corpus);
        let formats = corpus.map(|corpus| corpus.index().formats.clone());
        let formats = formats.unwrap_or_default();
        self.writers.run(move || {
            save_job::reread(file, &path, &formats, (&identities, &open), &reports);
        });
    }

    fn put_aside(&self, app: &App, files: Vec<usize>, reports: &MessageSender) {
        let journal = |file: usize| {
            let name = app.workspace.files.name(file).to_owned();
            Some((file, name, self.journal(app, file)?))
        };
        for msg in put_newer_aside(files.into_iter().filter_map(journal).collect()) {
            reports.send(msg);
        }
    }

    fn save(&self, app: &App, file: usize, change: OwnerChange, reports: MessageSender) {
        let corpus = app.workspace.files.get(file).and_then(|open| open.corpus().cloned());
        let (Some(path), Some(corpus)) = (self.path(app, file), corpus) else {
            return;
        };
        let new = app.workspace.files.is_new(file);
        let request = SaveRequest {
            file,
            new,
            change,
            about: corpora_of(&app.workspace.files, &self.paths, &path).collect(),
            conflicts: conflicts_while_saving(app, file),
        };
        let journal = self.journal(app, file);
        let journal = journal.map(|journal| (self.journals.clone(), journal));
        let identities = Arc::clone(&self.identities);
        let locks = self.locks.clone();
        self.writers.run(move || {
            if let Some(reason) = locks.and_then(|locks| locks.refusal(file)) {
                reports.send(Msg::SaveFailed { file, reason });
                return;
            }
            save_job::save(request, &path, &corpus, &identities, journal.as_ref(), &reports);
        });
    }

    /// Exports edits to files: with `all`, the leftover edits of an earlier run; otherwise the edits
    /// given.
    fn export(&self, app: &App, wanted: Vec<EditsToExport>, all: bool, reports: &MessageSender) {
        let Some(state) = &self.state else {
            let message = "edits cannot be exported: no home folder was found".to_owned();
            reports.send(Msg::Complaint(message));
            return;
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
            reports.send(Msg::Exported { files, all, message });
        }
        if failed {
            reports.send(Msg::Complaint(message));
        }
    }

    /// Checks whether another program has changed the file on the screen, unless the user knows of a
    /// change.
    pub(super) fn look_at_open_file(&self, app: &App) {
        if self.folders.is_due() {
            let files = &app.workspace.files;
            let followed = (0..files.len()).filter(|file| files.is_followed(*file));
            let followed = followed.filter_map(|file| Some((file, self.path(app, file)?)));
            self.look_around(app, followed.collect());
        }
        let file = app.panes.transcript.at.map(|at| at.file as usize);
        let file = file.filter(|file| !app.workspace.files.is_outdated(*file));
        if let Some((file, path)) = file.and_then(|file| Some((file, self.path(app, file)?))) {
            self.watch.look(file, path);
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

    fn look_beside(&self, app: &App, at: DialogId, id: String, reports: MessageSender) {
        let Some(path) = self.path(app, at.file as usize) else {
            return;
        };
        thread::spawn(move || {
            let Companions { context, labels, trouble } = companions(&path, &id);
            if context.is_some() || labels.is_some() || trouble.is_some() {
                let labels = labels.map(Box::new);
                reports.send(Msg::Companions { at, context, labels, trouble });
            }
        });
    }
}

fn locate(app: &App, at: DialogId, reports: MessageSender) {
    let found = app.workspace.files.corpus(at).and_then(|corpus| {
        let piece = corpus.index().pieces.get(at.dialog as usize)?;
        Some((corpus.shared_source(), piece.start))
    });
    if let Some((bytes, start)) = found {
        background::locate(at, bytes, start, reports);
    }
}

/// Exports all hits of a query to the new file at `path`, in the background.
fn export_hits(app: &App, query: Query, path: String, reports: MessageSender) {
    let (files, first) = (&app.workspace.files, DialogId::default());
    let scope = SearchScope::new(files, query, app.judge(), first, 0);
    export(scope, path, jobs::export_hits, reports);
}

/// Writes a report of all dialogs to the new file at `path`, in the background.
fn write_report(app: &App, path: String, reports: MessageSender) {
    let (files, first) = (&app.workspace.files, DialogId::default());
    if let Some(query) = jobs::every_dialog() {
        let scope = SearchScope::new(files, query, app.judge(), first, 0);
        export(scope.with_judgements(files), path, jobs::report, reports);
    }
}

/// A job that puts what it finds into a file with this name, by a function that writes it.
type ExportJob = fn(&SearchScope, &str, &dyn Fn(&[u8]) -> Result<(), String>) -> Msg;

/// Runs a job that writes to the new file at `path`, in the background.
fn export(scope: SearchScope, path: String, job: ExportJob, reports: MessageSender) {
    thread::spawn(move || {
        let write = |text: &[u8]| {
            let save = Save::at(Path::new(&path), Expect::Nothing);
            let written = save.put(&RealFs, Content::Text(text));
            written.map(|_| ()).map_err(|error| error.to_string())
        };
        // The folder is that in which the program was started.
        let whole = std::path::absolute(&path).unwrap_or_else(|_| PathBuf::from(&path));
        reports.send(job(&scope, &whole.display().to_string(), &write));
    });
}
