//! Reads journals, and reports what is at their paths instead.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use memchr::memmem;

use super::lines::BEGINS;
use super::log::Journal;
use crate::shell::storage::disk::{open_regular, read_side_file};
use crate::workspace::NewFile;

/// Largest journal that is read, in bytes; far more than anyone produces by hand.
const LARGEST: u64 = 256 << 20;

/// Why a journal can neither be read nor written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    #[error("a newer version of turnwise wrote it")]
    Newer,
    #[error("{0}")]
    Unreadable(String),
}

/// Reads the journal at `path`; an empty one if there is none.
///
/// # Errors
/// If the file there cannot be used. It is neither waited for nor read to its end.
pub fn read(path: &Path) -> Result<Journal, JournalError> {
    Journal::read(read_bytes(path)?).map_err(|_| JournalError::Newer)
}

/// Returns the bytes of the journal at `path`; none if there is no journal.
///
/// # Errors
/// If the file there cannot be used, whatever version of the program wrote it.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, JournalError> {
    match read_side_file(path, LARGEST) {
        // A path that cannot be examined cannot be overwritten either.
        Err(_) if path.symlink_metadata().is_err() => Ok(Vec::new()),
        read => read.map_err(|error| JournalError::Unreadable(error.to_string())),
    }
}

/// Returns the name of the file that a journal can create.
pub fn name_of_beginning(journal: &Path) -> Option<String> {
    let file = open_regular(journal, File::options().read(true)).ok()?;
    let mut lines = BufReader::new(file.take(LARGEST));
    let mut first = Vec::new();
    for _ in 0..2 {
        lines.read_until(b'\n', &mut first).ok()?;
    }
    // There are many journals but few of such files, which the first lines identify.
    memmem::find(&first, BEGINS.as_bytes())?;
    let log = Journal::read(first).ok()?;
    log.beginning().map(|beginning| beginning.name.clone())
}

/// Returns the file that a journal creates where it is missing, if edits of it are neither saved nor discarded, or can be made
/// again.
pub fn beginning(journal: &Path) -> Option<NewFile> {
    let log = read(journal).ok()?;
    let beginning = log.beginning()?;
    let found = log.found(beginning.hash())?;
    let is_undone = found.past.applied_count < found.past.made.len();
    (is_undone || !found.unsaved.is_empty()).then(|| beginning.clone())
}
