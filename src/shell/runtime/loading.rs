//! Reads the files in the background, one after the other, together with their journals.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{io, thread};

use super::messages::{MessageBatch, MessageSender, Pace};
use crate::app::Msg;
use crate::corpus::{Bytes, ScanPass, ScanProgress, Source, beginning, index};
use crate::format::Formats;
use crate::shell::storage::disk::DiskFile;
use crate::shell::storage::formats::FormatFinder;
use crate::shell::storage::journal;
use crate::shell::storage::past::PastRuns;
use crate::shell::storage::read_again::Reading;

/// A file to read, with its number and its display name.
pub struct FileToRead {
    pub file: usize,
    pub name: String,
    pub path: PathBuf,
}

/// Reads the files as dialogs of `family` if one is named, and reports the edits of earlier runs from their journals in the
/// folder `state`.
pub fn index_files(
    files: Vec<FileToRead>,
    family: Option<String>,
    reading: Reading,
    state: Option<PathBuf>,
    reports: MessageSender,
) {
    let Reading { known, open } = reading;
    thread::spawn(move || {
        let mut past = PastRuns::new(state, known.clone());
        let mut batch = MessageBatch::new(reports);
        let mut finder = FormatFinder::of_family(family);
        for FileToRead { file, name, path } in &files {
            let file = *file;
            let opened = finder.of_corpus(path);
            let opened = opened.map(|formats| (formats, DiskFile::open(path)));
            let sent = match opened {
                Err(error) => Err(error),
                Ok((formats, Ok(source))) => {
                    let source = Arc::new(source);
                    past.look_at(path);
                    known.remember(file, source.identity().ok());
                    let bytes = Bytes::from(open.hold(path, Arc::clone(&source)));
                    let mut at_end = report_history(&mut past, file, name, path);
                    index_file(file, &formats, &*source, &bytes, &mut at_end, &mut batch)
                }
                Ok((formats, Err(error))) => match new_file_bytes(path, past.journal(path)) {
                    Some(bytes) => {
                        let mut at_end = report_history(&mut past, file, name, path);
                        index_file(file, &formats, &*bytes, &bytes, &mut at_end, &mut batch)
                    }
                    None => Err(error),
                },
            };
            let sent = sent.unwrap_or_else(|error| {
                let reason = error.to_string();
                batch.send(Msg::Failed { file, reason })
            });
            if !sent {
                return;
            }
        }
        if let Some(message) = past.final_message() {
            batch.send(Msg::Complaint(message));
        }
    });
}

/// Reports the edits of earlier runs to a file, once its hash is known.
fn report_history<'p>(
    past: &'p mut PastRuns,
    file: usize,
    name: &'p str,
    path: &'p Path,
) -> impl FnMut(u128, &mut MessageBatch) + use<'p> {
    move |hash, batch| {
        for msg in past.of_file(file, name, path, hash) {
            batch.send(msg);
        }
    }
}

/// Returns the bytes of a file that could not be opened, if it was created in memory and is not on the disk yet; otherwise
/// None.
fn new_file_bytes(path: &Path, journal: Option<PathBuf>) -> Option<Bytes> {
    let journal = journal.filter(|_| !path.is_file())?;
    let begun = journal::beginning(&journal)?;
    Some(Bytes::from(begun.text.into_bytes()))
}

/// Indexes one file from `source`, and reports its first dialogs as soon as there are any; later reads
/// use `bytes`. Calls `at_end` with the file's hash before the file is reported as read. Returns false
/// if the receiver is gone.
fn index_file(
    file: usize,
    formats: &Formats,
    source: &dyn Source,
    bytes: &Bytes,
    at_end: &mut dyn FnMut(u128, &mut MessageBatch),
    batch: &mut MessageBatch,
) -> io::Result<bool> {
    let (mut message, mut pace) = (0, Pace::slowing());
    let mut progress = |progress: ScanProgress<'_>| {
        let ScanProgress { read, pieces, .. } = progress;
        if read >= source.len() || pieces.len() == message || !pace.is_due() {
            return ControlFlow::Continue(());
        }
        let msg = if message == 0 {
            match beginning(source, formats, pieces) {
                Ok(Some(index)) => Msg::Opened {
                    file,
                    bytes: bytes.clone(),
                    index: Box::new(index),
                    complete: false,
                },
                _ => return ControlFlow::Continue(()),
            }
        } else {
            Msg::More { file, pieces: pieces[message..].to_vec(), read }
        };
        message = pieces.len();
        if batch.send(msg) && batch.send_all() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    let mut pass = ScanPass { formats, hash: true, progress: &mut progress };
    let Some(index) = index(source, &mut pass)? else {
        return Ok(false);
    };
    at_end(index.hash.unwrap_or_default(), batch);
    let index = Box::new(index);
    Ok(batch.send(if message == 0 {
        Msg::Opened { file, bytes: bytes.clone(), index, complete: true }
    } else {
        Msg::Complete { file, index }
    }))
}
