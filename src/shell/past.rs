//! What earlier runs have left of files in their journals, looked at when the files are read.
//!
//! The program offers what they had not saved. Where it cannot, that is kept in files, and a message says
//! where they are.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use super::damaged::{self, DamagedJournal};
use super::edit_lock::{Fingerprint, Fingerprints, LockAttempt, ask_for, is_taken};
use super::fs::RealFs;
use super::journal::{
    self, Journal, JournalError, JournalOp, JournalState, WriteRequest, Writer, journal_at,
};
use super::leftover_edits::{self, ExportedEdits, export_edits};
use super::read_only::ReadOnlyFiles;
use super::real_path::RealPaths;
use super::save::sweep;
use crate::app::{JournalEntry, JournaledEdit, Msg};

/// What earlier runs have left, of all files that were looked at.
pub struct PastRuns {
    /// Where journals are, and what is seen of them.
    state: Option<(PathBuf, Fingerprints)>,
    /// The names of the journals and locks that are there; None if they cannot be listed. Of many files,
    /// few have a journal, and the others are not looked at one by one.
    listed: Option<HashSet<OsString>>,
    real: RealPaths,
    kept: Vec<ExportedEdits>,
    damaged: Vec<DamagedJournal>,
    /// How many of both a message has been about.
    announced: usize,
    barred: ReadOnlyFiles,
}

impl PastRuns {
    /// Their journals are in the folder `state`, if there is one.
    pub fn new(state: Option<(PathBuf, Fingerprints)>) -> Self {
        let listed = state.as_ref().and_then(|(state, _)| list_journals(state));
        Self {
            state,
            listed,
            real: RealPaths::default(),
            kept: Vec::new(),
            damaged: Vec::new(),
            announced: 0,
            barred: ReadOnlyFiles::default(),
        }
    }

    /// The journal of the file at `path`, whether or not it is there; None if there can be none.
    pub fn journal(&mut self, path: &Path) -> Option<PathBuf> {
        let (state, _) = self.state.as_ref()?;
        Some(journal_at(state, &self.real.of(path)))
    }

    /// False if a journal or lock was not there when they were listed.
    fn may_be_there(&self, path: &Path) -> bool {
        let listed = self.listed.as_ref().zip(path.file_name());
        listed.is_none_or(|(listed, name)| listed.contains(name))
    }

    /// True if another process has the corpus file of which `journal` is the journal.
    fn is_taken(&self, journal: &Path) -> bool {
        self.may_be_there(&journal.with_extension("lock")) && is_taken(journal)
    }

    /// Looks whether the file at `path` can be written at all.
    pub fn look_at(&mut self, path: &Path) {
        let journal = self.journal(path);
        let taken = journal.is_some_and(|journal| self.is_taken(&journal));
        self.barred.look(path, taken);
    }

    /// Tells what earlier runs have done to a file with this hash: its number, the name by which it is
    /// shown, and its path.
    pub fn of_file(&mut self, (file, name, path): (usize, &str, &Path), hash: u128) -> Vec<Msg> {
        let Some((journal, (state, seen))) = self.journal(path).zip(self.state.clone()) else {
            return Vec::new();
        };
        let (mut sight, mut msgs) = (Fingerprint { hash, stamp: None }, Vec::new());
        // What another process has not saved yet is no business of this one.
        let taken = self.is_taken(&journal);
        if !taken && !self.may_be_there(&journal) {
            // One that somebody begins later is read before the file is edited.
            sight = Fingerprint::without_journal(hash);
        } else if !taken {
            let now = Fingerprint::of(&journal, hash);
            match journal::read(&journal) {
                Ok(log) => {
                    let at = (path, journal.as_path(), state.as_path());
                    let put_in_order;
                    (msgs, put_in_order) = self.of_log(&log, (file, name), at, hash);
                    sight = if put_in_order {
                        Fingerprint::of(&journal, hash)
                    } else {
                        now
                    };
                }
                Err(JournalError::Newer) => msgs.push(Msg::NewerJournal { file }),
                Err(why) => self.barred.cannot_use(name, &journal, &why),
            }
        }
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.insert(file, sight);
        let count = self.kept.len() + self.damaged.len();
        // Each message is about all so far, as one hides another, so not every file gets its own.
        if count > 0 && count >= 2 * self.announced {
            self.announced = count;
            msgs.extend(self.told().map(Msg::Complaint));
        }
        msgs
    }

