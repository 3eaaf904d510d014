//! Journals: a record of every edit, written at once, for crash recovery.
//!
//! Each edited corpus file has a journal in the user's state folder, with one line for every action.
//! [`lines`] defines the lines, [`log`] interprets them, [`writer`] writes and [`reading`] reads them.
//!
//! # Never dropped
//! A damaged journal is copied by [`aside`] before it is overwritten. A journal that cannot be read at
//! all, or that a newer version wrote, is never overwritten, and the program does not wait for it.
//!
//! # Why a thread
//! Once written, a line survives the program's death; surviving a power failure takes a sync, which is
//! slow, and nobody should wait for it between two keys. To spare the disk, lines written within
//! [`TOGETHER`] are synced together.

mod aside;
mod journal_file;
mod legacy;
mod lines;
mod log;
mod open;
mod reading;
mod writer;

use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use twox_hash::XxHash3_128;

pub use aside::keep_damaged;
pub use lines::{JournalLine, JournalText, NewFile};
pub use log::{Journal, JournalState};
pub use reading::{JournalError, beginning, name_of_beginning, read};
pub use writer::{JournalOp, WriteRequest, Writer};

use super::clock::since_1970;
use super::fs::RealFs;
use super::paths::real_path;

/// Lines written within this time are synced together. An edit is on the disk within twice this time,
/// even on a slow disk.
const TOGETHER: Duration = Duration::from_millis(50);

/// After a pause this long, lines are synced sooner: between two keys rather than with the next one,
/// whose response would be delayed.
const PAUSE: Duration = Duration::from_millis(10);

/// Writes journals, one file each, in one folder.
#[derive(Clone)]
pub struct Journals {
    to: Sender<PendingWrite>,
}

enum PendingWrite {
    Write {
        order: WriteRequest,
        /// Notified when the request is on the disk.
        done: Option<Sender<()>>,
    },
    /// Stops writing a journal for good; its text is sent back.
    Leave(PathBuf, Sender<String>),
}

/// Returns the path of the journal of the corpus file at `path`, in the state folder `state`.
pub fn journal_of(state: &Path, path: &Path) -> PathBuf {
    journal_at(state, &real_path(path))
}

/// Returns [`journal_of`] a file whose real path is known.
pub fn journal_at(state: &Path, path: &Path) -> PathBuf {
    let hash = XxHash3_128::oneshot(path.as_os_str().as_encoded_bytes());
    state.join("journals").join(format!("{hash:032x}.jsonl"))
}

/// Returns the files of `folders` that are not there and have unsaved edits, according to the journals in the state folder
/// `state`: they were never saved, or removed since. A folder or a pipe may have taken their place.
pub fn begun_in(state: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut begun = Vec::new();
    let journals = state.join("journals").read_dir().into_iter().flatten();
    for journal in journals.flatten().map(|entry| entry.path()) {
        // The folder holds at least as many lock files as journals.
        if journal.extension().is_none_or(|end| end != "jsonl") {
            continue;
        }
        let Some(name) = name_of_beginning(&journal) else {
            continue;
        };
        let places = folders.iter().map(|folder| folder.join(&name));
        let is_it = |place: &PathBuf| {
            journal_of(state, place) == journal && !place.is_file() && beginning(&journal).is_some()
        };
        begun.extend(places.filter(is_it));
    }
    begun.sort();
    begun
}

impl Journals {
    /// Starts the writer thread. It calls `report` with the reason when it cannot write, and when it can again.
    pub fn start(report: impl Fn(Result<(), String>) + Send + 'static) -> Self {
        let (to, from) = channel();
        thread::spawn(move || run(&from, &report));
        Self { to }
    }

    pub fn write(&self, order: WriteRequest) {
        let _ = self.to.send(PendingWrite::Write { order, done: None });
    }

    /// Stops writing a journal, which another process may write from now on. Returns its text as this run has
    /// written it.
    pub fn leave(&self, journal: &Path) -> String {
        let (text, wait) = channel();
        let _ = self.to.send(PendingWrite::Leave(journal.to_owned(), text));
        wait.recv().unwrap_or_default()
    }

    /// Waits until all earlier requests are written, but no longer than `limit`.
    pub fn flush(&self, limit: Duration) {
        let (done, wait) = channel();
        let order = WriteRequest { journal: PathBuf::new(), hash: 0, what: JournalOp::Nothing };
        let done = Some(done);
        if self.to.send(PendingWrite::Write { order, done }).is_ok() {
            let _ = wait.recv_timeout(limit);
        }
    }

    /// Writes a request, and waits until it and all earlier ones are on the disk.
    pub fn write_through(&self, order: WriteRequest) {
        let (done, wait) = channel();
        let done = Some(done);
        if self.to.send(PendingWrite::Write { order, done }).is_ok() {
            let _ = wait.recv();
        }
    }
}

/// Carries out requests, and syncs those that arrive close together at once.
fn run(from: &Receiver<PendingWrite>, report: &dyn Fn(Result<(), String>)) {
    let mut thread = JournalThread::new(report);
    while let Ok(first) = from.recv() {
        thread.carry_out(first);
        let until = Instant::now() + TOGETHER;
        while thread.may_wait()
            && let Some(left) = until.checked_duration_since(Instant::now())
            && let Ok(next) = from.recv_timeout(left.min(PAUSE))
        {
            thread.carry_out(next);
        }
        thread.sync();
    }
}

/// Carries out requests; reports the first failure and when writing works again.
struct JournalThread<'r> {
    writer: Writer<'static>,
    report: &'r dyn Fn(Result<(), String>),
    /// A failure has been reported.
    failed: bool,
    /// Result of the requests since the last sync.
    outcome: io::Result<()>,
    /// Some of these requests hold unsaved data.
    dear: bool,
    /// Notified at the next sync.
    waiting: Vec<Sender<()>>,
}

impl<'r> JournalThread<'r> {
    fn new(report: &'r dyn Fn(Result<(), String>)) -> Self {
        Self {
            writer: Writer::new(&RealFs),
            report,
            failed: false,
            outcome: Ok(()),
            dear: false,
            waiting: Vec::new(),
        }
    }

    fn carry_out(&mut self, pending: PendingWrite) {
        let (order, done) = match pending {
            PendingWrite::Write { order, done } => (order, done),
            PendingWrite::Leave(journal, text) => {
                let _ = text.send(self.writer.leave(journal));
                return;
            }
        };
        self.waiting.extend(done);
        self.dear |= order.what.is_irreplaceable();
        let now = since_1970().as_millis() as u64;
        let done = self.writer.carry_out(order, now);
        self.outcome = mem::replace(&mut self.outcome, Ok(())).and(done);
    }

    /// Returns true if the next sync can wait: nobody waits for it, and there is nothing to report.
    fn may_wait(&self) -> bool {
        self.waiting.is_empty() && self.outcome.is_ok()
    }

    /// Syncs everything.
    fn sync(&mut self) {
        let dear = mem::take(&mut self.dear);
        let outcome = mem::replace(&mut self.outcome, Ok(()));
        match outcome.and(self.writer.sync()) {
            Err(error) if dear => {
                self.failed = true;
                (self.report)(Err(error.to_string()));
            }
            Ok(()) if self.failed && !self.writer.is_behind() => {
                self.failed = false;
                (self.report)(Ok(()));
            }
            // Saved edits are in their file; losing only undo history is not worth an alarm.
            _ => {}
        }
        for done in self.waiting.drain(..) {
            let _ = done.send(());
        }
    }
}
