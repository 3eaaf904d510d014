//! Saves and reloads files in the background.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::loading::Reading;
use super::messages::MessageSender;
use crate::app::Msg;
use crate::compare::also_of;
use crate::corpus::{Bytes, CorpusFile, Index, Source, index_with};
use crate::format::Formats;
use crate::shell::storage::access::{AccessLoss, OwnerChange};
use crate::shell::storage::conflicts::keep_conflicts;
use crate::shell::storage::disk::{DiskFile, Identity};
use crate::shell::storage::fs::RealFs;
use crate::shell::storage::journal::{JournalOp, Journals, WriteRequest};
use crate::shell::storage::known_files::KnownFiles;
use crate::shell::storage::open_files::OpenFiles;
use crate::shell::storage::save::{Content, Expect, Save, SaveError};

/// The way to save a file.
pub struct SaveRequest {
    pub file: usize,
    /// It is not on the disk yet.
    pub new: bool,
    /// Whether its owner may change.
    pub change: OwnerChange,
    /// The corpora that it may be about, if it is a log.
    pub about: Vec<PathBuf>,
    /// The text of the list of its conflicts, if there is one.
    pub conflicts: Option<String>,
}

/// Saves a file and reads it again. The new hash is written first: to its journal, and to the list of its conflicts, if
/// there is one.
pub fn save(
    SaveRequest { file, new, change, about, conflicts }: SaveRequest,
    path: &Path,
    corpus: &CorpusFile,
    known: &KnownFiles,
    journal: Option<&(Journals, PathBuf)>,
    reports: &MessageSender,
) {
    let identity = known.identity(file);
    let announce = |new| {
        if let (Some((journals, journal)), Some(hash)) = (journal, corpus.index().hash) {
            journals.write_through(WriteRequest {
                journal: journal.clone(),
                hash,
                what: JournalOp::Saves(new),
            });
        }
        if let Some(conflicts) = &conflicts {
            let text = also_of(conflicts, corpus.index().hash, new);
            // If it fails now, it does once the file is saved, and is reported then.
            if keep_conflicts(path, conflicts, &text).is_ok() {
                reports.send(Msg::ListedForBoth { file, text });
            }
        }
    };
    let done = match identity {
        None if !new => Err(SaveFailure::Failed("the file has not been read yet".to_owned())),
        identity => {
            let identity = identity.filter(|_| !new);
            write_and_read(path, change, &about, identity, corpus, &announce)
        }
    };
    reports.send(match done {
        Err(SaveFailure::Changed) => Msg::Changed { file, saving: true },
        Err(SaveFailure::FileDeleted) => Msg::Deleted { file },
        Err(SaveFailure::AccessLoss(loss)) => {
            let lost = loss.to_string();
            Msg::AccessLoss { file, lost }
        }
        Ok(SavedFile { read, lines, doubt, linked }) => {
            known.remember(file, Some(read.identity));
            Msg::Saved {
                file,
                bytes: read.bytes,
                index: Box::new(read.index),
                lines,
                doubt,
                linked,
            }
        }
        Err(SaveFailure::Failed(reason)) => Msg::SaveFailed { file, reason },
    });
}

/// A saved file: its new state, and the messages about it.
struct SavedFile {
    read: ReadFile,
    lines: usize,
    doubt: Option<String>,
    linked: bool,
}

/// A file as it is on the disk.
struct ReadFile {
    identity: Identity,
    bytes: Bytes,
    index: Index,
}

/// Why a file was not saved.
enum SaveFailure {
    /// Another program has changed it.
    Changed,
    /// It was deleted.
    FileDeleted,
    /// It would lose these permissions.
    AccessLoss(AccessLoss),
    Failed(String),
}

fn write_and_read(
    path: &Path,
    change: OwnerChange,
    about: &[PathBuf],
    identity: Option<Identity>,
    corpus: &CorpusFile,
    announce: &dyn Fn(u128),
) -> Result<SavedFile, SaveFailure> {
    let lines = corpus.changed_lines();
    let lines = lines.map_err(|error| match error.kind() {
        // It ends earlier than it did: another program has changed it.
        io::ErrorKind::UnexpectedEof => SaveFailure::Changed,
        _ => SaveFailure::Failed(error.to_string()),
    })?;
    let expect = identity.map_or(Expect::Nothing, Expect::File);
    let ready = &|hash| {
        announce(hash);
        Ok(())
    };
    let save = Save { change, about, ready, ..Save::at(path, expect) };
    let saved = save.put(&RealFs, Content::Corpus(corpus));
    let saved = saved.map_err(|error| match error {
        SaveError::ChangedOnDisk | SaveError::Exists(_) => SaveFailure::Changed,
        SaveError::FileDeleted => SaveFailure::FileDeleted,
        SaveError::AccessLoss(loss) => SaveFailure::AccessLoss(loss),
        other => SaveFailure::Failed(other.to_string()),
    })?;
    let read =
        read_whole(path, &corpus.index().formats, &OpenFiles::default()).map_err(|error| {
            SaveFailure::Failed(format!("saved, but cannot be read again: {error}"))
        })?;
    let doubt = saved.doubt.map(|error| error.to_string());
    Ok(SavedFile { read, lines, doubt, linked: saved.linked })
}

/// Reads a whole file.
fn read_whole(path: &Path, formats: &Formats, open: &OpenFiles) -> io::Result<ReadFile> {
    let source = Arc::new(DiskFile::open(path)?);
    let identity = source.identity()?;
    // A file that changes while it is open may be written in place: its text of now stays readable.
    let bytes = if source.fits_in_memory() {
        let mut text = vec![0; source.len() as usize];
        source.read_at(0, &mut text)?;
        Bytes::from(text)
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
    Reading { known, open, .. }: &Reading,
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