    /// What a journal says of a file; and whether it was put in order.
    fn of_log(
        &mut self,
        log: &Journal,
        (file, name): (usize, &str),
        (path, journal, state): (&Path, &Path, &Path),
        hash: u128,
    ) -> (Vec<Msg>, bool) {
        let (mut msgs, mut put_in_order) = (Vec::new(), false);
        let found = log.found(hash);
        let damaged = DamagedJournal::keep(name, journal, log, hash);
        let told = damaged::told(damaged.as_slice());
        let (made, undone) = log.of_other_bytes(hash);
        let waits = found.as_ref().is_some_and(JournalState::is_to_be_decided);
        if !made.is_empty() || undone > 0 {
            // The file was changed since: what was not saved cannot simply be made again.
            let kept = keep_unsaved((&made, undone), (name, path), state, journal, (log, hash));
            put_in_order = kept.is_some();
            self.kept.extend(kept);
        } else if damaged.as_ref().is_some_and(DamagedJournal::is_kept) && !waits {
            // Nobody has to decide about anything in it.
            let known = found.as_ref().map(|_| hash).or(log.hash());
            if let LockAttempt::Ours(_lock) = ask_for(journal) {
                put_in_order = strike_out(journal, known.unwrap_or(hash));
            }
        }
        self.damaged.extend(damaged);
        msgs.extend(told.map(|told| Msg::Damaged { file, told }));
        if let Some(found) = found {
            let (past, unsaved) = (found.past, found.unsaved);
            if !unsaved.is_empty() {
                // They may have been cut off in the middle of being saved.
                sweep(path);
            }
            msgs.push(Msg::History {
                file,
                past,
                unsaved,
            });
        }
        (msgs, put_in_order)
    }

    /// What is kept, and what is damaged.
    fn told(&self) -> Option<String> {
        let kept = (!self.kept.is_empty()).then(|| leftover_edits::told(&self.kept, true));
        let all = [kept, damaged::told(&self.damaged)];
        let all: Vec<_> = all.into_iter().flatten().collect();
        (!all.is_empty()).then(|| all.join(" · "))
    }

    /// All there is to tell once all files are looked at, if there is anything that was not told yet.
    pub fn told_at_last(&self) -> Option<String> {
        let barred: Vec<_> = self.barred.notice().collect();
        let all: Vec<_> = self
            .told()
            .into_iter()
            .chain(barred.iter().cloned())
            .collect();
        let count = self.kept.len() + self.damaged.len();
        (!barred.is_empty() || count > self.announced).then(|| all.join(" · "))
    }
}

/// The names of what is in the folder of journals; None if it cannot be listed.
fn list_journals(state: &Path) -> Option<HashSet<OsString>> {
    match state.join("journals").read_dir() {
        Ok(entries) => entries.map(|entry| Some(entry.ok()?.file_name())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(HashSet::new()),
        Err(_) => None,
    }
}

/// Keeps edits beside that are in a journal of other bytes than those with this hash, and strikes them
/// out there.
fn keep_unsaved(
    (made, undone): (&[Arc<JournaledEdit>], usize),
    (name, path): (&str, &Path),
    state: &Path,
    journal: &Path,
    (log, hash): (&Journal, u128),
) -> Option<ExportedEdits> {
    // Held until this is done; somebody who has just begun to edit the file sees to it.
    let LockAttempt::Ours(_lock) = ask_for(journal) else {
        return None;
    };
    let records = made.iter().map(|made| made.record(name).to_string());
    let outcome = export_edits(state, path, &records.collect::<Vec<_>>());
    if outcome.is_ok() {
        // What fails here is kept once more the next time.
        strike_out(journal, log.hash().unwrap_or(hash));
    }
    Some(ExportedEdits {
        name: name.to_owned(),
        edits: made.len(),
        absent: false,
        undone,
        outcome,
    })
}

/// Strikes out what is not saved in the journal of a file with this hash. False if that fails.
fn strike_out(journal: &Path, hash: u128) -> bool {
    let what = JournalOp::Did(JournalEntry::QuitUnsaved);
    let journal = journal.to_owned();
    let order = WriteRequest {
        journal,
        hash,
        what,
    };
    Writer::new(&RealFs).carry_out(order, 0).is_ok()
}

/// Puts journals aside that a newer version of the program wrote: of files with these numbers, and names
/// by which they are shown.
pub fn put_newer_aside(journals: Vec<(usize, String, PathBuf)>) -> Vec<Msg> {
    let (mut files, mut told, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (file, name, journal) in journals {
        let _lock = match ask_for(&journal) {
            LockAttempt::Taken(_) => {
                failed.push(format!("{name} is being edited by another process"));
                continue;
            }
            LockAttempt::Ours(lock) => Some(lock),
            LockAttempt::Unknown => None,
        };
        if journal::read(&journal).err() != Some(JournalError::Newer) {
            // Somebody has put it aside meanwhile.
            files.push(file);
            told.push(format!("{name} can be edited"));
            continue;
        }
        match journal::put_newer_aside(&journal) {
            Ok(path) => {
                files.push(file);
                told.push(format!(
                    "{name} can be edited; the newer journal is kept in {}",
                    path.display()
                ));
            }
            Err(error) => failed.push(format!(
                "{name} is still read-only: its journal cannot be put aside: {error}"
            )),
        }
    }
    let mut msgs = Vec::new();
    if !files.is_empty() {
        let told = told.join(" · ");
        msgs.push(Msg::PutAside { files, told });
    }
    if !failed.is_empty() {
        msgs.push(Msg::Complaint(failed.join(" · ")));
    }
    msgs
}
