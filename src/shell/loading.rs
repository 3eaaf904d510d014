//! Reading the files in the background, one after the other, with what earlier runs have done to them.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::disk::{DiskFile, OpenMode};
use super::edit_lock::Fingerprints;
use super::journal;
use super::messages::{MessageBatch, MessageSender, Pace};
use super::past::PastRuns;
use super::save_job::{Identities, remember};
use crate::app::{Bytes, Msg};
use crate::corpus::{ScanPass, ScanProgress, Source, beginning, index};

/// Files that are held open, at the most; of more, each is opened when it is read.
const HELD: usize = 128;

/// Reads the files, each with the name it is shown by, one after the other, and tells what earlier runs
/// have done to them, as far as it is written down in the state folder.
pub fn index_files(
    files: Vec<(String, PathBuf)>,
    identities: Identities,
    state: Option<(PathBuf, Fingerprints)>,
    reports: MessageSender,
) {
    thread::spawn(move || {
        let hold = if files.len() <= HELD {
            OpenMode::Open
        } else {
            OpenMode::Path
        };
        let (mut past, mut batch) = (PastRuns::new(state), MessageBatch::new(reports));
        for (file, (name, path)) in files.iter().enumerate() {
            let sent = match DiskFile::open(path) {
                Ok(source) => {
                    let source = Arc::new(source);
                    past.look_at(path);
                    remember(&identities, file, source.identity().ok());
                    let bytes = Bytes(Arc::new(source.held(path, hold)));
                    let mut tell = tell(&mut past, (file, name, path));
                    index_file(file, (&*source, &bytes), &mut tell, &mut batch)
                }
                Err(error) => match begun(&error, past.journal(path)) {
                    Some(bytes) => {
                        let mut tell = tell(&mut past, (file, name, path));
                        index_file(file, (&bytes, &bytes), &mut tell, &mut batch)
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
        if let Some(told) = past.told_at_last() {
            batch.send(Msg::Complaint(told));
        }
        batch.send_all();
    });
}

/// Tells what earlier runs have done to a file, once its hash is known.
fn tell<'p>(
    past: &'p mut PastRuns,
    file: (usize, &'p str, &'p Path),
) -> impl FnMut(u128, &mut MessageBatch) + use<'p> {
    move |hash, batch| {
        for msg in past.of_file(file, hash) {
            batch.send(msg);
        }
    }
}

/// The bytes of a file that was begun and is not on the disk yet, where opening it failed; None if it is no
/// such file.
fn begun(error: &io::Error, journal: Option<PathBuf>) -> Option<Bytes> {
    let journal = journal.filter(|_| error.kind() == io::ErrorKind::NotFound)?;
    let begun = journal::beginning(&journal)?;
    Some(Bytes(Arc::new(begun.text.into_bytes())))
}

/// Reads one file from `source`, telling of its first dialogs as soon as there are any; later it is read as
/// `bytes`. `at_end` is told the hash of its bytes before anybody knows that it is read. False if nobody
/// listens.
fn index_file(
    file: usize,
    (source, bytes): (&dyn Source, &Bytes),
    at_end: &mut dyn FnMut(u128, &mut MessageBatch),
    batch: &mut MessageBatch,
) -> io::Result<bool> {
    let (mut told, mut pace) = (0, Pace::new());
    let mut progress = |progress: ScanProgress<'_>| {
        let ScanProgress { read, pieces } = progress;
        if read >= source.len() || pieces.len() == told || !pace.is_due() {
            return ControlFlow::Continue(());
        }
        let msg = if told == 0 {
            match beginning(source, pieces) {
                Ok(Some(index)) => Msg::Opened {
                    file,
                    bytes: bytes.clone(),
                    index: Box::new(index),
                    complete: false,
                },
                _ => return ControlFlow::Continue(()),
            }
        } else {
            Msg::More {
                file,
                pieces: pieces[told..].to_vec(),
                read,
            }
        };
        told = pieces.len();
        if batch.send(msg) && batch.send_all() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    let mut pass = ScanPass {
        hash: true,
        progress: &mut progress,
    };
    let Some(index) = index(source, &mut pass)? else {
        return Ok(false);
    };
    at_end(index.hash.unwrap_or_default(), batch);
    let index = Box::new(index);
    Ok(batch.send(if told == 0 {
        Msg::Opened {
            file,
            bytes: bytes.clone(),
            index,
            complete: true,
        }
    } else {
        Msg::Complete { file, index }
    }))
}
