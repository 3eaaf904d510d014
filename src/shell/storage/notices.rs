//! Reports on files once they are read, before the user spends work on them: in one message, because one hides another.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::disk::open_regular;
use super::journal::{Journal, JournalError, keep_damaged};
use super::paths::folder_of;
use crate::text::counted;
use crate::workspace::holder_name;

/// The reports on the files read so far.
#[derive(Default)]
pub struct Notices {
    /// Messages about saved edits that had been undone when other programs changed their files.
    pub undone: Vec<String>,
    pub damaged: Vec<DamagedJournal>,
    /// Files that other processes are editing, each with the process.
    taken: Vec<(String, String)>,
    /// Files that this user may not write.
    read_only: Vec<String>,
    /// Files whose journals cannot be used, each with the reason.
    unusable: Vec<(String, String)>,
}

impl Notices {
    /// Checks whether the file at `path` can be written; `holder` is the id of the process that is editing
    /// it, if one is.
    pub fn look(&mut self, path: &Path, holder: Option<&str>) {
        let name = || path.file_name().unwrap_or_default().to_string_lossy().into();
        if let Some(holder) = holder {
            self.taken.push((name(), holder_name(holder)));
        }
        let write = open_regular(path, File::options().write(true));
        let kind = write.err().map(|error| error.kind());
        let denied = [io::ErrorKind::PermissionDenied, io::ErrorKind::ReadOnlyFilesystem];
        if kind.is_some_and(|kind| denied.contains(&kind)) {
            self.read_only.push(name());
        }
    }

    /// Notes that the journal of the file called `name` cannot be used.
    pub fn cannot_use(&mut self, name: &str, journal: &Path, why: &JournalError) {
        self.unusable.push((name.to_owned(), unusable(journal, why)));
    }

    /// Returns the message; None if there is nothing to report.
    pub fn message(&self) -> Option<String> {
        let read_only = about(
            &self.read_only,
            |name| format!("{name} is read-only: edits to it cannot be saved"),
            |all| format!("{all} files are read-only: edits to them cannot be saved"),
        );
        let taken = about(
            &self.taken,
            |(name, by)| format!("{name} is being edited by {by}; read-only here"),
            |all| format!("{all} files are being edited by other processes; read-only here"),
        );
        let unusable = about(
            &self.unusable,
            |(name, why)| format!("{name} is read-only here: {why}"),
            |all| {
                format!(
                    "{all} files are read-only here because their journals cannot be used; try an edit to see why"
                )
            },
        );
        let undone = self.undone.iter().cloned();
        let others = [damage(&self.damaged), read_only, taken, unusable];
        let all: Vec<_> = undone.chain(others.into_iter().flatten()).collect();
        (!all.is_empty()).then(|| all.join(" · "))
    }
}

/// Returns the report on one, or on several; None if there are none.
fn about<T>(
    all: &[T],
    one: impl Fn(&T) -> String,
    several: impl Fn(usize) -> String,
) -> Option<String> {
    match all {
        [] => None,
        [only] => Some(one(only)),
        all => Some(several(all.len())),
    }
}

/// Explains why the journal at `journal` makes its file read-only, and what to do.
pub fn unusable(journal: &Path, why: &JournalError) -> String {
    let path = journal.display();
    format!("its journal cannot be used: {why}; move {path} away to edit")
}

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
        let (name, unread) = (name.to_owned(), log.unread());
        Some(Self { name, unread, kept: keep_damaged(journal, log.damaged()?) })
    }

    pub fn is_kept(&self) -> bool {
        self.kept.is_ok()
    }
}

/// Returns one message about damaged journals, or None if there are none.
pub fn damage(all: &[DamagedJournal]) -> Option<String> {
    let damaged = about(
        all,
        |DamagedJournal { name, .. }| format!("{name}: the journal is damaged"),
        |all| format!("the journals of {all} files are damaged"),
    )?;
    let unread = counted(all.iter().map(|damaged| damaged.unread).sum::<u64>(), "line");
    let copies = if all.len() == 1 { "a copy is" } else { "copies are" };
    let kept = all.iter().map(|damaged| damaged.kept.as_deref());
    let kept = match kept.collect::<Result<Vec<_>, _>>() {
        Err(error) => format!("not saved: {error}"),
        Ok(places) if all.len() == 1 => format!("saved in {}", places[0].display()),
        Ok(places) => format!("saved in {}", folder_of(places[0]).display()),
    };
    Some(format!("{damaged}: {unread} cannot be read; {copies} {kept}"))
}
