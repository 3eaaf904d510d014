//! Reading the files in the background, one after the other, with what earlier runs have done to them.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::thread;

use super::barred::Barred;
use super::disk::{DiskFile, Held};
use super::fs::RealFs;
use super::journal::{self, Order, What, Writer, journal_at};
use super::kept::{Kept, keep, told};
use super::lock::{Asked, Seen, Sight, ask_for, is_taken};
use super::real_path::RealPaths;
use super::reports::{Batch, Pace, Reports};
use super::save::sweep;
use super::writing::{Identities, remember};
use crate::app::{Bytes, Entry, Made, Msg};
use crate::corpus::{Pass, Progress, Source, beginning, index};

/// Files that are held open, at the most; of more, each is opened when it is read.
const HELD: usize = 128;

/// Reads the files, each with the name it is shown by, one after the other, and tells what earlier runs
/// have done to them, as far as it is written down in the state folder.
pub fn index_files(
    files: Vec<(String, PathBuf)>,
    identities: Identities,
    state: Option<(PathBuf, Seen)>,
    reports: Reports,
) {
    thread::spawn(move || {
        let hold = if files.len() <= HELD {
            Held::Open
        } else {
            Held::Path
        };
        let (mut barred, mut kept) = (Barred::default(), Vec::new());
        let (mut batch, mut real) = (Batch::new(reports), RealPaths::default());
        for (file, (name, path)) in files.iter().enumerate() {
            let journal = state.as_ref().map(|(state, seen)| {
                let journal = journal_at(state, &real.of(path));
                (journal, state.as_path(), seen)
            });
            let mut tell = |hash, batch: &mut Batch| {
                if let Some((journal, state, seen)) = &journal {
                    let aside = tell_past((file, name, path), (journal, state), (seen, hash), batch);
                    if aside.is_some() {
                        kept.extend(aside);
                        // Of all so far: one message hides another.
                        batch.send(Msg::Complaint(told(&kept, true)));
                    }
                }
            };
            let sent = match DiskFile::open(path) {
                Ok(source) => {
                    let source = Arc::new(source);
                    barred.look(path, journal.as_ref().map(|(journal, ..)| journal.as_path()));
                    remember(&identities, file, source.identity().ok());
                    let bytes = Bytes(Arc::new(source.held(path, hold)));
                    index_file(file, (&*source, &bytes), &mut tell, &mut batch)
                }
                Err(error) => match begun(&error, journal.as_ref().map(|(journal, ..)| journal)) {
                    Some(bytes) => index_file(file, (&bytes, &bytes), &mut tell, &mut batch),
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
        let mut all: Vec<_> = barred.told().collect();
        if !all.is_empty() {
            if !kept.is_empty() {
                all.insert(0, told(&kept, true));
            }
            batch.send(Msg::Complaint(all.join(" · ")));
        }
        batch.send_all();
    });
}

/// The bytes of a file that was begun and is not on the disk yet, where opening it failed; None if it is no
/// such file.
fn begun(error: &io::Error, journal: Option<&PathBuf>) -> Option<Bytes> {
    let journal = journal.filter(|_| error.kind() == io::ErrorKind::NotFound)?;
    let begun = journal::beginning(journal)?;
    Some(Bytes(Arc::new(begun.text.into_bytes())))
}

/// Tells what earlier runs have done to a file with this hash. What they had not saved is kept beside
/// if the file has changed since.
fn tell_past(
    (file, name, path): (usize, &str, &Path),
    (journal, state): (&Path, &Path),
    (seen, hash): (&Seen, u128),
    batch: &mut Batch,
) -> Option<Kept> {
    let mut kept = None;
    let mut sight = Sight { hash, stamp: None };
    // What another process has not saved yet is no business of this one.
    if !is_taken(journal) {
        sight = Sight::of(journal, hash);
        let log = journal::read(journal);
        let (made, undone) = log.of_other_bytes(hash);
        if !made.is_empty() || undone > 0 {
            // The file was changed since: what was not saved cannot simply be made again.
            kept = keep_unsaved((&made, undone), (name, path), state, journal);
            sight = Sight::of(journal, hash);
        }
        if let Some(found) = log.found(hash) {
            let (past, unsaved) = (found.past, found.unsaved);
            if !unsaved.is_empty() {
                // They may have been cut off in the middle of being saved.
                sweep(path);
            }
            batch.send(Msg::Past {
                file,
                past,
                unsaved,
            });
        }
    }
    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    seen.insert(file, sight);
    kept
}

/// Keeps edits beside that are in a journal of other bytes, and strikes them out there.
fn keep_unsaved(
    (made, undone): (&[Arc<Made>], usize),
    (name, path): (&str, &Path),
    state: &Path,
    journal: &Path,
) -> Option<Kept> {
    // Held until this is done; somebody who has just begun to edit the file sees to it.
    let Asked::Ours(_lock) = ask_for(journal) else {
        return None;
    };
    let records = made.iter().map(|made| made.record(name).to_string());
    let outcome = keep(state, path, &records.collect::<Vec<_>>());
    if outcome.is_ok()
        && let Some(hash) = journal::read(journal).hash()
    {
        let what = What::Did(Entry::Left);
        let journal = journal.to_owned();
        let order = Order {
            journal,
            hash,
            what,
        };
        // What fails here is kept once more the next time.
        let _ = Writer::new(&RealFs).carry_out(order, 0);
    }
    Some(Kept {
        name: name.to_owned(),
        edits: made.len(),
        absent: false,
        undone,
        outcome,
    })
}

/// Reads one file from `source`, telling of its first dialogs as soon as there are any; later it is read as
/// `bytes`. `at_end` is told the hash of its bytes before anybody knows that it is read. False if nobody
/// listens.
fn index_file(
    file: usize,
    (source, bytes): (&dyn Source, &Bytes),
    at_end: &mut dyn FnMut(u128, &mut Batch),
    batch: &mut Batch,
) -> io::Result<bool> {
    let (mut told, mut pace) = (0, Pace::new());
    let mut progress = |progress: Progress<'_>| {
        let Progress { read, pieces } = progress;
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
    let mut pass = Pass {
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
