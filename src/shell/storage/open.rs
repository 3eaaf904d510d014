//! Opens corpus files.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::disk::{DiskFile, Identity};
use crate::corpus::{Bytes, Contents, CorpusFile, ScanPass, ScanProgress, index, index_with};
use crate::format::Formats;
use crate::workspace::OwnFile;

/// A corpus file on disk, in the state in which it was read.
pub struct OpenedFile {
    pub path: PathBuf,
    /// None if it is not on the disk yet.
    pub identity: Option<Identity>,
    pub file: CorpusFile,
}

/// Why a file cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("cannot be opened: {0}")]
    Open(io::Error),
    #[error("cannot be read: {0}")]
    Read(io::Error),
}

/// Opens and indexes the file at `path`, to which `formats` apply; computes its hash if it is to be saved.
///
/// # Errors
/// If the file cannot be read. A file that is not a corpus opens without error; its index says what is
/// wrong.
pub fn open(path: &Path, formats: &Formats, hash: bool) -> Result<OpenedFile, OpenError> {
    let mut progress = |_: ScanProgress<'_>| ControlFlow::Continue(());
    let mut pass = ScanPass { formats, hash, progress: &mut progress };
    open_with(path, &mut pass)
}

/// Like [`open`], with a pass that is called with the progress of the index.
///
/// # Errors
/// Like [`open`]; if the pass stops the index, too.
pub fn open_with(path: &Path, pass: &mut ScanPass<'_>) -> Result<OpenedFile, OpenError> {
    let source = DiskFile::open(path).map_err(OpenError::Open)?;
    let identity = Some(source.identity().map_err(OpenError::Open)?);
    let index = index(&source, pass).map_err(OpenError::Read)?;
    let mut index = index.ok_or_else(|| OpenError::Read(io::ErrorKind::Interrupted.into()))?;
    let has_nothing_else = matches!(index.contents, Contents::Nothing | Contents::Unknown(_));
    if has_nothing_else && OwnFile::Judgements.is_at(path) {
        index.become_judgements();
    }
    let are_lines = path.extension().is_some_and(|end| end == "jsonl" || end == "ndjson");
    if are_lines && index.is_blank() {
        index.become_empty();
    }
    Ok(OpenedFile { path: path.to_owned(), identity, file: CorpusFile::new(source, index) })
}

/// Indexes bytes that are not in a file on disk, such as standard input.
///
/// # Errors
/// If they cannot be read.
pub fn open_source(
    source: impl Into<Bytes>,
    formats: &Formats,
    hash: bool,
) -> Result<CorpusFile, OpenError> {
    let source = source.into();
    let index = index_with(&*source, formats, hash).map_err(OpenError::Read)?;
    Ok(CorpusFile::new(source, index))
}
