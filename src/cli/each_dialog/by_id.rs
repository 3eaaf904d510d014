//! The dialogs of a file that are asked for by id, mostly in their order.

use std::io;
use std::path::Path;

use crate::corpus::{CorpusFile, DialogRef, IdLookup};
use crate::dialog::Dialog;
use crate::format::Formats;
use crate::shell::{at_revision, open_source};

/// A file whose dialogs are asked for by id.
pub struct FileById {
    file: CorpusFile,
    /// The position after the last dialog that was found.
    next: usize,
}

impl FileById {
    pub fn new(file: CorpusFile) -> Self {
        Self { file, next: 0 }
    }

    /// Returns the file at `path` in a Git revision; None if the revision does not have it.
    ///
    /// # Errors
    /// If the revision is not known, or the file in it cannot be read.
    pub fn at_revision(path: &Path, revision: &str, formats: &Formats) -> io::Result<Option<Self>> {
        let text = at_revision(path, revision)?;
        let file = text.map(|text| open_source(text, formats, false).map_err(io::Error::other));
        Ok(file.transpose()?.map(Self::new))
    }

    /// Returns the dialog with this id, or, without an id, at this position. None if there is none that can be read.
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
