//! Files that cannot be edited: it is said at the start, before anybody has worked for nothing.

use std::fs::File;
use std::io;
use std::path::Path;

use super::disk::open_regular;
use super::journal::JournalError;

/// Files that cannot be edited, which is better known before one tries.
#[derive(Default)]
pub struct ReadOnlyFiles {
    /// Other processes edit them.
    taken: Vec<String>,
    /// This user may not write to them.
    read_only: Vec<String>,
    /// Their journals cannot be used: which, and why.
    unusable: Vec<(String, String)>,
}

impl ReadOnlyFiles {
    /// Looks at the file at `path`, which may be `taken` by another process.
    pub fn look(&mut self, path: &Path, taken: bool) {
        let name = || {
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into()
        };
        if taken {
            self.taken.push(name());
        }
        let write = open_regular(path, File::options().write(true));
        let kind = write.err().map(|error| error.kind());
        let denied = [
            io::ErrorKind::PermissionDenied,
            io::ErrorKind::ReadOnlyFilesystem,
        ];
        if kind.is_some_and(|kind| denied.contains(&kind)) {
            self.read_only.push(name());
        }
    }

    /// The journal of the file called `name` cannot be used.
    pub fn cannot_use(&mut self, name: &str, journal: &Path, why: &JournalError) {
        let why = unusable(journal, why);
        self.unusable.push((name.to_owned(), why));
    }

    /// What is told of them, short enough for one line.
    pub fn notice(&self) -> impl Iterator<Item = String> {
        let several = |files: &[String], one: &str, many: &str| match files {
            [] => None,
            [name] => Some(format!("{name} {one}")),
            all => Some(format!("{} files {many}", all.len())),
        };
        let read_only = several(
            &self.read_only,
            "may only be read: edits of it cannot be saved",
            "may only be read: edits of them cannot be saved",
        );
        let taken = several(
            &self.taken,
            "is being edited by another process; read-only here",
            "are being edited by other processes; read-only here",
        );
        let unusable = match self.unusable.as_slice() {
            [] => None,
            [(name, why)] => Some(format!("{name} is read-only here: {why}")),
            all => Some(format!(
                "{} files are read-only here, as their journals cannot be used: an edit tells why",
                all.len()
            )),
        };
        read_only.into_iter().chain(taken).chain(unusable)
    }
}

/// Why a file cannot be edited of which the journal cannot be used, and what to do.
pub fn unusable(journal: &Path, why: &JournalError) -> String {
    let path = journal.display();
    format!("its journal cannot be used: {why}; move {path} away to edit")
}
