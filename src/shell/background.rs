//! Work that the screen does not wait for: reading files, listing their dialogs, searching them.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::browse::Incoming;
use super::companions;
use super::disk::{DiskFile, Held};
use super::journal::{beginning as beginning_of, journal_of, of_other_bytes, unsaved};
use super::kept::{keep, told};
use super::lock::{Asked, ask_for};
use super::writing::{Identities, remember};
use crate::app::files::{Snapshot, outline_of as outline_of_tree};
use crate::app::{At, Bytes, Entry, Msg, Rules, ToJudge, Wanted, in_order, to_judge};
use crate::corpus::{Pass, Progress, Source, beginning, index, positions};
use crate::dialog::Dialog;
use crate::json::{Parser, Piece};
use crate::query::{Names, Outline, Query, Sieve};
use crate::votes::beside::{attach, belonging, log_id, stem};

/// Time between two reports of the same work.
const PACE: Duration = Duration::from_millis(40);
/// Files that are held open, at the most; of more, each is opened when it is read.
const HELD: usize = 128;

/// Sends messages to the main loop; false if it is gone.
#[derive(Clone)]
pub struct Reports {
    to: Sender<Incoming>,
}

impl Reports {
    pub fn new(to: Sender<Incoming>) -> Self {
        Self { to }
    }

    pub fn send(&self, msg: Msg) -> bool {
        self.to.send(Incoming::Msg(msg)).is_ok()
    }
}

/// Reads the rules that are looked for.
pub fn read_rules(read: impl FnOnce() -> Result<Rules, String> + Send + 'static, reports: Reports) {
    thread::spawn(move || {
        reports.send(match read() {
            Ok(rules) => Msg::Rules(Box::new(rules)),
            Err(error) => Msg::Complaint(error),
        });
    });
}

