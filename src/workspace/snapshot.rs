//! The current state of a file, for background jobs to read.

use std::io;
use std::sync::Arc;

use super::LintContext;
use crate::corpus::CorpusFile;
use crate::format::FileFormat;

/// The current state of a file, for a background job to read.
pub struct Snapshot {
    pub corpus: Arc<CorpusFile>,
    pub format: FileFormat,
    /// The rules to check; None until they are read.
    pub rules: Option<Arc<LintContext>>,
    /// The position of the file.
    pub file: u32,
}

impl Snapshot {
    /// Returns the number of dialogs.
    pub fn dialogs(&self) -> usize {
        self.corpus.index().pieces.len()
    }

    /// Reads the text of a dialog into `buffer`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self, position: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        if let Some(text) = self.corpus.edited_texts().get(&position) {
            buffer.clear();
            buffer.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        self.corpus.read_bytes(position, buffer)
    }
}
