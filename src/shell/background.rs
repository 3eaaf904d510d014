//! Work that the screen does not wait for: reading files, listing their dialogs, searching them.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::browse::Incoming;
use super::disk::{DiskFile, Held};
use crate::app::files::Snapshot;
use crate::app::{At, Bytes, Msg};
use crate::corpus::{Pass, Progress, Source, beginning, index, positions};
use crate::json::{Parser, Piece};
use crate::query::{Outline, Query, Sieve};

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

/// Reads the files one after the other.
pub fn index_files(paths: Vec<PathBuf>, reports: Reports) {
    thread::spawn(move || {
        let hold = if paths.len() <= HELD {
            Held::Open
        } else {
            Held::Path
        };
        for (file, path) in paths.iter().enumerate() {
            let sent = match DiskFile::open(path) {
                Ok(source) => {
                    match index_file(file, &Bytes(Arc::new(source.held(path, hold))), &reports) {
                        Ok(sent) => sent,
                        Err(error) => failed(file, &error, &reports),
                    }
                }
                Err(error) => failed(file, &error, &reports),
            };
            if !sent {
                return;
            }
        }
    });
}

fn failed(file: usize, error: &io::Error, reports: &Reports) -> bool {
    let reason = error.to_string();
    reports.send(Msg::Failed { file, reason })
}

/// Reads one file, telling of its first dialogs as soon as there are any. False if nobody listens.
fn index_file(file: usize, bytes: &Bytes, reports: &Reports) -> io::Result<bool> {
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
        hash: false,
        progress: &mut progress,
    };
    let Some(index) = index(bytes, &mut pass)? else {
        return Ok(false);
    };
    let index = Box::new(index);
    Ok(reports.send(if told == 0 {
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

/// Reads every dialog of a file for the list.
pub fn outline(file: usize, snapshot: Snapshot, reports: Reports) {
    thread::spawn(move || {
        let (mut from, mut outlines, mut last) = (0, Vec::new(), Instant::now());
        let mut buffer = Vec::new();
        let count = snapshot.pieces.len();
        for (position, piece) in snapshot.pieces.iter().enumerate() {
            outlines.push(outline_of(&snapshot, *piece, &mut buffer));
            if position + 1 == count || last.elapsed() >= PACE {
                let outlines = std::mem::take(&mut outlines);
                if !reports.send(Msg::Outlined {
                    file,
                    from,
                    outlines,
                }) {
                    return;
                }
                (from, last) = (position + 1, Instant::now());
            }
        }
    });
}

fn outline_of(snapshot: &Snapshot, piece: Piece, buffer: &mut Vec<u8>) -> Outline {
    buffer.resize((piece.end - piece.start) as usize, 0);
    let read = snapshot.bytes.read_at(piece.start, buffer);
    let mut parser = Parser::new();
    match read.ok().and_then(|()| parser.parse(buffer).ok()) {
        Some(tree) => {
            let (dialog, issues) = snapshot.format.read(tree);
            Outline::of(&dialog, &issues)
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
    query.hits(&dialog, &issues).len() as u32
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
