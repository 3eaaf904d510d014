//! Runtime of the interactive program: takes messages, runs effects, and draws a frame after each batch.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

mod effects;

use super::job::Jobs;
use super::loading::{FileToRead, index_files};
use super::messages::MessageSender;
use super::watch;
use super::watch::{OpenedFolders, Watch};
use crate::app::{App, Effect, Msg};
use crate::shell::storage::clock::since_1970;
use crate::shell::storage::edit_lock::FileLocks;
use crate::shell::storage::journal::Journals;
use crate::shell::storage::private;
use crate::shell::storage::read_again::Reading;
use crate::shell::terminal::event::RuntimeEvent;
use crate::shell::terminal::input;
use crate::shell::terminal::screen::Screen;
use crate::shell::terminal::signals::{
    Shutdown, end_on_hang_up, is_hung_up, listen_to_signals, stop,
};
use crate::shell::terminal::themed_screen::{ThemeState, ThemedScreen};
use crate::workspace::{EditLocks, LintContext};

/// Saves the reading position and judging state for the next run.
type Remember<'r> = &'r dyn Fn(&App);

/// The most messages to handle before a frame is drawn.
const BATCH: usize = 4096;

/// The most files to save at the same time.
const WRITERS: usize = 8;

/// How long the first frame waits for the first dialog. Most are read by then; drawing sooner would show
/// an empty list.
const PATIENCE: Duration = Duration::from_millis(15);

/// The files that are browsed.
pub struct BrowsedFiles {
    pub paths: Vec<PathBuf>,
    /// The folder that was opened. Ignored problems are written to it unless an ignores file exists closer to
    /// the corpus.
    pub root: Option<PathBuf>,
    /// The folders that were opened, in which files may appear.
    pub folders: Vec<PathBuf>,
    /// The folder for votes, as the settings name it.
    pub votes: PathBuf,
    /// The family of all dialogs, if the user has named it.
    pub family: Option<String>,
}

/// Runs the program on `files` until the user quits, and leaves its last state in `app` however it ends. `looks` may
/// query the terminal, because files are read meanwhile; `rules` reads the lint rules, and the first screen does not
/// wait for it.
///
/// # Errors
/// If the terminal cannot be used, or `looks` fails.
pub fn browse<'u>(
    app: &mut App,
    looks: impl FnOnce() -> io::Result<ThemeState<'u>>,
    files: BrowsedFiles,
    state: Option<PathBuf>,
    remember: Remember<'_>,
    rules: impl FnOnce() -> (LintContext, Option<String>) + Send + 'static,
) -> io::Result<()> {
    let BrowsedFiles { paths, root, folders, votes, family } = files;
    let (to, from) = channel();
    restore_on_panic();
    if let Some(state) = &state {
        private::close_state(state);
    }
    let reports = MessageSender::new(to.clone());
    let reading = Reading::default();
    let complaints = reports.clone();
    let journals = Journals::start(move |written| {
        complaints.send(Msg::Journaled(written));
    });
    let locks = state.clone().map(|state| {
        Arc::new(FileLocks::new(state, paths.clone(), reading.clone(), journals.clone()))
    });
    app.workspace.files.locks = locks.clone().map(|locks| -> Arc<dyn EditLocks> { locks });
    let to_read = paths.iter().enumerate().map(|(file, path)| FileToRead {
        file,
        name: app.workspace.files.name(file).to_owned(),
        path: path.clone(),
    });
    index_files(to_read.collect(), family.clone(), reading.clone(), state.clone(), reports.clone());
    let pool = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(io::Error::other)
    };
    let (summarizers, writers) = (pool(0)?, pool(WRITERS)?);
    let ending = Shutdown::new(to.clone(), journals.clone());
    let looks = looks()?;
    listen_to_signals(ending.clone())?;
    app.update(Msg::Resize(Screen::size()?));
    let screen = Screen::take(app.settings.mouse)?;
    let mut themed = ThemedScreen { screen, looks };
    input::start(to);
    end_on_hang_up(ending);
    let opened = OpenedFolders { folders, votes, family };
    let runtime = Runtime {
        paths: paths.into(),
        root,
        locks,
        journals,
        watch: Watch::new(reading.known.clone(), opened, reports.clone()),
        jobs: Jobs::new(reports.clone(), summarizers),
        reading,
        writers,
        state,
        remember,
    };
    let then = || {
        runtime.jobs.run(move || {
            let (rules, complaint) = rules();
            reports.send(Msg::Rules(Box::new(rules)));
            complaint.map(Msg::Unusable)
        });
    };
    let end = runtime.run(app, &mut themed, &from, then);
    themed.screen.leave();
    runtime.journals.flush(Duration::MAX);
    end
}

