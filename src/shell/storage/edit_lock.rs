//! The lock that lets only one process edit a corpus file.
//!
//! The lock is on a separate file in the user's state folder, because saving replaces the corpus file.
//! It is released when its process ends, however that happens. Somebody may remove the lock file while
//! its process runs, for example with the whole state folder. The lock is then lost for good, as another process may
//! have taken a new one: the file is read-only here from the next edit or save on, and its unsaved edits are exported.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::compressed::Compression;
use super::disk::{Identity, open_regular};
use super::journal::{self, Journal, Journals, journal_of};
use super::known_files::{Fingerprint, stamp_of};
use super::leftover_edits::{self, ExportedEdits, export_edits};
use super::notices::{DamagedJournal, doubt, unusable};
use super::paths::{folder_of, side_path};
use super::private;
use super::read_again::{Reading, read_again};
use crate::corpus::{Bytes, Index};
use crate::text::counted;
use crate::workspace::{EditLocks, Files, LockOutcome, holder_name};

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

/// Returns the id of the process that holds the lock of the corpus file with this `journal`, if any;
/// empty if it is not known.
pub fn taken_by(journal: &Path) -> Option<String> {
    let path = journal.with_extension("lock");
    let lock = open_regular(&path, File::options().read(true)).ok()?;
    let taken = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
    taken.then(|| holder(&lock))
}

/// Returns the reason why a file with this `journal` is left to those who edit it: a process does, or one has ended with
/// unsaved edits.
pub fn unsaved_in(journal: &Path) -> Option<String> {
    if let Some(holder) = taken_by(journal) {
        return Some(format!("it is being edited by {}", holder_name(&holder)));
    }
    let (unsaved, _) = journal::read(journal).ok()?.unsaved();
    let edits = counted(unsaved.len(), "unsaved edit");
    (!unsaved.is_empty())
        .then(|| format!("it has {edits}; start turnwise to restore or discard them"))
}

