//! The current state of a file, for background jobs to read.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use super::LintContext;
use crate::corpus::Bytes;
use crate::format::FileFormat;
use crate::json::Piece;

/// The current state of a file, for a background job to read.
pub struct Snapshot {
    pub bytes: Bytes,
    pub format: FileFormat,
    pub pieces: Vec<Piece>,
    /// The rules to check; None until they are read.
    pub rules: Option<Arc<LintContext>>,
    /// The position of the file.
    pub file: u32,
    /// Texts of the dialogs that differ from the file, by position.
    pub edited: BTreeMap<usize, String>,
}

impl Snapshot {
    /// Reads the text of a dialog into `buffer`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self, position: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        if let Some(text) = self.edited.get(&position) {
            buffer.clear();
            buffer.extend_from_slice(text.as_bytes());
            return Ok(());
        }
        let Piece { start, end } = self.pieces[position];
        buffer.resize((end - start) as usize, 0);
        self.bytes.read_at(start, buffer)
    }
}