struct Runtime<'r> {
    paths: Arc<[PathBuf]>,
    /// The folder that was opened.
    root: Option<PathBuf>,
    jobs: Jobs,
    /// The edit locks; None without a state folder.
    locks: Option<Arc<FileLocks>>,
    journals: Journals,
    watch: Watch,
    reading: Reading,
    /// Threads that save and reread files: one for each would be too many for 20,000 files.
    writers: ThreadPool,
    /// The state folder, which holds the journals.
    state: Option<PathBuf>,
    remember: Remember<'r>,
}

impl Runtime<'_> {
    /// Draws the state after each batch of messages, and runs `then` after the first frame.
    fn run(
        &self,
        app: &mut App,
        themed: &mut ThemedScreen<'_>,
        from: &Receiver<RuntimeEvent>,
        then: impl FnOnce(),
    ) -> io::Result<()> {
        let start = Instant::now();
        while app.panes.transcript.at.is_none()
            && let Ok(first) = from.recv_timeout(PATIENCE.saturating_sub(start.elapsed()))
        {
            if !self.take(app, themed, first, from)? {
                return Ok(());
            }
        }
        themed.paint(app)?;
        then();
        while let Ok(first) = self.wait(app, from) {
            app.update(Msg::Now(start.elapsed()));
            app.update(Msg::Utc(since_1970().as_secs()));
            if !self.take(app, themed, first, from)? {
                return Ok(());
            }
            themed.paint(app)?;
            if self.watch.is_due() {
                self.look_at_open_file(app);
            }
        }
        Ok(())
    }

    /// Waits for an event; while there is none, looks at the open file from time to time.
    fn wait(
        &self,
        app: &mut App,
        from: &Receiver<RuntimeEvent>,
    ) -> Result<RuntimeEvent, RecvTimeoutError> {
        loop {
            match from.recv_timeout(watch::PAUSE) {
                Err(RecvTimeoutError::Timeout) => {
                    self.look_at_open_file(app);
                    for effect in app.update(Msg::Pause) {
                        self.start(app, effect);
                    }
                }
                event => return event,
            }
        }
    }

    /// Handles `first` and all queued events; returns false if the program ends.
    fn take(
        &self,
        app: &mut App,
        themed: &mut ThemedScreen<'_>,
        first: RuntimeEvent,
        from: &Receiver<RuntimeEvent>,
    ) -> io::Result<bool> {
        let more = std::iter::from_fn(|| from.try_recv().ok());
        let all = std::iter::once(first).chain(more).take(BATCH);
        let mut all = all.peekable();
        while let Some(incoming) = all.next() {
            let msg = match incoming {
                // News from the background is handled as one batch.
                RuntimeEvent::Msg(msg) if msg.is_news() => {
                    let mut news = vec![msg];
                    while let Some(RuntimeEvent::Msg(more)) = all.next_if(RuntimeEvent::is_news) {
                        news.push(more);
                    }
                    Msg::Batch(news)
                }
                // The terminal drops what it cuts off, even if it returns to the same size.
                RuntimeEvent::Msg(msg @ Msg::Resize(_)) => {
                    themed.screen.forget()?;
                    msg
                }
                RuntimeEvent::Msg(msg) => msg,
                // Either the reader or the signal may notice a closed terminal first.
                RuntimeEvent::Lost(_) if is_hung_up() => return Ok(false),
                RuntimeEvent::Lost(error) => {
                    return Err(io::Error::other(format!("lost the terminal: {error}")));
                }
                RuntimeEvent::End => return Ok(false),
                RuntimeEvent::Resumed => {
                    themed.screen.enter()?;
                    Msg::Resize(Screen::size()?)
                }
            };
            let mut msgs = VecDeque::from([msg]);
            while let Some(msg) = msgs.pop_front() {
                for effect in app.update(msg) {
                    match effect {
                        Effect::Copy { text, what } => {
                            let by = themed.screen.copy(&text)?;
                            msgs.push_back(Msg::Copied { what, by });
                        }
                        Effect::Redraw => themed.screen.forget()?,
                        Effect::NextTheme => themed.next_theme(app),
                        Effect::Suspend => {
                            themed.screen.leave();
                            stop();
                            themed.screen.enter()?;
                            app.update(Msg::Resize(Screen::size()?));
                        }
                        Effect::Quit => return Ok(false),
                        other => self.start(app, other),
                    }
                }
            }
        }
        Ok(true)
    }
}

/// Restores the terminal before a panic is reported, and ends the program.
fn restore_on_panic() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        Screen::restore();
        report(panic);
        std::process::exit(101);
    }));
}
