//! The dialogs of a file as they were in an earlier revision.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::corpus::{CorpusFile, DialogRef, IdLookup};
use crate::dialog::Dialog;
use crate::format::Formats;
use crate::shell::{DiskFile, at_revision, open};

/// A file as it was.
pub struct EarlierFile {
    file: CorpusFile<DiskFile>,
    /// The position after the last dialog that was found.
    next: usize,
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
        Ok(Some(Self {
            file: opened.file,
            next: 0,
            _temporary: temporary,
        }))
    }

    /// Returns the earlier version of the dialog with this id, or, without an id, at this position. None if there is
    /// none that can be read.
    pub fn dialog(&mut self, id: &str, position: usize) -> Option<Dialog> {
        if id.is_empty() {
            return self.at(position).filter(|dialog| dialog.id.is_empty());
        }
        let here = self.at(self.next).filter(|dialog| dialog.id == id);
        if let Some(dialog) = here {
            self.next += 1;
            return Some(dialog);
        }
        // Some were added, removed or moved.
        let found = self.file.find(&DialogRef::Id(id.to_owned())).ok()?;
        let IdLookup::Found(position) = found else {
            return None;
        };
        self.next = position + 1;
        self.at(position)
    }

    fn at(&self, position: usize) -> Option<Dialog> {
        if position >= self.file.index().pieces.len() {
            return None;
        }
        let read = self.file.dialog(position).ok()??;
        Some(read.0)
    }
}
