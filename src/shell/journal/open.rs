//! A journal that this run writes: what it says, and what was in its place.

use std::io;
use std::path::Path;

use super::aside::keep_damaged;
use super::lines::JournalText;
use super::log::{Journal, JournalState};
use super::reading::{JournalError, read};

/// A journal that this run writes.
pub struct OpenJournal {
    /// All that it says.
    pub text: JournalText,
    /// So many bytes of it are in the file.
    pub written: usize,
    pub place: PriorFile,
}

/// What was in the place of a journal before anything was written.
#[derive(PartialEq, Eq)]
pub enum PriorFile {
    /// A whole journal, or none.
    Free,
    /// A damaged journal of these bytes.
    Damaged(Vec<u8>),
    Unusable(JournalError),
}

impl OpenJournal {
    /// The journal of a file with this hash.
    pub fn read(journal: &Path, hash: u128) -> Self {
        let log = match read(journal) {
            Ok(log) => log,
            Err(why) => {
                return Self::saying(&JournalState::default(), hash, PriorFile::Unusable(why));
            }
        };
        if let Some(text) = log.to_go_on(hash).cloned() {
            let (written, place) = (text.as_str().len(), PriorFile::Free);
            return Self {
                text,
                written,
                place,
            };
        }
        let damaged = log.damaged().map(<[u8]>::to_vec);
        let place = damaged.map_or(PriorFile::Free, PriorFile::Damaged);
        Self::saying(&log.found(hash).unwrap_or_default(), hash, place)
    }

    /// A journal that says this of a file with this hash, and is not in its place yet.
    pub fn saying(found: &JournalState, hash: u128, place: PriorFile) -> Self {
        Self {
            text: found.text(hash),
            written: 0,
            place,
        }
    }

    /// What it says of the file.
    pub fn found(&self) -> JournalState {
        let log = Journal::read(self.text.as_str().as_bytes().to_vec());
        let found = log.ok().and_then(|log| log.found(self.text.hash()));
        found.unwrap_or_default()
    }

    /// Says something else of the file.
    pub fn say(&mut self, found: &JournalState) {
        self.text = found.text(self.text.hash());
        self.written = 0;
    }

    pub fn is_written(&self) -> bool {
        self.written == self.text.as_str().len()
    }
}

impl PriorFile {
    /// Makes sure that nothing is lost where a journal is put in its place.
    ///
    /// # Errors
    /// If what is there cannot be kept, or is not to be touched.
    pub fn make_way(&mut self, journal: &Path) -> io::Result<()> {
        match self {
            Self::Damaged(bytes) => drop(keep_damaged(journal, bytes)?),
            Self::Unusable(why) if journal.symlink_metadata().is_ok() => {
                return Err(io::Error::other(why.clone()));
            }
            // What could not be used was moved away.
            Self::Free | Self::Unusable(_) => {}
        }
        *self = Self::Free;
        Ok(())
    }
}
