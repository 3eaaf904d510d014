//! The dialogs of a file as they were in an earlier revision.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use super::by_id::FileById;
use crate::dialog::Dialog;
use crate::format::Formats;
use crate::shell::{at_revision, open};

/// A file as it was.
pub struct EarlierFile {
    file: FileById,
    /// Its content, removed in the end.
    _temporary: NamedTempFile,
}

impl EarlierFile {
    /// Returns the file at `path` in a Git revision; None if the revision does not have it.
    ///
    /// # Errors
    /// If the revision is not known, or the file in it cannot be read.
    pub fn read(path: &Path, revision: &str, formats: &Formats) -> io::Result<Option<Self>> {
        let Some(temporary) = at_revision(path, revision)? else {
            return Ok(None);
        };
        let opened = open(temporary.path(), formats, false);
        let opened = opened.map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Some(Self { file: FileById::new(opened.file), _temporary: temporary }))
    }

    /// Returns the earlier version of the dialog with this id, or, without an id, at this position. None if there is
    /// none that can be read.
    pub fn dialog(&mut self, id: &str, position: usize) -> Option<Dialog> {
        self.file.dialog(id, position)
    }
}
