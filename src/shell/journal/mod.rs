//! What was done to a file, written down at once.
//!
//! Each corpus file that was ever edited has a journal in the user's state folder: a line for
//! everything done, with a checksum, so that one cut short by a crash is known. What a journal says
//! is in [`log`], how it is written in [`writer`].
//!
//! # Why a thread
//! A line is with the system as soon as it is written, and so survives the program's death; that it
//! survives a power failure takes longer, and nobody should wait for it between two keys. Nor should
//! the disk be asked after each of them: what comes within [`TOGETHER`] is brought there at once.

mod log;
mod writer;

use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use twox_hash::XxHash3_128;

pub use log::{Beginning, Log};
pub use writer::{Order, What, Writer};

use super::reports::Reports;
use super::fs::RealFs;
use super::real_path::real_path;
use crate::app::Msg;

/// Bytes of a journal that are read, at the most; no journal grows so long by hand.
const LONGEST: u64 = 1 << 28;

/// What is written within so long is brought to the disk together. An edit is there within twice that
/// time, also on a slow one.
const TOGETHER: Duration = Duration::from_millis(50);

/// Where nothing more comes for so long, it is brought there sooner: between two keys rather than with the
/// next one, which would be answered later for it.
const PAUSE: Duration = Duration::from_millis(10);

/// Writes journals, a file each in one folder.
#[derive(Clone)]
pub struct Journals {
    to: Sender<Wanted>,
}

struct Wanted {
    order: Order,
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
        let Some(Beginning { name, .. }) = beginning(&journal) else {
            continue;
        };
        let places = folders.iter().map(|folder| folder.join(&name));
        let is_it = |place: &PathBuf| journal_of(state, place) == journal && !place.exists();
        begun.extend(places.filter(is_it));
    }
    begun.sort();
    begun
}

/// The file that a journal begins, if it does and anything done to it was neither saved nor dropped.
pub fn beginning(journal: &Path) -> Option<Beginning> {
    // Journals are many, and those of files that were begun are few.
    let mut lines = BufReader::new(File::open(journal).ok()?);
    let (mut first, mut second) = (String::new(), String::new());
    lines.read_line(&mut first).ok()?;
    lines.read_line(&mut second).ok()?;
    let beginning = log::beginning_in(&first, &second)?;
    let found = read(journal).found(beginning.hash())?;
    (!found.unsaved.is_empty()).then_some(beginning)
}

/// The journal at `path`; an empty one if there is none, or nothing that can be read.
pub fn read(path: &Path) -> Log {
    let short = path
        .metadata()
        .is_ok_and(|m| m.is_file() && m.len() <= LONGEST);
    let bytes = short.then(|| std::fs::read(path).ok()).flatten();
    Log::read(&String::from_utf8_lossy(&bytes.unwrap_or_default()))
}

impl Journals {
    /// Starts the thread that writes. What it cannot write it says.
    pub fn start(reports: Reports) -> Self {
        let (to, from) = channel();
        thread::spawn(move || run(&from, &reports));
        Self { to }
    }

    pub fn write(&self, order: Order) {
        let _ = self.to.send(Wanted { order, done: None });
    }

    /// As [`Journals::write`], and waits until it and all before it is on the disk.
    pub fn write_through(&self, order: Order) {
        let (done, wait) = channel();
        let done = Some(done);
        if self.to.send(Wanted { order, done }).is_ok() {
            let _ = wait.recv();
        }
    }
}

/// Carries out what is wanted, and brings it to the disk together with what comes soon after.
fn run(from: &Receiver<Wanted>, reports: &Reports) {
    let mut clerk = Clerk::new(reports);
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
struct Clerk<'r> {
    writer: Writer<'static>,
    reports: &'r Reports,
    /// It was told that something is not written.
    failed: bool,
    /// How what was carried out since the last time that all was brought to the disk went.
    outcome: io::Result<()>,
    /// Some of it is nowhere else.
    dear: bool,
    /// Those who wait until it is on the disk.
    waiting: Vec<Sender<()>>,
}

impl<'r> Clerk<'r> {
    fn new(reports: &'r Reports) -> Self {
        Self {
            writer: Writer::new(&RealFs),
            reports,
            failed: false,
            outcome: Ok(()),
            dear: false,
            waiting: Vec::new(),
        }
    }

    fn carry_out(&mut self, Wanted { order, done }: Wanted) {
        self.waiting.extend(done);
        self.dear |= order.what.is_dear();
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
