//! Journals: a record of every edit, written at once, for crash recovery.
//!
//! Each edited corpus file has a journal in the user's state folder, with one line for every action.
//! [`lines`] defines the lines, [`log`] interprets them, [`writer`] writes and [`reading`] reads them.
//!
//! # Never dropped
//! A damaged journal is copied aside before it is overwritten. A journal that cannot be read at
//! all, or that a newer version wrote, is never overwritten, and the program does not wait for it.
//!
//! # Why a thread
//! Once written, a line survives the program's death; surviving a power failure takes a sync, which is
//! slow, and nobody should wait for it between two keys. Lines that arrive during a sync are written and
//! synced together.

mod legacy;
mod lines;
mod log;
mod open;
mod reading;
mod writer;

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use twox_hash::XxHash3_128;

pub use lines::{JournalLine, JournalText};
pub use log::{Journal, JournalState};
pub use open::keep_damaged;
pub use reading::{JournalError, beginning, name_of_beginning, read};
pub use writer::{WriteRequest, Writer};

use super::clock::since_1970;
use super::fs::RealFs;
use super::paths::real_path;
use crate::workspace::JournalOp;

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

    /// Waits until all earlier requests are on the disk, but no longer than `limit`.
    pub fn flush(&self, limit: Duration) {
        let nothing = WriteRequest { journal: PathBuf::new(), hash: 0, what: JournalOp::Nothing };
        let _ = self.written(nothing).recv_timeout(limit);
    }

    /// Writes a request, and waits until it and all earlier ones are on the disk.
    pub fn write_through(&self, order: WriteRequest) {
        let _ = self.written(order).recv();
    }

    /// Hands over a request; the receiver gets a message once it and all earlier ones are on the disk.
    fn written(&self, order: WriteRequest) -> Receiver<()> {
        let (done, wait) = channel();
        let _ = self.to.send(PendingWrite::Write { order, done: Some(done) });
        wait
    }
}

/// Carries out requests, and syncs those that have arrived meanwhile at once. Reports the first failure and when writing
/// works again.
fn run(from: &Receiver<PendingWrite>, report: &dyn Fn(Result<(), String>)) {
    let (mut writer, mut has_failed) = (Writer::new(&RealFs), false);
    while let Ok(first) = from.recv() {
        // Whether some of the requests hold unsaved data, and who waits until they are synced.
        let (mut outcome, mut are_dear, mut waiting) = (Ok(()), false, Vec::new());
        for pending in iter::once(first).chain(from.try_iter()) {
            match pending {
                PendingWrite::Write { order, done } => {
                    waiting.extend(done);
                    are_dear |= order.what.is_irreplaceable();
                    let now = since_1970().as_millis() as u64;
                    let done = writer.carry_out(order, now);
                    outcome = outcome.and(done);
                }
                PendingWrite::Leave(journal, text) => {
                    let _ = text.send(writer.leave(journal));
                }
            }
        }
        let synced = writer.sync();
        match outcome.and(synced) {
            Err(error) if are_dear => {
                has_failed = true;
                report(Err(error.to_string()));
            }
            Ok(()) if has_failed && !writer.is_behind() => {
                has_failed = false;
                report(Ok(()));
            }
            // Saved edits are in their file; losing only undo history is not worth an alarm.
            _ => {}
        }
        for done in waiting {
            let _ = done.send(());
        }
    }
}
