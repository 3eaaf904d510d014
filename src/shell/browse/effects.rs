//! Runs the effects that the program asks for, without blocking the screen.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use super::Runtime;
use crate::app::{App, EditsToExport, Effect, Msg};
use crate::shell::access::OwnerChange;
use crate::shell::background::{self, SearchScope};
use crate::shell::journal::{JournalOp, NewFile, WriteRequest, journal_of};
use crate::shell::leftover_edits::{self, ExportedEdits, export_edits};
use crate::shell::messages::MessageSender;
use crate::shell::past::put_newer_aside;
use crate::shell::user::remember_annotator;
use crate::shell::{Companions, build_queue, companions, count_votes, save_job};
use crate::workspace::{DialogId, OpenFile, Snapshot};

impl Runtime<'_> {
    /// Starts an effect in the background.
    pub(super) fn start(&self, app: &App, effect: Effect, reports: MessageSender) {
        match effect {
            Effect::Summarize { file } => {
                if let Some(snapshot) = app.files.snapshot(file) {
                    self.outliner.outline(file, snapshot);
                }
            }
            Effect::Search {
                search,
                query,
                from,
            } => {
                self.search.store(search, Ordering::Relaxed);
                let file = |file: usize| Some((file as u32, app.files.snapshot(file)?));
                let files = app.files.shown().filter_map(file).collect();
                let wanted = Arc::clone(&self.search);
                background::search(
                    SearchScope {
                        files,
                        query,
                        from,
                        number: search,
                        wanted,
                    },
                    reports,
                );
            }
            Effect::Prefetch { at } => {
                if let Some(snapshot) = app.files.snapshot(at.file as usize) {
                    background::prefetch(at, snapshot, reports);
                }
            }
            Effect::CancelSearch => self.search.store(0, Ordering::Relaxed),
            Effect::Companions { at, id } => self.look_beside(at, id, reports),
            Effect::Locate { at } => {
                let found = app.files.corpus(at).and_then(|corpus| {
                    let piece = corpus.index().pieces.get(at.dialog as usize)?;
                    Some((corpus.source().clone(), piece.start))
                });
                if let Some((bytes, start)) = found {
                    background::locate(at, bytes, start, reports);
                }
            }
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
            other => self.start_other(app, other, reports),
        }
    }

    fn start_other(&self, app: &App, effect: Effect, reports: MessageSender) {
        match effect {
            Effect::Queue {
                number,
                wanted,
                annotator,
            } => {
                let on = app.judging.on;
                let files = app.files.shown().filter_map(|file| {
                    let path = self.path(app, file)?;
                    let snapshot = app.files.snapshot(file)?;
                    let format = snapshot.format;
                    let judged = format.has_votes() || on && !format.is_companion();
                    judged.then_some((file as u32, path, snapshot))
                });
                let (files, logs) = (files.collect(), logs(app));
                build_queue::queue(files, logs, (number, wanted, annotator), reports);
            }
            Effect::CountVotes { number } => {
                self.chart.store(number, Ordering::Relaxed);
                let files = (0..app.files.len()).filter_map(|file| {
                    let snapshot = app.files.snapshot(file)?;
                    let path = self.path(app, file)?;
                    snapshot.format.has_votes().then_some((path, snapshot))
                });
                let judge = app.transcript.judge.clone();
                let wanted = Arc::clone(&self.chart);
                count_votes::count(files.collect(), number, wanted, judge, reports);
            }
            Effect::CancelCount => self.chart.store(0, Ordering::Relaxed),
            Effect::FindFixes {
                number,
                dialogs,
                rule,
            } => {
                self.review.store(number, Ordering::Relaxed);
                let files = (0..app.files.len()).filter_map(|file| app.files.snapshot(file));
                let wanted = (number, Arc::clone(&self.review));
                background::review(files.collect(), wanted, dialogs, rule, reports);
            }
            Effect::CancelFixes => self.review.store(0, Ordering::Relaxed),
            Effect::Ignore {
                at,
                ignored,
                change,
            } => {
                let (paths, root) = (Arc::clone(&self.paths), self.root.clone());
                background::ignore(paths, root, at, *ignored, change, reports);
            }
            Effect::Remember => (self.remember)(app),
            Effect::RememberAnnotator(id) => {
                if let Some(state) = &self.state {
                    remember_annotator(state, &id);
                }
            }
            Effect::CheckFiles => {
                let begun = (self.paths.len()..app.files.len())
                    .filter_map(|file| self.path(app, file))
                    .collect();
                let paths = (Arc::clone(&self.paths), begun);
                save_job::look(paths, Arc::clone(&self.identities), reports);
            }
            Effect::Reload { file } => {
                if let Some(path) = self.path(app, file) {
                    let identities = Arc::clone(&self.identities);
                    self.writers
                        .run(move || save_job::reread(file, &path, &identities, &reports));
                }
            }
            Effect::PutAside { files } => {
                let journal = |file: usize| {
                    let name = app.files.name(file).to_owned();
                    Some((file, name, self.journal(app, file)?))
                };
                for msg in put_newer_aside(files.into_iter().filter_map(journal).collect()) {
                    reports.send(msg);
                }
            }
            Effect::ExportEdits { files, all } => self.export(app, files, all, &reports),
            _ => {}
        }
    }

    fn save(&self, app: &App, file: usize, change: OwnerChange, reports: MessageSender) {
        let corpus = app.files.get(file).and_then(|open| open.corpus().cloned());
        let (Some(path), Some(corpus)) = (self.path(app, file), corpus) else {
            return;
        };
        let new = app.files.is_new(file);
        let journal = self.journal(app, file);
        let journal = journal.map(|journal| (self.journals.clone(), journal));
        let known = (Arc::clone(&self.identities), journal);
        let locks = self.locks.clone();
        self.writers.run(move || {
            if let Some(reason) = locks.and_then(|locks| locks.refusal(file)) {
                reports.send(Msg::SaveFailed { file, reason });
                return;
            }
            save_job::save((file, new, change), &path, &corpus, known, &reports);
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
        for EditsToExport {
            file,
            records,
            undone,
        } in wanted
        {
            let Some(path) = self.path(app, file) else {
                continue;
            };
            let outcome = export_edits(state, &path, &records);
            files.extend(outcome.is_ok().then_some(file));
            kept.push(ExportedEdits {
                name: app.files.name(file).to_owned(),
                edits: records.len(),
                absent: !path.exists(),
                undone,
                outcome,
            });
        }
        let message = leftover_edits::message(&kept, false);
        let failed = files.len() < kept.len();
        if !files.is_empty() {
            let told = message.clone();
            reports.send(Msg::Exported { files, all, told });
        }
        if failed {
            reports.send(Msg::Complaint(message));
        }
    }

    /// Returns the path of a file that was opened, or of a log created since.
    fn path(&self, app: &App, file: usize) -> Option<PathBuf> {
        let begun = || app.files.place(file).map(Path::to_owned);
        self.paths.get(file).cloned().or_else(begun)
    }

    /// Writes to a file's journal, if it can have one.
    fn write_down(&self, app: &App, file: usize, what: JournalOp) {
        let corpus = app.files.get(file).and_then(OpenFile::corpus);
        let hash = corpus.and_then(|corpus| corpus.index().hash);
        if let (Some(journal), Some(hash)) = (self.journal(app, file), hash) {
            self.journals.write(WriteRequest {
                journal,
                hash,
                what,
            });
        }
    }

    fn journal(&self, app: &App, file: usize) -> Option<PathBuf> {
        Some(journal_of(self.state.as_ref()?, &self.path(app, file)?))
    }

    fn look_beside(&self, at: DialogId, id: String, reports: MessageSender) {
        let Some(path) = self.paths.get(at.file as usize).cloned() else {
            return;
        };
        thread::spawn(move || {
            let Companions {
                context,
                labels,
                trouble,
            } = companions(&path, &id);
            if context.is_some() || labels.is_some() || trouble.is_some() {
                let labels = labels.map(Box::new);
                reports.send(Msg::Companions {
                    at,
                    context,
                    labels,
                    trouble,
                });
            }
        });
    }
}

/// Returns the vote logs of other files' dialogs, as they are on the disk.
fn logs(app: &App) -> Vec<Snapshot> {
    let logs =
        (0..app.files.len()).filter(|file| app.files.get(*file).is_some_and(OpenFile::is_log));
    logs.filter_map(|file| app.files.snapshot(file)).collect()
}
