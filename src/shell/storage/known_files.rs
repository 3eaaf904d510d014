//! Remembers the files on the disk as this run has read them, so that changes by other programs are noticed.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::disk::Identity;

/// The state of each file when it was read, by its number. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct KnownFiles(Arc<Mutex<HashMap<usize, KnownFile>>>);

#[derive(Clone, Copy, Debug, Default)]
struct KnownFile {
    identity: Option<Identity>,
    fingerprint: Option<Fingerprint>,
}

/// The state of a file and its journal when they were read.
#[derive(Clone, Copy, Debug)]
pub struct Fingerprint {
    /// Hash of the file.
    pub hash: u128,
    /// The journal's length and modification time; the outer None means that it was not read.
    pub stamp: Option<Stamp>,
}

pub type Stamp = Option<(u64, SystemTime)>;

/// Returns the length and the modification time of a journal; None if there is none.
pub fn stamp_of(journal: &Path) -> Stamp {
    let metadata = journal.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

impl KnownFiles {
    fn lock(&self) -> MutexGuard<'_, HashMap<usize, KnownFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a file was read or saved.
    pub fn remember(&self, file: usize, identity: Option<Identity>) {
        self.lock().entry(file).or_default().identity = identity;
    }

    /// Notes the state in which a file and its journal were read.
    pub fn remember_journal(&self, file: usize, fingerprint: Fingerprint) {
        self.lock().entry(file).or_default().fingerprint = Some(fingerprint);
    }

    /// Returns the identity of a file when it was read or saved; None before that.
    pub fn identity(&self, file: usize) -> Option<Identity> {
        self.lock().get(&file)?.identity
    }

    pub fn fingerprint(&self, file: usize) -> Option<Fingerprint> {
        self.lock().get(&file)?.fingerprint
    }

    /// Compares the file at a path with the one that was read, and calls `report` if they differ: with false if it was
    /// deleted.
    pub fn compare(&self, file: usize, path: &Path, report: impl FnOnce(bool)) {
        let Some(read) = self.identity(file) else {
            return;
        };
        let now = match path.metadata() {
            Ok(metadata) => Some(Identity::of(&metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(_) => return,
        };
        if now == Some(read) {
            return;
        }
        // The program itself may have saved or reloaded the file meanwhile: then it has recorded the new file.
        // If not, it cannot do so until this lock is released, so this report arrives first, while the app
        // still knows that the file is being saved.
        let known = self.lock();
        if known.get(&file).is_some_and(|known| known.identity == Some(read)) {
            report(now.is_some());
        }
    }
}
