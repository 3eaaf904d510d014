//! Saves files in the background.

use std::io;
use std::path::{Path, PathBuf};

use super::messages::MessageSender;
use crate::app::{Msg, SaveOutcome};
use crate::compare::also_of;
use crate::corpus::CorpusFile;
use crate::shell::storage::access::OwnerChange;
use crate::shell::storage::conflicts::keep_conflicts;
use crate::shell::storage::fs::RealFs;
use crate::shell::storage::journal::{Journals, WriteRequest};
use crate::shell::storage::read_again::{Reading, read_whole};
use crate::shell::storage::save::{Content, Expect, Save, SaveError};
use crate::workspace::JournalOp;

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
    reading: &Reading,
    journal: Option<&(Journals, PathBuf)>,
    reports: &MessageSender,
) {
    let ready = |new| {
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
        Ok(())
    };
    let expect = match reading.known.identity(file) {
        _ if new => Expect::Nothing,
        Some(identity) => Expect::File(identity),
        None => {
            let reason = "the file has not been read yet".to_owned();
            reports.send(Msg::SaveFailed { file, reason });
            return;
        }
    };
    let save = Save { change, about: &about, ready: &ready, ..Save::at(path, expect) };
    reports.send(match write_and_read(file, &save, corpus, reading) {
        Ok(msg) => msg,
        Err(SaveError::ChangedOnDisk | SaveError::Exists(_)) => Msg::Changed { file, saving: true },
        Err(SaveError::FileDeleted) => Msg::Deleted { file },
        Err(SaveError::AccessLoss(loss)) => Msg::AccessLoss { file, lost: loss.to_string() },
        Err(other) => Msg::SaveFailed { file, reason: other.to_string() },
    });
}

/// Returns the message that a file was saved, or that it cannot be read again.
fn write_and_read(
    file: usize,
    save: &Save<'_>,
    corpus: &CorpusFile,
    reading: &Reading,
) -> Result<Msg, SaveError> {
    let lines = corpus.changed_lines().map_err(|error| match error.kind() {
        // It ends earlier than it did: another program has changed it.
        io::ErrorKind::UnexpectedEof => SaveError::ChangedOnDisk,
        _ => SaveError::Io { what: "reading the file", error },
    })?;
    let saved = save.put(&RealFs, Content::Corpus(corpus))?;
    let read = read_whole(file, save.path, &corpus.index().formats, reading);
    Ok(match read {
        Ok((bytes, index)) => {
            let doubt = saved.doubt.map(|error| error.to_string());
            let outcome = SaveOutcome { lines, doubt, linked: saved.linked };
            Msg::Saved { file, bytes, index: Box::new(index), outcome }
        }
        Err(error) => {
            let reason = format!("saved, but cannot be read again: {error}");
            Msg::SaveFailed { file, reason }
        }
    })
}
