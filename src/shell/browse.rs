//! The interactive program in the world: messages in, effects out, a frame after each batch.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

mod effects;

use super::background;
use super::edit_lock::{FileLocks, Fingerprints};
use super::journal::{JournalOp, Journals, WriteRequest};
use super::loading::index_files;
use super::messages::MessageSender;
use super::save_job::Identities;
use super::screen::Screen;
use super::signals::{Shutdown, end_on_hang_up, is_hung_up, listen_to_signals, stop};
use super::summarizing::SummaryReader;
use super::themed_screen::{ThemeState, ThemedScreen};
use super::workers::Workers;
use super::{input, private};
use crate::app::{App, Effect, LintContext, LockProvider, Msg};

/// What reaches the main loop.
pub enum RuntimeEvent {
    Msg(Msg),
    /// The terminal cannot be read any more.
    Lost(String),
    /// The system wants the program to end.
    End,
    /// The program was stopped and goes on.
    Resumed,
}

impl RuntimeEvent {
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
    looks: impl FnOnce() -> io::Result<ThemeState<'u>>,
    (paths, root): (Vec<PathBuf>, Option<PathBuf>),
    (state, remember): (Option<PathBuf>, Remember<'_>),
    rules: impl FnOnce() -> (LintContext, Option<String>) + Send + 'static,
) -> io::Result<()> {
    let (to, from) = channel();
    restore_on_panic();
    if let Some(state) = &state {
        private::close_state(state);
    }
    let reports = MessageSender::new(to.clone());
    let identities = Identities::default();
    let seen = Fingerprints::default();
    app.files.holds = state.clone().map(|state| {
        let (paths, identities) = (paths.clone(), Arc::clone(&identities));
        let claims = FileLocks::new(state, paths, identities, Arc::clone(&seen));
        Arc::new(claims) as Arc<dyn LockProvider>
    });
    let names = (0..paths.len()).map(|file| app.files.name(file).to_owned());
    index_files(
        names.zip(paths.clone()).collect(),
        Arc::clone(&identities),
        state.clone().map(|state| (state, seen)),
        reports.clone(),
    );
    let journals = Journals::start(reports.clone());
    let ending = Shutdown::new(to.clone(), journals.clone());
    let looks = looks()?;
    listen_to_signals(ending.clone())?;
    app.update(Msg::Resize(Screen::size()?));
    let screen = Screen::take(app.settings.mouse)?;
    let mut stage = ThemedScreen { screen, looks };
    input::start(to.clone());
    end_on_hang_up(ending);
    let world = Runtime {
        to,
        paths: paths.into(),
        root,
        search: Arc::new(AtomicU64::new(0)),
        chart: Arc::new(AtomicU64::new(0)),
        review: Arc::new(AtomicU64::new(0)),
        identities,
        journals,
        outliner: SummaryReader::start(reports.clone()),
        writers: Workers::start(WRITERS),
        state,
        remember,
    };
    let then = || background::read_rules(rules, reports);
    let mut later = Vec::new();
    let end = world.run(app, &mut stage, &from, (then, &mut later));
    world.start_all(app, &mut later);
    stage.screen.leave();
    world.journals.write_through(WriteRequest {
        journal: PathBuf::new(),
        hash: 0,
        what: JournalOp::Nothing,
    });
    end
}

/// How long nothing has to be done before anything else is begun: what was just painted reaches the
/// terminal first, for which the system needs the same processors.
const MOMENT: Duration = Duration::from_millis(2);

struct Runtime<'r> {
    to: Sender<RuntimeEvent>,
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
    outliner: SummaryReader,
    /// Save files, and read them again.
    writers: Workers,
    /// Where journals are.
    state: Option<PathBuf>,
    remember: Remember<'r>,
}

impl Runtime<'_> {
    /// Paints what there is, again after each batch of messages, and does `then` after the first time. What
    /// is still to be started when it ends is left in `later`.
    fn run(
        &self,
        app: &mut App,
        stage: &mut ThemedScreen<'_>,
        from: &Receiver<RuntimeEvent>,
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
        from: &Receiver<RuntimeEvent>,
        later: &mut Vec<Effect>,
    ) -> Result<RuntimeEvent, RecvError> {
        let first = from.recv_timeout(MOMENT);
        self.start_all(app, later);
        match first {
            Err(RecvTimeoutError::Timeout) => {
                later.extend(app.prefetch());
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
        stage: &mut ThemedScreen<'_>,
        (first, from): (RuntimeEvent, &Receiver<RuntimeEvent>),
        later: &mut Vec<Effect>,
    ) -> io::Result<bool> {
        let more = std::iter::from_fn(|| from.try_recv().ok());
        let all = std::iter::once(first).chain(more).take(BATCH);
        let mut all = all.peekable();
        while let Some(incoming) = all.next() {
            let msg = match incoming {
                // What is not done by hand is taken together.
                RuntimeEvent::Msg(msg) if msg.is_news() => {
                    let mut news = vec![msg];
                    while let Some(RuntimeEvent::Msg(more)) = all.next_if(RuntimeEvent::is_news) {
                        news.push(more);
                    }
                    Msg::Batch(news)
                }
                // What was cut off is lost to the terminal, even if the size is the same again.
                RuntimeEvent::Msg(msg @ Msg::Resize(_)) => {
                    stage.screen.forget()?;
                    msg
                }
                RuntimeEvent::Msg(msg) => msg,
                // Whether reading or the signal notices first that it was closed is chance.
                RuntimeEvent::Lost(_) if is_hung_up() => return Ok(false),
                RuntimeEvent::Lost(error) => {
                    return Err(io::Error::other(format!("the terminal is gone: {error}")));
                }
                RuntimeEvent::End => return Ok(false),
                RuntimeEvent::Resumed => {
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
            self.start(app, effect, MessageSender::new(self.to.clone()));
        }
    }
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
