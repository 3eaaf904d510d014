//! Reports on files once they are read, before the user spends work on them: in one message, because one hides another.

use std::fs::File;
use std::io;
use std::path::Path;

use super::disk::open_regular;
use super::journal::{Journal, JournalError, JournalState, keep_damaged};
use crate::text::counted;
use crate::workspace::{Doubt, holder_name};

/// The reports on the files read so far.
#[derive(Default)]
pub struct Notices {
    /// Messages about saved edits that had been undone when other programs changed their files.
    pub undone: Vec<String>,
    /// Messages about damaged journals.
    pub damaged: Vec<String>,
    /// Messages about files that cannot be edited here, or whose edits cannot be saved.
    read_only: Vec<String>,
}

impl Notices {
    /// Checks whether the file at `path` can be written; `holder` is the id of the process that is editing
    /// it, if one is.
    pub fn look(&mut self, path: &Path, holder: Option<&str>) {
        let name = || path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(by) = holder.map(holder_name) {
            self.read_only.push(format!("{} is being edited by {by}; read-only here", name()));
        }
        let write = open_regular(path, File::options().write(true));
        let kind = write.err().map(|error| error.kind());
        let denied = [io::ErrorKind::PermissionDenied, io::ErrorKind::ReadOnlyFilesystem];
        if kind.is_some_and(|kind| denied.contains(&kind)) {
            self.read_only.push(format!("{} is read-only: edits to it cannot be saved", name()));
        }
    }

    /// Notes that the journal of the file called `name` cannot be used.
    pub fn cannot_use(&mut self, name: &str, journal: &Path, why: &JournalError) {
        let why = unusable(journal, why);
        self.read_only.push(format!("{name} is read-only here: {why}"));
    }

    /// Returns the message; None if there is nothing to report.
    pub fn message(&self) -> Option<String> {
        let read_only = match self.read_only.as_slice() {
            [first, _, ..] => {
                let all = self.read_only.len();
                vec![format!("{all} files are read-only here or cannot be saved: {first} …")]
            }
            few => few.to_vec(),
        };
        let damaged = match self.damaged.as_slice() {
            [first, others @ ..] if !others.is_empty() => {
                let others = counted(others.len(), "other file");
                vec![format!("{first}; the journals of {others} are damaged, too")]
            }
            few => few.to_vec(),
        };
        let all = [self.undone.clone(), damaged, read_only].concat();
        (!all.is_empty()).then(|| all.join(" · "))
    }
}

/// Explains why the journal at `journal` makes its file read-only, and what to do.
pub fn unusable(journal: &Path, why: &JournalError) -> String {
    let path = journal.display();
    format!("its journal cannot be used ({why}); to edit the file, move {path} away")
}

/// A damaged journal.
pub struct DamagedJournal {
    pub message: String,
    /// There is a copy of it.
    pub is_kept: bool,
}

impl DamagedJournal {
    /// Copies a damaged journal of the file called `name`; returns None if the journal is whole.
    pub fn keep(name: &str, journal: &Path, log: &Journal) -> Option<Self> {
        let kept = keep_damaged(journal, log.damaged()?);
        let unread = counted(log.unread(), "line");
        let copy = match &kept {
            Ok(place) => format!("saved in {}", place.display()),
            Err(error) => format!("not saved: {error}"),
        };
        let message =
            format!("{name}: the journal is damaged ({unread} cannot be read); a copy was {copy}");
        Some(Self { message, is_kept: kept.is_ok() })
    }
}

/// Returns why the unsaved edits in the journal of a file may not fit it, if they may not.
pub fn doubt(found: Option<&JournalState>, damaged: Option<&DamagedJournal>) -> Option<Doubt> {
    let is_of_other_bytes = found.is_some_and(|found| found.is_of_other_bytes);
    let damaged = damaged.map(|damaged| Doubt::Damaged(damaged.message.clone()));
    damaged.or(is_of_other_bytes.then_some(Doubt::Changed))
}
