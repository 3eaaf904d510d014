//! The interactive program in the world: messages in, effects out, a frame after each batch.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::background::{self, Searched};
use super::journal::{Beginning, Journals, Order, What, journal_of};
use super::kept::{Kept, keep, told};
use super::lock::{Claims, Seen};
use super::outlining::Outliner;
use super::reading::index_files;
use super::reports::Reports;
use super::screen::Screen;
use super::stage::{Looks, Stage};
use super::system::{end_on_hang_up, is_hung_up, listen_to_signals, stop};
use super::user::remember_annotator;
use super::workers::Workers;
use super::writing::{self, Identities};
use super::{Companions, companions, counting, input, queue};
use crate::app::files::{OpenFile, Snapshot};
use crate::app::{App, At, Effect, Holds, Msg, Rules, ToKeep};

/// What reaches the main loop.
pub enum Incoming {
    Msg(Msg),
    /// The terminal cannot be read any more.
    Lost(String),
    /// The system wants the program to end.
    End,
    /// The program was stopped and goes on.
    Resumed,
}

impl Incoming {
    fn is_news(&self) -> bool {
        matches!(self, Self::Msg(msg) if msg.is_news())
    }
}

/// Keeps where the reader is, and what is judged, for the next run.
type Remember<'r> = &'r dyn Fn(&App);

/// Messages taken before a frame is drawn, at the most.
const BATCH: usize = 4096;

/// Files that are saved at the same time, at the most.
const WRITERS: usize = 8;

/// How long the first frame waits for the first dialog: most are read by then, and what would be painted
/// before is an empty list.
const PATIENCE: Duration = Duration::from_millis(15);

/// Runs the program on the files at `paths`, until it is left. However it ends, `app` is what it
/// ended with. What is let be is written into `root`, unless there is a file for it nearer to the
/// corpus. `looks` may ask the terminal how it looks, for files are read meanwhile; `rules` reads what is
/// looked for, which the first screen does not wait for.
///
/// # Errors
/// If the terminal cannot be used, or `looks` fails.
pub fn browse<'u>(
    app: &mut App,
    looks: impl FnOnce() -> io::Result<Looks<'u>>,
    (paths, root): (Vec<PathBuf>, Option<PathBuf>),
    (state, remember): (Option<PathBuf>, Remember<'_>),
    rules: impl FnOnce() -> (Rules, Option<String>) + Send + 'static,
) -> io::Result<()> {
    let (to, from) = channel();
    restore_on_panic();
    let reports = Reports::new(to.clone());
    let identities = Identities::default();
    let seen = Seen::default();
    app.files.holds = state.clone().map(|state| {
        let (paths, identities) = (paths.clone(), Arc::clone(&identities));
        let claims = Claims::new(state, paths, identities, Arc::clone(&seen));
        Arc::new(claims) as Arc<dyn Holds>
    });
    let names = (0..paths.len()).map(|file| app.files.name(file).to_owned());
    index_files(
        names.zip(paths.clone()).collect(),
        Arc::clone(&identities),
        state.clone().map(|state| (state, seen)),
        reports.clone(),
    );
    let looks = looks()?;
    listen_to_signals(&to)?;
    app.update(Msg::Resize(Screen::size()?));
    let screen = Screen::take(app.settings.mouse)?;
    let mut stage = Stage { screen, looks };
    input::start(to.clone());
    end_on_hang_up(&to);
    let world = World {
        to,
        paths: paths.into(),
        root,
        search: Arc::new(AtomicU64::new(0)),
        chart: Arc::new(AtomicU64::new(0)),
        review: Arc::new(AtomicU64::new(0)),
        identities,
        journals: Journals::start(reports.clone()),
        outliner: Outliner::start(reports.clone()),
        writers: Workers::start(WRITERS),
        state,
        remember,
    };
    let then = || background::read_rules(rules, reports);
    let mut later = Vec::new();
    let end = world.run(app, &mut stage, &from, (then, &mut later));
    world.start_all(app, &mut later);
    stage.screen.leave();
    world.journals.write_through(Order {
        journal: PathBuf::new(),
        hash: 0,
        what: What::Nothing,
    });
    end
}

/// How long nothing has to be done before anything else is begun: what was just painted reaches the
/// terminal first, for which the system needs the same processors.
const MOMENT: Duration = Duration::from_millis(2);

struct World<'r> {
    to: Sender<Incoming>,
    paths: Arc<[PathBuf]>,
    /// The folder that was opened.
    root: Option<PathBuf>,
    /// Number of the search that is wanted.
    search: Arc<AtomicU64>,
    /// Number of the counting of votes that is wanted.
    chart: Arc<AtomicU64>,
    /// Number of the list of repairs that is wanted.
    review: Arc<AtomicU64>,
    identities: Identities,
    journals: Journals,
    outliner: Outliner,
    /// Save files, and read them again.
    writers: Workers,
    /// Where journals are.
    state: Option<PathBuf>,
    remember: Remember<'r>,
}

