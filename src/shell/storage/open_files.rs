//! Open files, of which there are only so many: past the limit, the one that was read longest ago is closed, and opened
//! again when it is read. So a folder of many thousands can be open, and the texts of compressed files share a limit on the
//! disk.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::disk::{DiskFile, Identity};
use crate::corpus::Source;

/// The most bytes that texts of compressed files take together, unless one alone takes more.
const MOST_BYTES: u64 = 2 << 30;
/// The share of the free space that they may take.
const SHARE: u64 = 10;
/// The most files.
const MOST: usize = 128;

/// The files that are open, the one that was read last at the end. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct OpenFiles {
    open: Arc<Mutex<Vec<OpenFile>>>,
    /// How many were held so far.
    count: Arc<AtomicU64>,
}

/// The number of an open file, and the file.
type OpenFile = (u64, Arc<DiskFile>);

/// A file in the state in which it was read first.
#[derive(Debug)]
pub struct HeldFile {
    /// Its number among those that are open.
    number: u64,
    path: PathBuf,
    identity: Option<Identity>,
    len: u64,
    /// The parts of a compressed file that are not in its text, each with the reason.
    damage: Vec<String>,
    files: OpenFiles,
}

impl OpenFiles {
    /// Keeps the file at `path` open.
    pub fn hold(&self, path: &Path, file: Arc<DiskFile>) -> HeldFile {
        let held = HeldFile {
            number: self.count.fetch_add(1, Ordering::Relaxed),
            path: path.to_owned(),
            identity: file.identity().ok(),
            len: file.len(),
            damage: file.damage().to_vec(),
            files: self.clone(),
        };
        self.add(held.number, file);
        held
    }

    fn lock(&self) -> MutexGuard<'_, Vec<OpenFile>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, number: u64, file: Arc<DiskFile>) {
        let mut open = self.lock();
        open.push((number, file));
        if open.len() > MOST {
            open.remove(0);
        }
        let texts = open.iter().filter(|(_, file)| file.is_unpacked());
        let mut taken: u64 = texts.map(|(_, file)| file.len()).sum();
        let most = if taken > 0 { most(taken) } else { 0 };
        let last = open.len() - 1;
        let mut at = 0;
        open.retain(|(_, file)| {
            let goes = taken > most && at < last && file.is_unpacked();
            at += 1;
            if goes {
                taken -= file.len();
            }
            !goes
        });
    }

    /// Returns a file, if it is open still.
    fn get(&self, number: u64) -> Option<Arc<DiskFile>> {
        let mut open = self.lock();
        let place = open.iter().rposition(|(known, _)| *known == number)?;
        open[place..].rotate_left(1);
        open.last().map(|(_, file)| Arc::clone(file))
    }
}

/// Returns how many bytes the texts may take that take this many now.
fn most(taken: u64) -> u64 {
    #[cfg(unix)]
    if let Ok(space) = rustix::fs::statvfs(std::env::temp_dir()) {
        return MOST_BYTES.min((space.f_bavail * space.f_frsize + taken) / SHARE);
    }
    let _ = taken;
    MOST_BYTES
}

impl Source for HeldFile {
    fn len(&self) -> u64 {
        self.len
    }

    fn damage(&self) -> &[String] {
        &self.damage
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        let file = match self.files.get(self.number) {
            Some(file) => file,
            None => {
                let file = Arc::new(DiskFile::open(&self.path)?);
                if file.identity().ok() != self.identity {
                    return Err(io::Error::other("the file was changed by another program"));
                }
                self.files.add(self.number, Arc::clone(&file));
                file
            }
        };
        file.read_at(at, buffer)
    }
}

impl Drop for HeldFile {
    fn drop(&mut self) {
        self.files.lock().retain(|(number, _)| *number != self.number);
    }
}
