//! Copies of damaged journals, and the message about them.

use std::io;
use std::path::{Path, PathBuf};

use super::journal::{Journal, keep_damaged};
use super::paths::folder_of;
use crate::text::counted;

/// A damaged journal and its copy.
pub struct DamagedJournal {
    /// The corpus file's display name.
    name: String,
    /// Number of its lines that cannot be read.
    unread: u64,
    /// The path of the copy.
    kept: io::Result<PathBuf>,
}

impl DamagedJournal {
    /// Copies a damaged journal of the file called `name`; returns None if the journal is whole.
    pub fn keep(name: &str, journal: &Path, log: &Journal) -> Option<Self> {
        let bytes = log.damaged()?;
        Some(Self {
            name: name.to_owned(),
            unread: log.unread(),
            kept: keep_damaged(journal, bytes),
        })
    }

    pub fn is_kept(&self) -> bool {
        self.kept.is_ok()
    }
}

/// Returns one message about all of them, or None if there are none.
pub fn message(all: &[DamagedJournal]) -> Option<String> {
    let first = all.first()?;
    let (damaged, copies, place) = match all {
        [DamagedJournal { name, .. }] => {
            (format!("{name}: the journal is damaged"), "a copy is", first.kept.as_deref())
        }
        several => (
            format!("the journals of {} files are damaged", several.len()),
            "copies are",
            first.kept.as_deref().map(folder_of),
        ),
    };
    let unread = counted(all.iter().map(|damaged| damaged.unread).sum::<u64>(), "line");
    let failed = all.iter().find_map(|damaged| damaged.kept.as_ref().err());
    let kept = match (failed, place) {
        (Some(error), _) | (_, Err(error)) => format!("not saved: {error}"),
        (None, Ok(place)) => format!("saved in {}", place.display()),
    };
    Some(format!("{damaged}: {unread} cannot be read; {copies} {kept}"))
}
