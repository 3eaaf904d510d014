//! Writes journals so that at any moment a journal describes a state that existed.
//!
//! The first write of a run replaces the journal of the runs before as a whole, without the history beyond the limit;
//! then lines are appended. Where that is not possible, because a line was cut short, the journal was removed, or it is
//! about other bytes, it is replaced once more.
//!
//! Lines that cannot be written are kept and written with the next line: a journal with one line missing
//! is worse than none. A journal without the line about the last save is also worse than none, and is
//! removed: all of its edits are in the file.
//!
//! A damaged journal is replaced only after it has been copied aside; so is one that has lines of others.
//! If something unusable is at a journal's path, it stays there, and nothing is written.
//!
//! The journal of a file whose edit lock is lost is left: nothing more is written to it.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::lines::JournalLine;
use super::log::JournalState;
use super::open::{OpenJournal, PriorFile};
use super::reading::read_bytes;
use crate::shell::storage::disk::Identity;
use crate::shell::storage::fs::{Fs, replace_private};
use crate::workspace::{JournalEntry, JournalOp, MadeEdit};

/// A request to write to the journal at a path; `hash` is the file's hash when it was read or last
/// saved.
#[derive(Clone, Debug)]
pub struct WriteRequest {
    pub journal: PathBuf,
    pub hash: u128,
    pub what: JournalOp,
}

/// Writes journals.
pub struct Writer<'f> {
    fs: &'f dyn Fs,
    open: HashMap<PathBuf, OpenJournal>,
    /// Files written to and not yet synced.
    dirty: HashMap<PathBuf, File>,
    /// Journals of files that another process may edit.
    left: HashSet<PathBuf>,
}

impl<'f> Writer<'f> {
    pub fn new(fs: &'f dyn Fs) -> Self {
        Self { fs, open: HashMap::new(), dirty: HashMap::new(), left: HashSet::new() }
    }

    /// Stops writing a journal for good, and returns its text; empty if this run has not written to it.
    pub fn leave(&mut self, journal: PathBuf) -> String {
        let open = self.open.remove(&journal);
        self.left.insert(journal);
        open.map_or_else(String::new, |open| open.text.as_str().to_owned())
    }

    /// Carries out a request; `now` is the time in milliseconds since 1970.
    ///
    /// # Errors
    /// If it cannot be written. It is retried with the next request for the same journal.
    pub fn carry_out(&mut self, order: WriteRequest, now: u64) -> io::Result<()> {
        let WriteRequest { journal, hash, what } = order;
        if self.left.contains(&journal) {
            return Ok(());
        }
        match what {
            JournalOp::Nothing => {
                let journals: Vec<_> = self.open.keys().cloned().collect();
                let written = journals.iter().map(|journal| self.write(journal));
                return written.fold(Ok(()), io::Result::and);
            }
            JournalOp::Begins(beginning) => {
                let open = self.opened(&journal, hash);
                let found = open.found();
                let beginning = Some(beginning);
                if found.beginning != beginning {
                    open.say(&JournalState { beginning, ..found });
                }
            }
            JournalOp::Did(entry) => {
                let line = JournalLine::Entry(stamped(entry, now));
                self.opened(&journal, hash).text.add(&line);
            }
            JournalOp::Saves(new) => {
                self.opened(&journal, hash).text.add(&JournalLine::Saves(new));
            }
            JournalOp::Saved => {
                // The journal is still about the old bytes, and names the new ones as its next.
                if let Some(open) = self.open.get_mut(&journal) {
                    open.text.add(&JournalLine::Saved(hash));
                } else {
                    self.opened(&journal, hash);
                }
                return self.write(&journal).or_else(|error| self.forget(&journal, hash, error));
            }
            JournalOp::Rewrite(entries) => {
                let open = self.opened(&journal, hash);
                let entries = entries.into_iter().map(|entry| stamped(entry, now));
                let unsaved = entries.collect();
                let found = open.found();
                open.say(&JournalState { unsaved, ..found });
            }
        }
        self.write(&journal)
    }

    /// Syncs everything.
    ///
    /// # Errors
    /// If the sync fails.
    pub fn sync(&mut self) -> io::Result<()> {
        let mut outcome = Ok(());
        for (journal, file) in self.dirty.drain() {
            let synced = self.fs.sync(&file);
            if synced.is_err()
                && let Some(open) = self.open.get_mut(&journal)
            {
                // After a failed sync the whole journal is written again.
                open.written = 0;
            }
            outcome = outcome.and(synced);
        }
        outcome
    }

    /// Returns true if something is not written yet.
    pub fn is_behind(&self) -> bool {
        !self.open.values().all(OpenJournal::is_written)
    }

    /// Returns the journal of a file with this hash, and reads it on first use.
    fn opened(&mut self, journal: &Path, hash: u128) -> &mut OpenJournal {
        let known = self.open.remove(journal);
        let known = known.filter(|open| open.text.hash() == hash);
        let open = known.unwrap_or_else(|| OpenJournal::read(journal, hash));
        self.open.entry(journal.to_owned()).insert_entry(open).into_mut()
    }

    /// Removes a journal in which a save cannot be recorded: it would offer saved edits to the next run as unsaved.
    fn forget(&mut self, journal: &Path, hash: u128, error: io::Error) -> io::Result<()> {
        let announced = JournalLine::Saves(hash).to_string();
        let must_stay = |open: &OpenJournal| {
            // What is at the path may not come from this run.
            open.place != PriorFile::Free || open.text.as_str()[..open.written].contains(&announced)
        };
        if self.open.get(journal).is_none_or(must_stay) || read_bytes(journal).is_err() {
            return Err(error);
        }
        std::fs::remove_file(journal).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
        let bare = OpenJournal::saying(&JournalState::default(), hash, PriorFile::Free);
        self.open.insert(journal.to_owned(), bare);
        self.write(journal)
    }

    fn write(&mut self, journal: &Path) -> io::Result<()> {
        let Some(open) = self.open.get_mut(journal) else {
            return Ok(());
        };
        if open.is_written() {
            return Ok(());
        }
        open.place.make_way(journal)?;
        let text = open.text.as_str().as_bytes();
        let file = match open.append(self.fs, journal)? {
            Some(mut file) => {
                self.fs.write(&mut file, &text[open.written..])?;
                file
            }
            None => replace_private(self.fs, journal, text)?,
        };
        open.written = text.len();
        open.file = file.metadata().ok().map(|now| Identity::of(&now));
        self.dirty.insert(journal.to_owned(), file);
        Ok(())
    }
}

/// Adds the current time to an entry that has none.
fn stamped(entry: JournalEntry, now: u64) -> JournalEntry {
    match entry {
        JournalEntry::Edit(made) if made.when == 0 => JournalEntry::Edit(Arc::new(MadeEdit {
            when: now.max(1),
            ..Arc::unwrap_or_clone(made)
        })),
        other => other,
    }
}