impl World<'_> {
    /// Paints what there is, again after each batch of messages, and does `then` after the first time. What
    /// is still to be started when it ends is left in `later`.
    fn run(
        &self,
        app: &mut App,
        stage: &mut Stage<'_>,
        from: &Receiver<Incoming>,
        (then, later): (impl FnOnce(), &mut Vec<Effect>),
    ) -> io::Result<()> {
        let start = Instant::now();
        while app.transcript.at.is_none()
            && let Ok(first) = from.recv_timeout(PATIENCE.saturating_sub(start.elapsed()))
        {
            if !self.take(app, stage, (first, from), later)? {
                return Ok(());
            }
        }
        stage.paint(app)?;
        then();
        while let Ok(first) = self.wait(app, from, later) {
            app.update(Msg::Now(start.elapsed()));
            if !self.take(app, stage, (first, from), later)? {
                return Ok(());
            }
            stage.paint(app)?;
        }
        Ok(())
    }

    /// Waits for a message. If none comes for a moment, what waits for that is started, and what may be
    /// asked for next is read.
    fn wait(
        &self,
        app: &mut App,
        from: &Receiver<Incoming>,
        later: &mut Vec<Effect>,
    ) -> Result<Incoming, RecvError> {
        let first = from.recv_timeout(MOMENT);
        self.start_all(app, later);
        match first {
            Err(RecvTimeoutError::Timeout) => {
                later.extend(app.look_ahead());
                self.start_all(app, later);
                from.recv()
            }
            Err(RecvTimeoutError::Disconnected) => Err(RecvError),
            Ok(first) => Ok(first),
        }
    }

    /// Takes in `first` and what else has come; false if the program ends. What the screen does not wait
    /// for is done `later`.
    fn take(
        &self,
        app: &mut App,
        stage: &mut Stage<'_>,
        (first, from): (Incoming, &Receiver<Incoming>),
        later: &mut Vec<Effect>,
    ) -> io::Result<bool> {
        let more = std::iter::from_fn(|| from.try_recv().ok());
        let all = std::iter::once(first).chain(more).take(BATCH);
        let mut all = all.peekable();
        while let Some(incoming) = all.next() {
            let msg = match incoming {
                // What is not done by hand is taken together.
                Incoming::Msg(msg) if msg.is_news() => {
                    let mut news = vec![msg];
                    while let Some(Incoming::Msg(more)) = all.next_if(Incoming::is_news) {
                        news.push(more);
                    }
                    Msg::Several(news)
                }
                // What was cut off is lost to the terminal, even if the size is the same again.
                Incoming::Msg(msg @ Msg::Resize(_)) => {
                    stage.screen.forget()?;
                    msg
                }
                Incoming::Msg(msg) => msg,
                // Whether reading or the signal notices first that it was closed is chance.
                Incoming::Lost(_) if is_hung_up() => return Ok(false),
                Incoming::Lost(error) => {
                    return Err(io::Error::other(format!("the terminal is gone: {error}")));
                }
                Incoming::End => return Ok(false),
                Incoming::Resumed => {
                    stage.screen.enter()?;
                    Msg::Resize(Screen::size()?)
                }
            };
            for effect in app.update(msg) {
                match effect {
                    Effect::Copy(text) => stage.screen.copy(&text)?,
                    Effect::Redraw => stage.screen.forget()?,
                    Effect::NextTheme => stage.next_theme(app),
                    Effect::Suspend => {
                        self.start_all(app, later);
                        stage.screen.leave();
                        stop();
                        stage.screen.enter()?;
                        app.update(Msg::Resize(Screen::size()?));
                    }
                    Effect::Quit => return Ok(false),
                    other => later.push(other),
                }
            }
        }
        Ok(true)
    }

    /// Starts what has waited, in its order.
    fn start_all(&self, app: &App, later: &mut Vec<Effect>) {
        for effect in later.drain(..) {
            self.start(app, effect, Reports::new(self.to.clone()));
        }
    }

    /// Starts what the screen does not wait for.
    fn start(&self, app: &App, effect: Effect, reports: Reports) {
        match effect {
            Effect::Outline { file } => {
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
                    Searched {
                        files,
                        query,
                        from,
                        number: search,
                        wanted,
                    },
                    reports,
                );
            }
            Effect::LookAhead { at } => {
                if let Some(snapshot) = app.files.snapshot(at.file as usize) {
                    background::look_ahead(at, snapshot, reports);
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
            Effect::Save { file } => {
                let corpus = app.files.get(file).and_then(|open| open.corpus().cloned());
                if let (Some(path), Some(corpus)) = (self.path(app, file), corpus) {
                    let new = app.files.is_new(file);
                    let journal = self.journal(app, file);
                    let journal = journal.map(|journal| (self.journals.clone(), journal));
                    let known = (Arc::clone(&self.identities), journal);
                    let save = move || writing::save((file, new), &path, &corpus, known, &reports);
                    self.writers.run(save);
                }
            }
            Effect::JournalBegins { file, name, text } => {
                self.write_down(app, file, What::Begins(Beginning { name, text }));
            }
            Effect::Journal { file, entry } => self.write_down(app, file, What::Did(entry)),
            Effect::JournalSaved { file } => self.write_down(app, file, What::Saved),
            Effect::JournalAnew { file, entries } => {
                self.write_down(app, file, What::Anew(entries));
            }
            other => self.start_other(app, other, reports),
        }
    }

    fn start_other(&self, app: &App, effect: Effect, reports: Reports) {
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
                queue::queue(files, logs, (number, wanted, annotator), reports);
            }
            Effect::Chart { number } => {
                self.chart.store(number, Ordering::Relaxed);
                let files = (0..app.files.len()).filter_map(|file| {
                    let snapshot = app.files.snapshot(file)?;
                    let path = self.path(app, file)?;
                    snapshot.format.has_votes().then_some((path, snapshot))
                });
                let judge = app.transcript.judge.clone();
                let wanted = Arc::clone(&self.chart);
                counting::count(files.collect(), number, wanted, judge, reports);
            }
            Effect::CancelChart => self.chart.store(0, Ordering::Relaxed),
            Effect::Review {
                number,
                dialogs,
                rule,
            } => {
                self.review.store(number, Ordering::Relaxed);
                let files = (0..app.files.len()).filter_map(|file| app.files.snapshot(file));
                let wanted = (number, Arc::clone(&self.review));
                background::review(files.collect(), wanted, dialogs, rule, reports);
            }
            Effect::CancelReview => self.review.store(0, Ordering::Relaxed),
            Effect::Ignore {
                at,
                ignored,
                change,
            } => {
                let (paths, root) = (Arc::clone(&self.paths), self.root.clone());
                background::ignore(paths, root, at, *ignored, change, reports);
            }
            Effect::Remember => (self.remember)(app),
            Effect::KeepAnnotator(id) => {
                if let Some(state) = &self.state {
                    remember_annotator(state, &id);
                }
            }
            Effect::Look => {
                let begun = (self.paths.len()..app.files.len())
                    .filter_map(|file| self.path(app, file))
                    .collect();
                let paths = (Arc::clone(&self.paths), begun);
                writing::look(paths, Arc::clone(&self.identities), reports);
            }
            Effect::Reread { file } => {
                if let Some(path) = self.path(app, file) {
                    let identities = Arc::clone(&self.identities);
                    self.writers
                        .run(move || writing::reread(file, &path, &identities, &reports));
                }
            }
            Effect::Keep { .. } if self.state.is_none() => {
                let told = "edits cannot be kept: no folder of the user is known".to_owned();
                reports.send(Msg::Complaint(told));
            }
            Effect::Keep { files: wanted, all } => {
                let (mut files, mut kept) = (Vec::new(), Vec::new());
                for ToKeep {
                    file,
                    records,
                    undone,
                } in wanted
                {
                    if let (Some(state), Some(path)) = (&self.state, self.path(app, file)) {
                        let outcome = keep(state, &path, &records);
                        files.extend(outcome.is_ok().then_some(file));
                        kept.push(Kept {
                            name: app.files.name(file).to_owned(),
                            edits: records.len(),
                            absent: !path.exists(),
                            undone,
                            outcome,
                        });
                    }
                }
                let (told, failed) = (told(&kept, false), files.len() < kept.len());
                if !files.is_empty() {
                    let told = told.clone();
                    reports.send(Msg::Kept { files, all, told });
                }
                if failed {
                    reports.send(Msg::Complaint(told));
                }
            }
            _ => {}
        }
    }

    /// Where a file is: one that was opened, or a log that was begun since.
    fn path(&self, app: &App, file: usize) -> Option<PathBuf> {
        let begun = || app.files.place(file).map(Path::to_owned);
        self.paths.get(file).cloned().or_else(begun)
    }

    /// Writes in the journal of a file, as far as there can be one.
    fn write_down(&self, app: &App, file: usize, what: What) {
        let corpus = app.files.get(file).and_then(OpenFile::corpus);
        let hash = corpus.and_then(|corpus| corpus.index().hash);
        if let (Some(journal), Some(hash)) = (self.journal(app, file), hash) {
            self.journals.write(Order {
                journal,
                hash,
                what,
            });
        }
    }

    fn journal(&self, app: &App, file: usize) -> Option<PathBuf> {
        Some(journal_of(self.state.as_ref()?, &self.path(app, file)?))
    }

    fn look_beside(&self, at: At, id: String, reports: Reports) {
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

/// The logs that hold votes on dialogs of other files, as they are on the disk.
fn logs(app: &App) -> Vec<Snapshot> {
    let logs =
        (0..app.files.len()).filter(|file| app.files.get(*file).is_some_and(OpenFile::is_log));
    logs.filter_map(|file| app.files.snapshot(file)).collect()
}

/// A panic anywhere gives the terminal back before it is reported, and ends the program.
fn restore_on_panic() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        Screen::restore();
        report(panic);
        std::process::exit(101);
    }));
}
