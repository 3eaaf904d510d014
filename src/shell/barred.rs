//! Files that cannot be edited: it is said at the start, before anybody has worked for nothing.

use std::fs::File;
use std::io;
use std::path::Path;

use super::lock::is_taken;

/// Files that cannot be edited, which is better known before one tries.
#[derive(Default)]
pub struct Barred {
    /// Other processes edit them.
    taken: Vec<String>,
    /// This user may not write to them.
    read_only: Vec<String>,
}

impl Barred {
    /// Looks at the file at `path`; who edits it is known beside its journal.
    pub fn look(&mut self, path: &Path, journal: Option<&Path>) {
        let name = || {
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into()
        };
        if journal.is_some_and(is_taken) {
            self.taken.push(name());
        }
        let write = File::options().write(true).open(path);
        let kind = write.err().map(|error| error.kind());
        let denied = [
            io::ErrorKind::PermissionDenied,
            io::ErrorKind::ReadOnlyFilesystem,
        ];
        if kind.is_some_and(|kind| denied.contains(&kind)) {
            self.read_only.push(name());
        }
    }

    /// What is told of them, short enough for one line.
    pub fn told(&self) -> impl Iterator<Item = String> {
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
        read_only.into_iter().chain(taken)
    }
}
