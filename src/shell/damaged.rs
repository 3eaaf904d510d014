//! Damaged journals, and the message about them.

use std::io;
use std::path::{Path, PathBuf};

use super::fs::folder_of;
use super::journal::{Journal, keep_damaged};
use crate::text::counted;

/// A damaged journal of which the bytes are kept.
pub struct DamagedJournal {
    /// The corpus file, as it is shown.
    name: String,
    /// Steps that cannot be restored, at least.
    missing: u64,
    /// Where the bytes are.
    kept: io::Result<PathBuf>,
}

impl DamagedJournal {
    /// Keeps the bytes of a damaged journal of the file called `name`; None if it is whole. `hash` is that
    /// of the file.
    pub fn keep(name: &str, journal: &Path, log: &Journal, hash: u128) -> Option<Self> {
        let bytes = log.damaged()?;
        let found = log.found(hash);
        Some(Self {
            name: name.to_owned(),
            missing: found.map_or_else(|| log.missing(), |found| found.missing),
            kept: keep_damaged(journal, bytes),
        })
    }

    pub fn is_kept(&self) -> bool {
        self.kept.is_ok()
    }
}

/// One message about all of them; None if there are none.
pub fn told(all: &[DamagedJournal]) -> Option<String> {
    let first = all.first()?;
    let (damaged, copies, place) = match all {
        [DamagedJournal { name, .. }] => (
            format!("{name}: the journal is damaged"),
            "a copy of it is",
            first.kept.as_deref(),
        ),
        several => (
            format!("the journals of {} files are damaged", several.len()),
            "copies of them are",
            first.kept.as_deref().map(folder_of),
        ),
    };
    let missing: u64 = all.iter().map(|damaged| damaged.missing).sum();
    let lost = match missing {
        0 => "nothing unsaved is lost".to_owned(),
        some => format!("at least {} cannot be restored", counted(some, "step")),
    };
    let failed = all.iter().find_map(|damaged| damaged.kept.as_ref().err());
    let kept = match (failed, place) {
        (Some(error), _) | (_, Err(error)) => format!("not kept: {error}"),
        (None, Ok(place)) => format!("kept in {}", place.display()),
    };
    Some(format!("{damaged}: {lost}; {copies} {kept}"))
}
