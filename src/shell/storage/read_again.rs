//! Reads open files again that have changed or were saved.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::disk::{DiskFile, Identity};
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

/// A file as it is on the disk.
pub struct ReadFile {
    pub identity: Identity,
    pub bytes: Bytes,
    pub index: Index,
}

/// Reads a whole file.
///
/// # Errors
/// If it cannot be read.
pub fn read_whole(path: &Path, formats: &Formats, open: &OpenFiles) -> io::Result<ReadFile> {
    let source = Arc::new(DiskFile::open(path)?);
    let identity = source.identity()?;
    // A file that changes while it is open may be written in place: its text of now stays readable.
    let bytes = if source.fits_in_memory() {
        Bytes::from(source.bytes(0..source.len())?)
    } else {
        Bytes::from(open.hold(path, source))
    };
    let index = index_with(&*bytes, formats, true)?;
    Ok(ReadFile { identity, bytes, index })
}

/// Reads a file again and remembers its identity.
///
/// # Errors
/// Why it cannot be read, with its name.
pub fn read_again(
    file: usize,
    path: &Path,
    formats: &Formats,
    Reading { known, open }: &Reading,
) -> Result<(Bytes, Index), String> {
    match read_whole(path, formats, open) {
        Ok(ReadFile { identity, bytes, index }) => {
            known.remember(file, Some(identity));
            Ok((bytes, index))
        }
        Err(error) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            Err(format!("{name} cannot be reloaded: {error}"))
        }
    }
}