/// Returns the process id in a lock file; empty if it holds something else.
fn holder(lock: &File) -> String {
    let mut id = String::new();
    let _ = lock.take(LONGEST_ID).read_to_string(&mut id);
    id
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The locks of the files that this process edits.
pub struct FileLocks {
    state: PathBuf,
    /// The files that were there at the start.
    paths: Vec<PathBuf>,
    reading: Reading,
    journals: Journals,
    /// The locks that this process holds until it releases them or ends, by the number of the file.
    locks: Mutex<HashMap<usize, HeldLock>>,
}

/// A lock that this process holds.
struct HeldLock {
    path: PathBuf,
    journal: PathBuf,
    /// None where locking does not work.
    lock: Option<File>,
    /// The message that the lock is lost.
    lost: Option<String>,
}

impl HeldLock {
    /// Returns true if the locked file is still the one at its path.
    fn is_held(&self) -> bool {
        let Some(lock) = &self.lock else {
            return true;
        };
        let there = self.journal.with_extension("lock").metadata();
        match (lock.metadata(), there) {
            // Where files have no fixed numbers, it is still the one that this process has locked.
            (Ok(ours), Ok(there)) => {
                Identity::of(&ours).is_same_file(&Identity::of(&there))
                    || taken_by(&self.journal) == Some(std::process::id().to_string())
            }
            (_, Err(error)) => {
                !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
            }
            (Err(_), Ok(_)) => true,
        }
    }
}

impl FileLocks {
    pub fn new(state: PathBuf, paths: Vec<PathBuf>, reading: Reading, journals: Journals) -> Self {
        let locks = Mutex::default();
        Self { state, paths, reading, journals, locks }
    }

    /// Returns why a file cannot be saved: this process has lost its lock.
    pub fn refusal(&self, file: usize) -> Option<String> {
        match self.locks().get_mut(&file).map(|held| self.check(held)) {
            Some(LockOutcome::Lost(why)) => Some(why),
            _ => None,
        }
    }

    fn locks(&self) -> MutexGuard<'_, HashMap<usize, HeldLock>> {
        self.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that this process still holds a lock, which it loses for good if somebody removes the lock file.
    fn check(&self, held: &mut HeldLock) -> LockOutcome {
        if held.lost.is_none() && held.is_held() { LockOutcome::Ours } else { self.lose(held) }
    }

    /// Notes that the lock of a file is lost: its journal may be another process's. Returns the message about it.
    fn lose(&self, held: &mut HeldLock) -> LockOutcome {
        let lost = held.lost.get_or_insert_with(|| {
            let own = self.journals.leave(&held.journal);
            let name = name_of(&held.path);
            let why = taken_by(&held.journal).map_or_else(
                || {
                    format!(
                        "the lock of {name} was removed; the file is read-only here until you restart turnwise"
                    )
                },
                |by| format!("{name} is being edited by {} now; read-only here", holder_name(&by)),
            );
            let log = Journal::read(own.into_bytes()).unwrap_or_default();
            let kept = self.export(&held.path, &log);
            kept.map_or(why.clone(), |kept| format!("{why}; {kept}"))
        });
        LockOutcome::Lost(lost.clone())
    }

    /// Exports the unsaved edits in a journal, and returns a message about them; None if there are none.
    fn export(&self, path: &Path, log: &Journal) -> Option<String> {
        let (made, undone) = log.unsaved();
        if made.is_empty() && undone == 0 {
            return None;
        }
        let name = name_of(path);
        let records = made.iter().map(|made| made.record(&name).to_string());
        let kept = ExportedEdits {
            outcome: export_edits(&self.state, path, &records.collect::<Vec<_>>()),
            name: name.clone(),
            edits: made.len(),
            undone,
        };
        Some(leftover_edits::message(&[kept]))
    }
}

impl EditLocks for FileLocks {
    fn release(&self, file: usize) {
        self.locks().remove(&file);
    }

    fn read_again(&self, files: &Files, file: usize) -> Result<(Bytes, Index), String> {
        let path = path_of(files, &self.paths, file).ok_or("the file has no path")?;
        read_again(file, &path, &files.formats(file), &self.reading)
    }

    fn hold(&self, files: &Files, file: usize) -> LockOutcome {
        let mut locks = self.locks();
        if let Some(held) = locks.get_mut(&file) {
            return self.check(held);
        }
        let Some(path) = &path_of(files, &self.paths, file) else {
            return LockOutcome::Ours;
        };
        if Compression::of_name(path).is_some() {
            return LockOutcome::Unusable("it is compressed; unpack it before editing".to_owned());
        }
        let corpus = corpora_of(files, &self.paths, path).next();
        if let Some(Err(why)) = corpus.map(|corpus| side_path(&corpus, path)) {
            return LockOutcome::Unusable(why.to_string());
        }
        let journal = journal_of(&self.state, path);
        let lock = match ask_for(&journal) {
            LockAttempt::Taken(by) => return LockOutcome::Taken(by),
            LockAttempt::Unknown => None,
            LockAttempt::Ours(lock) => Some(lock),
        };
        // A log that is not on the disk yet has the hash of its first bytes.
        let begun = files.begun_hash(file);
        let known = &self.reading.known;
        let new = || begun.map(|hash| Fingerprint { hash, stamp: None });
        let sight = known.fingerprint(file).or_else(new);
        let stamp = stamp_of(&journal);
        let same = sight.is_some_and(|sight| sight.stamp == Some(stamp));
        let read = (!same).then(|| journal::read(&journal)).transpose();
        let log = match read {
            Ok(log) => log,
            Err(why) => return LockOutcome::Unusable(unusable(&journal, &why)),
        };
        let held = HeldLock { path: path.to_owned(), journal: journal.clone(), lock, lost: None };
        locks.insert(file, held);
        // Somebody may have created a file where a new one is to be saved.
        let mut is_changed = begun.is_some() && path.is_file();
        known.compare(file, path, |is_there| is_changed |= is_there);
        let Some((log, Fingerprint { hash, .. })) = log.zip(sight) else {
            let decided = false;
            return if is_changed { LockOutcome::Changed { decided } } else { LockOutcome::Ours };
        };
        if is_changed {
            let found = log.found(hash);
            let decided = !found.is_some_and(|found| found.has_unsaved());
            return LockOutcome::Changed { decided };
        }
        // The lock may be released and acquired again before anything is edited.
        let stamp = Some(stamp);
        known.remember_journal(file, Fingerprint { hash, stamp });
        let name = name_of(path);
        let damaged = DamagedJournal::keep(&name, &journal, &log);
        let found = log.found(hash);
        let doubt = doubt(found.as_ref(), damaged.as_ref());
        if found.is_none() && doubt.is_none() {
            return LockOutcome::Ours;
        }
        let found = found.unwrap_or_default();
        LockOutcome::Past(found.past, found.unsaved, doubt)
    }
}

/// Returns the paths of the corpora whose votes, gold labels or judgements go into the folder of the file at `path`.
pub fn corpora_of<'f>(
    files: &'f Files,
    paths: &'f [PathBuf],
    path: &'f Path,
) -> impl Iterator<Item = PathBuf> + 'f {
    let corpora = files.corpora_beside(path).filter_map(|file| path_of(files, paths, file));
    corpora.filter(move |other| other != path && other.exists())
}

/// Returns the path of a file that was opened, `paths` if it was there at the start.
pub fn path_of(files: &Files, paths: &[PathBuf], file: usize) -> Option<PathBuf> {
    let later = || files.later_path(file).map(Path::to_owned);
    paths.get(file).cloned().or_else(later)
}
