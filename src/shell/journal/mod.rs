//! What was done to a file, written down at once.
//!
//! Each corpus file that was ever edited has a journal in the user's state folder: a line for
//! everything done. What its lines look like is in [`lines`], what they say in [`log`] and [`replay`], how they are
//! written in [`writer`] and read in [`reading`].
//!
//! # Never dropped
//! A journal that is damaged is not overwritten before it is kept in [`aside`]. One that cannot be read
//! at all, or that a newer version wrote, is neither overwritten nor waited for.
//!
//! # Why a thread
//! A line is with the system as soon as it is written, and so survives the program's death; that it
//! survives a power failure takes longer, and nobody should wait for it between two keys. Nor should
//! the disk be asked after each of them: what comes within [`TOGETHER`] is brought there at once.

mod aside;
mod lines;
mod log;
mod open;
mod reading;
mod replay;
mod writer;

use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use twox_hash::XxHash3_128;

pub use aside::{keep_damaged, put_newer_aside};
pub use lines::NewFile;
pub use log::{Journal, JournalState};
pub use reading::{JournalError, beginning, read};
pub use writer::{JournalOp, WriteRequest, Writer};

use super::fs::RealFs;
use super::messages::MessageSender;
use super::real_path::real_path;
use crate::app::Msg;

/// What is written within so long is brought to the disk together. An edit is there within twice that
/// time, also on a slow one.
const TOGETHER: Duration = Duration::from_millis(50);

/// Where nothing more comes for so long, it is brought there sooner: between two keys rather than with the
/// next one, which would be answered later for it.
const PAUSE: Duration = Duration::from_millis(10);

/// Writes journals, a file each in one folder.
#[derive(Clone)]
pub struct Journals {
    to: Sender<PendingWrite>,
}

struct PendingWrite {
    order: WriteRequest,
    /// Told once the order is carried out and on the disk.
    done: Option<Sender<()>>,
}

/// The journal of the corpus file at `path`, in the state folder `state`.
pub fn journal_of(state: &Path, path: &Path) -> PathBuf {
    journal_at(state, &real_path(path))
}

/// As [`journal_of`], of a file of which the real path is known.
pub fn journal_at(state: &Path, path: &Path) -> PathBuf {
    let hash = XxHash3_128::oneshot(path.as_os_str().as_encoded_bytes());
    state.join("journals").join(format!("{hash:032x}.jsonl"))
}

/// Files that were begun in `folders` and never saved, by the journals in the state folder `state`.
pub fn begun_in(state: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut begun = Vec::new();
    let journals = state.join("journals").read_dir().into_iter().flatten();
    for journal in journals.flatten().map(|entry| entry.path()) {
        // Locks stand beside them, and are no fewer.
        if journal.extension().is_none_or(|end| end != "jsonl") {
            continue;
        }
        let Some(NewFile { name, .. }) = beginning(&journal) else {
            continue;
        };
        let places = folders.iter().map(|folder| folder.join(&name));
        let is_it = |place: &PathBuf| journal_of(state, place) == journal && !place.exists();
        begun.extend(places.filter(is_it));
    }
    begun.sort();
    begun
}

impl Journals {
    /// Starts the thread that writes. What it cannot write it says.
    pub fn start(reports: MessageSender) -> Self {
        let (to, from) = channel();
        thread::spawn(move || run(&from, &reports));
        Self { to }
    }

    pub fn write(&self, order: WriteRequest) {
        let _ = self.to.send(PendingWrite { order, done: None });
    }

    /// Waits until all that was wanted before is written, but not for longer than `limit`.
    pub fn flush(&self, limit: Duration) {
        let (done, wait) = channel();
        let order = WriteRequest {
            journal: PathBuf::new(),
            hash: 0,
            what: JournalOp::Nothing,
        };
        let done = Some(done);
        if self.to.send(PendingWrite { order, done }).is_ok() {
            let _ = wait.recv_timeout(limit);
        }
    }

    /// As [`Journals::write`], and waits until it and all before it is on the disk.
    pub fn write_through(&self, order: WriteRequest) {
        let (done, wait) = channel();
        let done = Some(done);
        if self.to.send(PendingWrite { order, done }).is_ok() {
            let _ = wait.recv();
        }
    }
}

/// Carries out what is wanted, and brings it to the disk together with what comes soon after.
fn run(from: &Receiver<PendingWrite>, reports: &MessageSender) {
    let mut clerk = JournalThread::new(reports);
    while let Ok(first) = from.recv() {
        clerk.carry_out(first);
        let until = Instant::now() + TOGETHER;
        while clerk.may_wait()
            && let Some(left) = until.checked_duration_since(Instant::now())
            && let Ok(next) = from.recv_timeout(left.min(PAUSE))
        {
            clerk.carry_out(next);
        }
        clerk.sync();
    }
}

/// Who carries out orders, and tells when it fails and when all is well again.
struct JournalThread<'r> {
    writer: Writer<'static>,
    reports: &'r MessageSender,
    /// It was told that something is not written.
    failed: bool,
    /// How what was carried out since the last time that all was brought to the disk went.
    outcome: io::Result<()>,
    /// Some of it is nowhere else.
    dear: bool,
    /// Those who wait until it is on the disk.
    waiting: Vec<Sender<()>>,
}

impl<'r> JournalThread<'r> {
    fn new(reports: &'r MessageSender) -> Self {
        Self {
            writer: Writer::new(&RealFs),
            reports,
            failed: false,
            outcome: Ok(()),
            dear: false,
            waiting: Vec::new(),
        }
    }

    fn carry_out(&mut self, PendingWrite { order, done }: PendingWrite) {
        self.waiting.extend(done);
        self.dear |= order.what.is_irreplaceable();
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_millis() as u64);
        let done = self.writer.carry_out(order, now);
        self.outcome = mem::replace(&mut self.outcome, Ok(())).and(done);
    }

    /// True if nobody waits, and nothing is to be told.
    fn may_wait(&self) -> bool {
        self.waiting.is_empty() && self.outcome.is_ok()
    }

    /// Brings all to the disk.
    fn sync(&mut self) {
        let dear = mem::take(&mut self.dear);
        let outcome = mem::replace(&mut self.outcome, Ok(()));
        match outcome.and(self.writer.sync()) {
            Err(error) if dear => {
                self.failed = true;
                self.reports.send(Msg::Complaint(told(&error)));
            }
            Ok(()) if self.failed && !self.writer.is_behind() => {
                self.failed = false;
                if dear {
                    let text = "all edits are written down again".to_owned();
                    self.reports.send(Msg::Complaint(text));
                }
            }
            // What was saved is in its file: nobody need be alarmed where only the past is lost.
            _ => {}
        }
        for done in self.waiting.drain(..) {
            let _ = done.send(());
        }
    }
}

/// What is said of a journal that cannot be written, short enough for one line.
fn told(error: &io::Error) -> String {
    let why = error.to_string();
    let why = why.split(" (os error").next().unwrap_or_default();
    format!("edits are only in memory, their journal fails: {why}")
}
