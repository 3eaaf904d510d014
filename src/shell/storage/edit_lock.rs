//! The lock that lets only one process edit a corpus file.
//!
//! The lock is on a separate file in the user's state folder, because saving replaces the corpus file.
//! It is released when its process ends, however that happens.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::damaged::{self, DamagedJournal};
use super::disk::{Identity, open_regular};
use super::fs::folder_of;
use super::identities::Identities;
use super::journal::{self, JournalError, journal_of};
use super::private;
use super::read_only::unusable;
use crate::workspace::{LockOutcome, VoteLogLock};

/// Longest process id, in digits.
const LONGEST_ID: u64 = 20;

/// The result of trying to lock a file.
#[derive(Debug)]
pub enum LockAttempt {
    /// This process holds the lock until the file handle is dropped.
    Ours(File),
    /// The process with this id holds it.
    Taken(String),
    /// Locking does not work here.
    Unknown,
}

/// Tries to lock the corpus file that has this `journal`.
pub fn ask_for(journal: &Path) -> LockAttempt {
    let path: PathBuf = journal.with_extension("lock");
    let folder = private::make_folder(folder_of(&path));
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let open = private::open(&path, &mut options);
    let (Ok(()), Ok(mut file)) = (folder, open) else {
        return LockAttempt::Unknown;
    };
    match file.try_lock() {
        Ok(()) => {
            let _ = file.set_len(0);
            let _ = write!(file, "{}", std::process::id());
            LockAttempt::Ours(file)
        }
        Err(TryLockError::WouldBlock) => LockAttempt::Taken(holder(&file)),
        Err(TryLockError::Error(_)) => LockAttempt::Unknown,
    }
}

/// Returns true if a process holds the lock of the corpus file that has this `journal`.
pub fn is_taken(journal: &Path) -> bool {
    taken_by(journal).is_some()
}

/// Returns the id of the process that holds it.
pub fn taken_by(journal: &Path) -> Option<String> {
    let path = journal.with_extension("lock");
    let lock = open_regular(&path, File::options().read(true)).ok()?;
    let taken = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
    taken.then(|| holder(&lock))
}

/// Returns the process id in a lock file; empty if it holds something else.
fn holder(lock: &File) -> String {
    let mut id = String::new();
    let _ = lock.take(LONGEST_ID).read_to_string(&mut id);
    id
}

/// The state of a file and its journal when they were read.
#[derive(Clone, Copy, Debug)]
pub struct Fingerprint {
    /// Hash of the file.
    pub hash: u128,
    /// The journal's length and modification time; the outer None means that it was not read.
    pub stamp: Option<Stamp>,
}

type Stamp = Option<(u64, SystemTime)>;

/// Fingerprints by the numbers of open files.
pub type Fingerprints = Arc<Mutex<HashMap<usize, Fingerprint>>>;

impl Fingerprint {
    pub fn of(journal: &Path, hash: u128) -> Self {
        let stamp = Some(stamp_of(journal));
        Self { hash, stamp }
    }

    /// Returns the fingerprint of a file without a journal.
    pub fn without_journal(hash: u128) -> Self {
        let stamp = Some(None);
        Self { hash, stamp }
    }
}

fn stamp_of(journal: &Path) -> Stamp {
    let metadata = journal.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

/// Files that this process may edit, and those it asks for.
pub struct FileLocks {
    state: PathBuf,
    paths: Vec<PathBuf>,
    identities: Identities,
    seen: Fingerprints,
    /// Locks of the edited files; held until the process ends.
    locks: Mutex<Vec<File>>,
}

impl FileLocks {
    pub fn new(
        state: PathBuf,
        paths: Vec<PathBuf>,
        identities: Identities,
        seen: Fingerprints,
    ) -> Self {
        let locks = Mutex::default();
        Self {
            state,
            paths,
            identities,
            seen,
            locks,
        }
    }

    /// Returns true if the file at `path` is not the one that was read. Returns false for a deleted
    /// file.
    fn is_changed(&self, file: usize, path: &Path) -> bool {
        let known = self.identities.lock();
        let known = known.unwrap_or_else(PoisonError::into_inner);
        let known = known.get(file).copied().flatten();
        let now = path.metadata().ok().map(|metadata| Identity::of(&metadata));
        known.zip(now).is_some_and(|(known, now)| known != now)
    }
}

impl FileLocks {
    /// Tries to lock a file. `log` describes a vote log, which may have been created after the start.
    pub fn hold(&self, file: usize, log: Option<&VoteLogLock>) -> LockOutcome {
        let opened = self.paths.get(file).map(PathBuf::as_path);
        let Some(path) = opened.or(log.map(|log| log.place.as_path())) else {
            return LockOutcome::Ours;
        };
        let begun = log.and_then(|log| log.hash);
        let journal = journal_of(&self.state, path);
        let lock = match ask_for(&journal) {
            LockAttempt::Taken(by) => return LockOutcome::Taken(by),
            LockAttempt::Unknown => None,
            LockAttempt::Ours(lock) => Some(lock),
        };
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || begun.map(|hash| Fingerprint { hash, stamp: None });
        let sight = seen.get(&file).copied().or_else(new);
        let same = sight.is_some_and(|sight| sight.stamp == Some(stamp_of(&journal)));
        let read = (!same).then(|| journal::read(&journal)).transpose();
        let log = match read {
            Ok(log) => log,
            Err(JournalError::Newer) => return LockOutcome::Newer,
            Err(why) => return LockOutcome::Unusable(unusable(&journal, &why)),
        };
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        locks.extend(lock);
        // Somebody may have created a file where a new one is to be saved.
        if self.is_changed(file, path) || begun.is_some() && path.exists() {
            return LockOutcome::Changed;
        }
        let Some((log, Fingerprint { hash, .. })) = log.zip(sight) else {
            return LockOutcome::Ours;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let damaged = DamagedJournal::keep(&name, &journal, &log, hash);
        match (log.found(hash), damaged::message(damaged.as_slice())) {
            (Some(found), damage) => LockOutcome::Past(found.past, found.unsaved, damage),
            (None, Some(damage)) => LockOutcome::Damaged(damage),
            (None, None) => LockOutcome::Ours,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("state/x.jsonl");
        let first = ask_for(&journal);
        assert!(matches!(first, LockAttempt::Ours(_)));
        let own = std::process::id().to_string();
        assert!(matches!(ask_for(&journal), LockAttempt::Taken(id) if id == own));
        drop(first);
        assert!(matches!(ask_for(&journal), LockAttempt::Ours(_)));
    }
}
