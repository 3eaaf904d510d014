//! A journal that this run writes: its text, and what was at its path before.

use std::io;
use std::path::Path;

use super::aside::keep_damaged;
use super::lines::JournalText;
use super::log::{Journal, JournalState};
use super::reading::{JournalError, read};
use crate::shell::storage::disk::Identity;

/// A journal that this run writes.
pub struct OpenJournal {
    /// Its whole text.
    pub text: JournalText,
    /// Bytes of it that are in the file.
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
        let log = match read(journal) {
            Ok(log) => log,
            Err(why) => {
                return Self::saying(&JournalState::default(), hash, PriorFile::Unusable(why));
            }
        };
        if let Some(text) = log.appendable(hash).cloned() {
            let (written, place) = (text.as_str().len(), PriorFile::Free);
            return Self { text, written, place, file: None };
        }
        let damaged = log.damaged().map(<[u8]>::to_vec);
        let place = damaged.map_or(PriorFile::Free, PriorFile::Damaged);
        // Edits that were made in other bytes stay unsaved, too.
        Self::saying(&log.found(hash).unwrap_or_default(), hash, place)
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

    /// Returns true if this run has written every line of a journal with these bytes. Its last line may be
    /// cut short.
    pub fn is_own(&self, bytes: &[u8]) -> bool {
        let lines = bytes.iter().rposition(|byte| *byte == b'\n');
        let lines = &bytes[..lines.map_or(0, |last| last + 1)];
        self.text.as_str().as_bytes().starts_with(lines)
    }
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
