//! Reads journals, and reports what is at their paths instead.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;

use memchr::memmem;

use super::lines::{BEGINS, NewFile};
use super::log::Journal;
use crate::shell::storage::disk::kind_of;

/// Largest journal that is read, in bytes; far more than anyone produces by hand.
const LARGEST: u64 = 256 * MIB;
const MIB: u64 = 1 << 20;

/// Why a journal can neither be read nor written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalError {
    /// A newer version of the program wrote it.
    Newer,
    /// It is not a regular file.
    NotAFile(&'static str),
    /// Its size in bytes is over the limit.
    TooLarge(u64),
    /// The system does not allow reading it.
    Unreadable(String),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newer => f.write_str("a newer version of turnwise wrote it"),
            Self::NotAFile(what) => write!(f, "it is {what}, not a regular file"),
            Self::TooLarge(bytes) => {
                write!(f, "it has {} MiB; the limit is {} MiB", bytes.div_ceil(MIB), LARGEST / MIB)
            }
            Self::Unreadable(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for JournalError {}

/// Reads the journal at `path`; an empty one if there is none.
///
/// # Errors
/// If the file there cannot be used. It is neither waited for nor read to its end.
pub fn read(path: &Path) -> Result<Journal, JournalError> {
    if length(path)?.is_none() {
        return Ok(Journal::default());
    }
    Journal::read(read_bytes(path)?).map_err(|_| JournalError::Newer)
}

/// Returns the bytes of the journal at `path`; none if there is no journal.
///
/// # Errors
/// If the file there cannot be used, whatever version of the program wrote it.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, JournalError> {
    let Some(length) = length(path)? else {
        return Ok(Vec::new());
    };
    let mut bytes = Vec::with_capacity(length as usize);
    let file = File::open(path);
    let read = file.and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    read.map_err(|error| JournalError::Unreadable(error.to_string()))?;
    if bytes.len() as u64 > LARGEST {
        return Err(JournalError::TooLarge(bytes.len() as u64));
    }
    Ok(bytes)
}

/// Returns the size of the journal at `path` in bytes; None if there is none.
///
/// # Errors
/// If the file there is not a regular file, or is too large.
pub fn length(path: &Path) -> Result<Option<u64>, JournalError> {
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => Err(JournalError::NotAFile(kind_of(&metadata))),
        Ok(metadata) if metadata.len() > LARGEST => Err(JournalError::TooLarge(metadata.len())),
        Ok(metadata) => Ok(Some(metadata.len())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        // For example a loop of links.
        Err(error) if path.symlink_metadata().is_ok() => {
            Err(JournalError::Unreadable(error.to_string()))
        }
        // A path that cannot be examined cannot be overwritten either.
        Err(_) => Ok(None),
    }
}

/// Returns the name of the file that a journal can create.
pub fn name_of_beginning(journal: &Path) -> Option<String> {
    length(journal).ok()??;
    let mut lines = BufReader::new(File::open(journal).ok()?.take(LARGEST));
    let mut first = Vec::new();
    for _ in 0..2 {
        lines.read_until(b'\n', &mut first).ok()?;
    }
    // There are many journals but few of such files, which the first lines identify.
    memmem::find(&first, BEGINS.as_bytes())?;
    let log = Journal::read(first).ok()?;
    log.beginning().map(|beginning| beginning.name.clone())
}

/// Returns the file that a journal creates where it is missing, if edits of it were neither saved nor discarded.
pub fn beginning(journal: &Path) -> Option<NewFile> {
    let log = read(journal).ok()?;
    let beginning = log.beginning()?;
    let found = log.found(beginning.hash())?;
    (!found.unsaved.is_empty()).then(|| beginning.clone())
}
