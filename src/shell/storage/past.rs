//! Reads the journals that earlier runs left, when their files are read.
//!
//! The program offers to restore unsaved edits, also where the file has changed since.

use std::path::{Path, PathBuf};

use super::edit_lock::{LockAttempt, ask_for, taken_by};
use super::fs::RealFs;
use super::journal;
use super::journal::{Journal, JournalState, WriteRequest, Writer, journal_at};
use super::known_files::{Fingerprint, KnownFiles, stamp_of};
use super::notices::{DamagedJournal, Notices, doubt};
use super::paths::RealPaths;
use super::save::sweep_beside;
use crate::app::Msg;
use crate::text::counted;
use crate::workspace::{JournalEntry, JournalOp};

/// The journals of earlier runs, for all files read so far.
pub struct PastRuns {
    state: Option<PathBuf>,
    known: KnownFiles,
    real: RealPaths,
    notices: Notices,
}

/// A file with a journal.
#[derive(Clone, Copy)]
struct JournaledFile<'a> {
    /// Its number among the open files.
    file: usize,
    /// Its name on the screen.
    name: &'a str,
    path: &'a Path,
    journal: &'a Path,
}

impl PastRuns {
    /// Uses the journals in the folder `state`, if there is one.
    pub fn new(state: Option<PathBuf>, known: KnownFiles) -> Self {
        Self { state, known, real: RealPaths::default(), notices: Notices::default() }
    }

    /// Returns the path of the journal of the file at `path`, whether or not it exists; None without a
    /// state folder.
    pub fn journal(&mut self, path: &Path) -> Option<PathBuf> {
        Some(journal_at(self.state.as_ref()?, &self.real.of(path)))
    }

    /// Checks whether the file at `path` can be written at all.
    pub fn look_at(&mut self, path: &Path) {
        let journal = self.journal(path);
        let holder = journal.and_then(|journal| taken_by(&journal));
        self.notices.look(path, holder.as_deref());
    }

    /// Returns the messages about earlier edits to a file, given by number, display name, path and hash.
    pub fn of_file(&mut self, file: usize, name: &str, path: &Path, hash: u128) -> Vec<Msg> {
        let Some(journal) = self.journal(path) else {
            return Vec::new();
        };
        let (mut fingerprint, mut msgs) = (Fingerprint { hash, stamp: None }, Vec::new());
        let now = stamp_of(&journal);
        if now.is_none() && journal.symlink_metadata().is_err() {
            // A journal created later is read before the file is edited.
            fingerprint.stamp = Some(None);
        } else if taken_by(&journal).is_none() {
            // Unsaved edits of another process are left to that process.
            match journal::read(&journal) {
                Ok(log) => {
                    let of = JournaledFile { file, name, path, journal: &journal };
                    let cleaned_up;
                    (msgs, cleaned_up) = self.of_log(&log, of, hash);
                    fingerprint.stamp = Some(if cleaned_up { stamp_of(&journal) } else { now });
                }
                Err(why) => self.notices.cannot_use(name, &journal, &why),
            }
        }
        self.known.remember_journal(file, fingerprint);
        msgs
    }

    /// Interprets the journal of a file; returns the messages, and whether the journal was cleaned up.
    fn of_log(&mut self, log: &Journal, of: JournaledFile<'_>, hash: u128) -> (Vec<Msg>, bool) {
        let JournaledFile { file, name, path, journal } = of;
        let (mut msgs, mut cleaned_up) = (Vec::new(), false);
        let found = log.found(hash);
        let damaged = DamagedJournal::keep(name, journal, log);
        let doubt = doubt(found.as_ref(), damaged.as_ref());
        let undone = log.undone_in_other_bytes(hash);
        if undone > 0 {
            let (edits, is) =
                (counted(undone as u64, "edit"), if undone == 1 { "is" } else { "are" });
            self.notices.undone.push(format!(
                "{name} has changed on disk: {edits} that you saved and later undid {is} there again"
            ));
        }
        let undecided = found.as_ref().is_some_and(JournalState::has_unsaved);
        let is_kept = damaged.as_ref().is_some_and(|damaged| damaged.is_kept);
        if (undone > 0 || is_kept) && !undecided {
            // The journal leaves the user nothing to decide.
            let known = found.as_ref().map(|_| hash).or(log.hash());
            if let LockAttempt::Ours(_lock) = ask_for(journal) {
                cleaned_up = discard_unsaved(journal, known.unwrap_or(hash));
            }
        }
        self.notices.damaged.extend(damaged.map(|damaged| damaged.message));
        msgs.extend(doubt.map(|doubt| Msg::Doubt { file, doubt }));
        if let Some(found) = found {
            let (past, unsaved) = (found.past, found.unsaved);
            if !unsaved.is_empty() {
                // An earlier run may have died while it saved them.
                sweep_beside(path);
            }
            msgs.push(Msg::History { file, past, unsaved });
        }
        (msgs, cleaned_up)
    }

    /// Returns what is to be reported once all files are read, if anything is.
    pub fn final_message(&self) -> Option<String> {
        self.notices.message()
    }
}

/// Discards the unsaved edits in the journal of a file with this hash. Returns false if that fails.
fn discard_unsaved(journal: &Path, hash: u128) -> bool {
    let what = JournalOp::Did(JournalEntry::QuitUnsaved);
    let journal = journal.to_owned();
    let order = WriteRequest { journal, hash, what };
    Writer::new(&RealFs).carry_out(order, 0).is_ok()
}
