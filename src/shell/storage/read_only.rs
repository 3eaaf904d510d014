//! Reports files that cannot be edited at the start, before the user spends work on them.

use std::fs::File;
use std::io;
use std::path::Path;

use super::disk::open_regular;
use super::journal::JournalError;
use crate::workspace::holder_name;

/// Files that cannot be edited.
#[derive(Default)]
pub struct ReadOnlyFiles {
    /// Files that other processes are editing, each with the process.
    taken: Vec<(String, String)>,
    /// Files that this user may not write.
    read_only: Vec<String>,
    /// Files whose journals cannot be used, each with the reason.
    unusable: Vec<(String, String)>,
}

impl ReadOnlyFiles {
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

    /// Records that the journal of the file called `name` cannot be used.
    pub fn cannot_use(&mut self, name: &str, journal: &Path, why: &JournalError) {
        let why = unusable(journal, why);
        self.unusable.push((name.to_owned(), why));
    }

    /// Returns the messages about these files, each short enough for one line.
    pub fn notice(&self) -> impl Iterator<Item = String> {
        let read_only = match self.read_only.as_slice() {
            [] => None,
            [name] => Some(format!("{name} is read-only: edits to it cannot be saved")),
            all => {
                Some(format!("{} files are read-only: edits to them cannot be saved", all.len()))
            }
        };
        let taken = match self.taken.as_slice() {
            [] => None,
            [(name, by)] => Some(format!("{name} is being edited by {by}; read-only here")),
            all => Some(format!(
                "{} files are being edited by other processes; read-only here",
                all.len()
            )),
        };
        let unusable = match self.unusable.as_slice() {
            [] => None,
            [(name, why)] => Some(format!("{name} is read-only here: {why}")),
            all => Some(format!(
                "{} files are read-only here because their journals cannot be used; try an edit to see why",
                all.len()
            )),
        };
        read_only.into_iter().chain(taken).chain(unusable)
    }
}

/// Explains why the journal at `journal` makes its file read-only, and what to do.
pub fn unusable(journal: &Path, why: &JournalError) -> String {
    let path = journal.display();
    format!("its journal cannot be used: {why}; move {path} away to edit")
}
