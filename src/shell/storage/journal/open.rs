//! A journal that this run writes: its text, what was at its path before, and what is there now.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::lines::JournalText;
use super::log::{Journal, JournalState};
use super::reading::{JournalError, read, read_bytes};
use crate::shell::storage::disk::Identity;
use crate::shell::storage::fs::{Fs, Readers};
use crate::shell::storage::paths::folder_of;
use crate::shell::storage::private;

/// A journal that this run writes.
pub struct OpenJournal {
    /// Its whole text.
    pub text: JournalText,
    /// Bytes of it that are in the file; 0 if the file is to be replaced as a whole, as at the first write.
    pub written: usize,
    pub place: PriorFile,
    /// The file that was written last; None if this run has not written any.
    pub file: Option<Identity>,
}

/// The file at a journal's path before anything was written.
#[derive(PartialEq, Eq)]
pub enum PriorFile {
    /// An undamaged journal, or none.
    Free,
    /// A damaged journal with these bytes.
    Damaged(Vec<u8>),
    Unusable(JournalError),
}

impl OpenJournal {
    /// Reads the journal of a file with this hash.
    pub fn read(journal: &Path, hash: u128) -> Self {
        match read(journal) {
            Ok(log) => {
                let damaged = log.damaged().map(<[u8]>::to_vec);
                let place = damaged.map_or(PriorFile::Free, PriorFile::Damaged);
                // Edits that were made in other bytes stay unsaved, too.
                Self::saying(&log.found(hash).unwrap_or_default(), hash, place)
            }
            Err(why) => Self::saying(&JournalState::default(), hash, PriorFile::Unusable(why)),
        }
    }

    /// Returns a journal with this state for a file with this hash; it is not written yet.
    pub fn saying(found: &JournalState, hash: u128, place: PriorFile) -> Self {
        Self { text: found.text(hash), written: 0, place, file: None }
    }

    /// Returns the state of the file according to the journal.
    pub fn found(&self) -> JournalState {
        let log = Journal::read(self.text.as_str().as_bytes().to_vec());
        let found = log.ok().and_then(|log| log.found(self.text.hash()));
        found.unwrap_or_default()
    }

    /// Replaces the recorded state of the file.
    pub fn say(&mut self, found: &JournalState) {
        self.text = found.text(self.text.hash());
        self.written = 0;
    }

    pub fn is_written(&self) -> bool {
        self.written == self.text.as_str().len()
    }

    /// Opens the file to append to it; returns None if it is to be replaced as a whole. Lines of others are copied aside
    /// first.
    pub fn append(&self, fs: &dyn Fs, journal: &Path) -> io::Result<Option<File>> {
        fs.make_folder(folder_of(journal), Readers::User)?;
        if self.written == 0 {
            return Ok(None);
        }
        let file = fs.append(journal)?;
        let metadata = file.metadata()?;
        let (length, written) = (metadata.len(), self.written as u64);
        let now = Identity::of(&metadata);
        if length == written && self.file.is_some_and(|known| known.is_same_file(&now)) {
            return Ok(Some(file));
        }
        let bytes = read_bytes(journal).map_err(io::Error::other)?;
        if !self.is_own(&bytes) {
            keep_damaged(journal, &bytes)?;
            return Ok(None);
        }
        if length < written {
            return Ok(None);
        }
        // Extra bytes belong to a line that was cut short.
        file.set_len(written)?;
        Ok(Some(file))
    }

    /// Returns true if this run has written every line of a journal with these bytes. Its last line may be
    /// cut short.
    fn is_own(&self, bytes: &[u8]) -> bool {
        let lines = bytes.iter().rposition(|byte| *byte == b'\n');
        let lines = &bytes[..lines.map_or(0, |last| last + 1)];
        self.text.as_str().as_bytes().starts_with(lines)
    }
}

/// Copies the bytes of a damaged journal to a file `….damaged-N`, unless one with the same bytes exists.
/// Returns its path.
///
/// # Errors
/// If the copy cannot be written.
pub fn keep_damaged(journal: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let name = journal.file_name().unwrap_or_default().to_string_lossy();
    private::keep(|number| journal.with_file_name(format!("{name}.damaged-{number}")), bytes)
}

impl PriorFile {
    /// Saves what is at the journal's path before it is overwritten.
    ///
    /// # Errors
    /// If it cannot be saved, or must not be touched.
    pub fn make_way(&mut self, journal: &Path) -> io::Result<()> {
        match self {
            Self::Damaged(bytes) => drop(keep_damaged(journal, bytes)?),
            Self::Unusable(why) if journal.symlink_metadata().is_ok() => {
                return Err(io::Error::other(why.clone()));
            }
            // An unusable file was moved away.
            Self::Free | Self::Unusable(_) => {}
        }
        *self = Self::Free;
        Ok(())
    }
}
