//! A journal that this run writes: what it says, and what was in its place.

use std::io;
use std::path::Path;

use super::aside::keep_damaged;
use super::lines::Text;
use super::log::{Found, Log};
use super::reading::{Unusable, read};

/// A journal that this run writes.
pub struct OpenJournal {
    /// All that it says.
    pub text: Text,
    /// So many bytes of it are in the file.
    pub written: usize,
    pub place: Place,
}

/// What was in the place of a journal before anything was written.
#[derive(PartialEq, Eq)]
pub enum Place {
    /// A whole journal, or none.
    Free,
    /// A damaged journal of these bytes.
    Damaged(Vec<u8>),
    Unusable(Unusable),
}

impl OpenJournal {
    /// The journal of a file with this hash.
    pub fn read(journal: &Path, hash: u128) -> Self {
        let log = match read(journal) {
            Ok(log) => log,
            Err(why) => return Self::saying(&Found::default(), hash, Place::Unusable(why)),
        };
        if let Some(text) = log.to_go_on(hash).cloned() {
            let (written, place) = (text.as_str().len(), Place::Free);
            return Self {
                text,
                written,
                place,
            };
        }
        let damaged = log.damaged().map(<[u8]>::to_vec);
        let place = damaged.map_or(Place::Free, Place::Damaged);
        Self::saying(&log.found(hash).unwrap_or_default(), hash, place)
    }

    /// A journal that says this of a file with this hash, and is not in its place yet.
    pub fn saying(found: &Found, hash: u128, place: Place) -> Self {
        Self {
            text: found.text(hash),
            written: 0,
            place,
        }
    }

    /// What it says of the file.
    pub fn found(&self) -> Found {
        let log = Log::read(self.text.as_str().as_bytes().to_vec());
        let found = log.ok().and_then(|log| log.found(self.text.hash()));
        found.unwrap_or_default()
    }

    /// Says something else of the file.
    pub fn say(&mut self, found: &Found) {
        self.text = found.text(self.text.hash());
        self.written = 0;
    }

    pub fn is_written(&self) -> bool {
        self.written == self.text.as_str().len()
    }
}

impl Place {
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