/// Reads the files one after the other. Of those of which edits were not saved, in the state folder
/// `state`, it tells that too.
pub fn index_files(
    paths: Vec<PathBuf>,
    identities: Identities,
    state: Option<PathBuf>,
    reports: Reports,
) {
    thread::spawn(move || {
        let hold = if paths.len() <= HELD {
            Held::Open
        } else {
            Held::Path
        };
        let mut locks = Vec::new();
        for (file, path) in paths.iter().enumerate() {
            let sent = match DiskFile::open(path) {
                Ok(source) => {
                    remember(&identities, file, source.identity().ok());
                    let journal = state.as_deref().map(|state| journal_of(state, path));
                    let asked = journal
                        .as_deref()
                        .filter(|_| hold == Held::Open)
                        .map(ask_for);
                    let mut ours = true;
                    match asked {
                        Some(Asked::Ours(lock)) => locks.push(lock),
                        Some(Asked::Taken(by)) => {
                            ours = false;
                            reports.send(Msg::Taken { file, by });
                        }
                        Some(Asked::Unknown) | None => {}
                    }
                    // What another process has not saved yet is no business of this one.
                    let journal = journal.filter(|_| ours);
                    let bytes = Bytes(Arc::new(source.held(path, hold)));
                    match index_file(file, &bytes, &reports) {
                        Ok(None) => false,
                        Ok(Some(hash)) => {
                            let journal = state.as_deref().zip(journal.as_deref());
                            tell_unsaved((file, path), journal, hash, &reports)
                        }
                        Err(error) => failed(file, &error, &reports),
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let journal = state.as_deref().map(|state| journal_of(state, path));
                    begun(
                        file,
                        path,
                        state.as_deref().zip(journal.as_deref()),
                        &reports,
                    )
                    .unwrap_or_else(|| failed(file, &error, &reports))
                }
                Err(error) => failed(file, &error, &reports),
            };
            if !sent {
                return;
            }
        }
        // Held until the process ends.
        std::mem::forget(locks);
    });
}

/// Reads a file that was begun and is not on the disk yet; None if it was not.
fn begun(
    file: usize,
    path: &Path,
    journal: Option<(&Path, &Path)>,
    reports: &Reports,
) -> Option<bool> {
    let (_, text) = beginning_of(journal?.1)?;
    let bytes = Bytes(Arc::new(text.into_bytes()));
    let hash = index_file(file, &bytes, reports).ok()??;
    Some(tell_unsaved((file, path), journal, hash, reports))
}

/// Tells of edits that an earlier run has not saved. False if nobody listens.
fn tell_unsaved(
    (file, path): (usize, &Path),
    journal: Option<(&Path, &Path)>,
    hash: u128,
    reports: &Reports,
) -> bool {
    let Some((state, journal)) = journal else {
        return true;
    };
    if let Some(records) = of_other_bytes(journal, hash) {
        // The file was changed since: what was not saved cannot simply be made again.
        let kept = keep(state, path, &records);
        if kept.is_ok() {
            let _ = std::fs::remove_file(journal);
        }
        return reports.send(Msg::Complaint(told(records.len(), &kept)));
    }
    let entries = unsaved(journal, hash);
    if Entry::in_force(&entries) == 0 {
        return true;
    }
    reports.send(Msg::Unsaved { file, entries })
}

fn failed(file: usize, error: &io::Error, reports: &Reports) -> bool {
    let reason = error.to_string();
    reports.send(Msg::Failed { file, reason })
}

/// Reads one file, telling of its first dialogs as soon as there are any; the hash of its bytes. None
/// if nobody listens.
fn index_file(file: usize, bytes: &Bytes, reports: &Reports) -> io::Result<Option<u128>> {
    let (mut told, mut last) = (0, Instant::now());
    let mut progress = |progress: Progress<'_>| {
        let Progress { read, pieces } = progress;
        let first = told == 0;
        if read >= bytes.len() || pieces.len() == told || !first && last.elapsed() < PACE {
            return ControlFlow::Continue(());
        }
        last = Instant::now();
        let msg = if first {
            match beginning(bytes, pieces) {
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
        if reports.send(msg) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    let mut pass = Pass {
        hash: true,
        progress: &mut progress,
    };
    let Some(index) = index(bytes, &mut pass)? else {
        return Ok(None);
    };
    let hash = index.hash.unwrap_or_default();
    let index = Box::new(index);
    let sent = reports.send(if told == 0 {
        Msg::Opened {
            file,
            bytes: bytes.clone(),
            index,
            complete: true,
        }
    } else {
        Msg::Complete { file, index }
    });
    Ok(sent.then_some(hash))
}

/// Reads every dialog of a file for the list.
pub fn outline(file: usize, snapshot: Snapshot, reports: Reports) {
    thread::spawn(move || {
        let (mut from, mut outlines, mut last) = (0, Vec::new(), Instant::now());
        let mut names = Names::default();
        let mut buffer = Vec::new();
        let count = snapshot.pieces.len();
        for (position, piece) in snapshot.pieces.iter().enumerate() {
            outlines.push(outline_of(&snapshot, *piece, &mut buffer, &mut names));
            if position + 1 == count || last.elapsed() >= PACE {
                let outlines = std::mem::take(&mut outlines);
                let names = std::mem::take(&mut names);
                if !reports.send(Msg::Outlined {
                    file,
                    from,
                    outlines,
                    names,
                }) {
                    return;
                }
                (from, last) = (position + 1, Instant::now());
            }
        }
    });
}

fn outline_of(
    snapshot: &Snapshot,
    piece: Piece,
    buffer: &mut Vec<u8>,
    names: &mut Names,
) -> Outline {
    buffer.resize((piece.end - piece.start) as usize, 0);
    let read = snapshot.bytes.read_at(piece.start, buffer);
    let mut parser = Parser::new();
    match read.ok().and_then(|()| parser.parse(buffer).ok()) {
        Some(tree) => {
            names.add(&snapshot.format.read(tree).0);
            outline_of_tree(snapshot.rules.as_deref(), snapshot.format, tree)
        }
        None => Outline {
            broken: true,
            ..Outline::default()
        },
    }
}

/// What a search looks through: a file, its number, and its dialogs.
pub struct Searched {
    pub files: Vec<(u32, Snapshot)>,
    pub query: Query,
    pub from: At,
    pub number: u64,
    /// The number of the search that is wanted; another than this one's ends it.
    pub wanted: Arc<AtomicU64>,
}

/// Searches all files, from a dialog on and around.
pub fn search(search: Searched, reports: Reports) {
    thread::spawn(move || {
        let Searched {
            files,
            query,
            from,
            number,
            wanted,
        } = search;
        let sieve = Sieve::new(&query);
        let (mut hits, mut searched, mut last) = (Vec::new(), 0, Instant::now());
        let mut buffer = Vec::new();
        let all = || {
            files.iter().flat_map(|(file, snapshot)| {
                let at = |dialog: usize| At {
                    file: *file,
                    dialog: dialog as u32,
                };
                snapshot
                    .pieces
                    .iter()
                    .enumerate()
                    .map(move |(i, piece)| (at(i), snapshot, *piece))
            })
        };
        let behind = all().filter(|(at, ..)| *at >= from);
        let before = all().filter(|(at, ..)| *at < from);
        for (at, snapshot, piece) in behind.chain(before) {
            let found = count_hits(&query, &sieve, snapshot, piece, &mut buffer);
            searched += 1;
            if found > 0 {
                hits.push((at, found));
            }
            if searched % 64 == 0 && wanted.load(Ordering::Relaxed) != number {
                return;
            }
            if last.elapsed() >= PACE || !hits.is_empty() && searched == 1 {
                let hits = std::mem::take(&mut hits);
                if !reports.send(Msg::Hits {
                    search: number,
                    hits,
                    searched,
                    done: false,
                }) {
                    return;
                }
                last = Instant::now();
            }
        }
        reports.send(Msg::Hits {
            search: number,
            hits,
            searched,
            done: true,
        });
    });
}

fn count_hits(
    query: &Query,
    sieve: &Sieve,
    snapshot: &Snapshot,
    piece: Piece,
    buffer: &mut Vec<u8>,
) -> u32 {
    buffer.resize((piece.end - piece.start) as usize, 0);
    if snapshot.bytes.read_at(piece.start, buffer).is_err() || !sieve.may_hit(buffer) {
        return 0;
    }
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse(buffer) else {
        return 0;
    };
    let (dialog, issues) = snapshot.format.read(tree);
    let problems = match &snapshot.rules {
        Some(rules) if query.is_problem() => rules.find(snapshot.format, (&dialog, &issues), tree),
        _ => Vec::new(),
    };
    query.hits(&dialog, &problems).len() as u32
}

/// Finds the line on which a dialog begins.
pub fn locate(at: At, bytes: Bytes, start: u64, reports: Reports) {
    thread::spawn(move || {
        if let Ok(found) = positions(&bytes, &[start]) {
            reports.send(Msg::Located {
                at,
                line: found[0].line,
            });
        }
    });
}

/// The dialogs of logs, by their ids.
pub type Logs = HashMap<String, Vec<Dialog>>;

/// Reads the logs that hold votes on dialogs of other files.
pub fn read_logs(logs: Vec<Snapshot>) -> Logs {
    let (mut read, mut buffer) = (Logs::new(), Vec::new());
    for snapshot in logs {
        for piece in &snapshot.pieces {
            if let Some(dialog) = read_dialog(&snapshot, *piece, &mut buffer) {
                read.entry(dialog.id.clone()).or_default().push(dialog);
            }
        }
    }
    read
}

/// Reads one dialog; None if it cannot be read.
pub fn read_dialog(snapshot: &Snapshot, piece: Piece, buffer: &mut Vec<u8>) -> Option<Dialog> {
    buffer.resize((piece.end - piece.start) as usize, 0);
    snapshot.bytes.read_at(piece.start, buffer).ok()?;
    let mut parser = Parser::new();
    let tree = parser.parse(buffer).ok()?;
    Some(snapshot.format.read(tree).0)
}

/// Puts the votes on a dialog that stand in a log on its turns.
fn add_votes(dialog: &mut Dialog, stem: &str, position: usize, logs: &Logs) {
    let own = logs.get(log_id(dialog, stem, position).as_ref());
    let own = own.into_iter().flatten().map(|log| ((), log.clone()));
    if let Some(((), log)) = belonging(dialog, own) {
        attach(dialog, log);
    }
}

/// Finds the turns to be judged, in the order in which they come. `logs` hold the votes on dialogs of
/// families that hold none.
pub fn queue(
    files: Vec<(u32, PathBuf, Snapshot)>,
    logs: Vec<Snapshot>,
    (number, wanted, annotator): (u64, Wanted, String),
    reports: Reports,
) {
    thread::spawn(move || {
        let mut found: Vec<(u64, ToJudge)> = Vec::new();
        let mut buffer = Vec::new();
        let logs = read_logs(logs);
        for (file, path, snapshot) in files {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let stem = stem(&name);
            for (position, piece) in snapshot.pieces.iter().enumerate() {
                let Some(mut dialog) = read_dialog(&snapshot, *piece, &mut buffer) else {
                    continue;
                };
                if !snapshot.format.has_votes() {
                    add_votes(&mut dialog, stem, position, &logs);
                }
                if wanted == Wanted::Detector
                    && let Some(labels) = companions(&path, &dialog.id).labels
                {
                    dialog.attach_detections(&labels);
                }
                let at = At {
                    file,
                    dialog: position as u32,
                };
                found.extend(to_judge(&dialog, at, wanted, &annotator));
            }
        }
        let items = in_order(found, wanted);
        reports.send(Msg::Queued { number, items });
    });
}
