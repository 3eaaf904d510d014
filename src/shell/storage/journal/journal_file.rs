//! Appends to the file of a journal.

use std::fs::File;
use std::io;
use std::path::Path;

use super::aside::keep_damaged;
use super::open::OpenJournal;
use super::reading;
use crate::shell::storage::disk::Identity;
use crate::shell::storage::fs::{Fs, Readers};
use crate::shell::storage::paths::folder_of;

/// Opens the journal to append to it; returns None if it is not as this run left it. Lines of others are
/// copied aside first.
pub fn append(fs: &dyn Fs, journal: &Path, open: &OpenJournal) -> io::Result<Option<File>> {
    // Opening a pipe would wait for its other end.
    reading::length(journal).map_err(io::Error::other)?;
    fs.make_folder(folder_of(journal), Readers::User)?;
    let file = fs.append(journal)?;
    let metadata = file.metadata()?;
    let (length, written) = (metadata.len(), open.written as u64);
    let now = Identity::of(&metadata);
    if length == written && open.file.is_none_or(|known| known.is_same_file(&now)) {
        return Ok(Some(file));
    }
    if written > 0 {
        let bytes = reading::read_bytes(journal).map_err(io::Error::other)?;
        if !open.is_own(&bytes) {
            keep_damaged(journal, &bytes)?;
            return Ok(None);
        }
    }
    if written == 0 || length < written {
        return Ok(None);
    }
    // Extra bytes belong to a line that was cut short.
    file.set_len(written)?;
    Ok(Some(file))
}
