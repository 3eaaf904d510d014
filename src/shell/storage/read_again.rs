//! Reads open files again that have changed or were saved.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::disk::DiskFile;
use super::known_files::KnownFiles;
use super::open_files::OpenFiles;
use crate::corpus::{Bytes, Index, Source as _, index_with};
use crate::format::Formats;

/// State that all threads share that read files.
#[derive(Clone, Default)]
pub struct Reading {
    pub known: KnownFiles,
    pub open: OpenFiles,
}

/// Reads a whole file and remembers its identity.
///
/// # Errors
/// If it cannot be read.
pub fn read_whole(
    file: usize,
    path: &Path,
    formats: &Formats,
    Reading { known, open }: &Reading,
) -> io::Result<(Bytes, Index)> {
    let source = Arc::new(DiskFile::open(path)?);
    let identity = source.identity()?;
    // A file that changes while it is open may be written in place: its text of now stays readable.
    let bytes = if source.fits_in_memory() {
        Bytes::from(source.bytes(0..source.len())?)
    } else {
        Bytes::from(open.hold(path, source))
    };
    let index = index_with(&*bytes, formats, true)?;
    known.remember(file, Some(identity));
    Ok((bytes, index))
}

/// As [`read_whole`], for a file that has changed.
///
/// # Errors
/// Why it cannot be read, with its name.
pub fn read_again(
    file: usize,
    path: &Path,
    formats: &Formats,
    reading: &Reading,
) -> Result<(Bytes, Index), String> {
    read_whole(file, path, formats, reading).map_err(|error| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        format!("{name} cannot be reloaded: {error}")
    })
}
