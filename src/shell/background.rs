//! Work that the screen does not wait for: reading files, listing their dialogs, searching them,
//! finding repairs, letting problems be.

use std::cell::RefCell;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::browse::Incoming;
use super::disk::{DiskFile, Held};
use super::journal::{self, journal_of};
use super::lock::Seen;
use super::past::PastRuns;
use super::side_file::{self, read_side_files};
use super::writing::{Identities, remember};
use crate::app::files::{Ahead, Snapshot, outline_of as outline_of_tree};
use crate::app::{At, Bytes, Change, Msg, Rules, repairs_in};
use crate::corpus::{Pass, Progress, Source as _, beginning, index, positions};
use crate::json::Parser;
use crate::lint::Ignored;
use crate::query::{Names, Outline, Query, Sieve};

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

/// Reads the rules that are looked for, and what cannot be used of what was said about them.
pub fn read_rules(
    read: impl FnOnce() -> (Rules, Option<String>) + Send + 'static,
    reports: Reports,
) {
    thread::spawn(move || {
        let (rules, complaint) = read();
        reports.send(Msg::Rules(Box::new(rules)));
        if let Some(complaint) = complaint {
            reports.send(Msg::Complaint(complaint));
        }
    });
}

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
        let past = RefCell::new(PastRuns::new(state));
        for (file, (name, path)) in files.iter().enumerate() {
            let tell = |hash| {
                for msg in past.borrow_mut().of_file((file, name, path), hash) {
                    reports.send(msg);
                }
            };
            let sent = match DiskFile::open(path) {
                Ok(source) => {
                    past.borrow_mut().look_at(path);
                    remember(&identities, file, source.identity().ok());
                    let bytes = Bytes(Arc::new(source.held(path, hold)));
                    match index_file(file, &bytes, &tell, &reports) {
                        Ok(sent) => sent,
                        Err(error) => failed(file, &error, &reports),
                    }
                }
                Err(error) => {
                    let state = past.borrow().state().map(Path::to_owned);
                    begun((file, path), state.as_deref(), (&error, &tell), &reports)
                        .unwrap_or_else(|| failed(file, &error, &reports))
                }
            };
            if !sent {
                return;
            }
        }
        if let Some(told) = past.borrow().told_at_last() {
            reports.send(Msg::Complaint(told));
        }
    });
}

/// Reads a file that was begun and is not on the disk yet, where opening it failed; None if it is no
/// such file. False if nobody listens.
fn begun(
    (file, path): (usize, &Path),
    state: Option<&Path>,
    (error, tell): (&io::Error, &dyn Fn(u128)),
    reports: &Reports,
) -> Option<bool> {
    let state = state.filter(|_| error.kind() == io::ErrorKind::NotFound)?;
    let begun = journal::beginning(&journal_of(state, path))?;
    let bytes = Bytes(Arc::new(begun.text.into_bytes()));
    index_file(file, &bytes, tell, reports).ok()
}

fn failed(file: usize, error: &io::Error, reports: &Reports) -> bool {
    let reason = error.to_string();
    reports.send(Msg::Failed { file, reason })
}

/// Reads one file, telling of its first dialogs as soon as there are any. `at_end` is told the hash of
/// its bytes before anybody knows that it is read. False if nobody listens.
fn index_file(
    file: usize,
    bytes: &Bytes,
    at_end: &dyn Fn(u128),
    reports: &Reports,
) -> io::Result<bool> {
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
        return Ok(false);
    };
    at_end(index.hash.unwrap_or_default());
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
        let mut names = Names::default();
        let mut buffer = Vec::new();
        let count = snapshot.pieces.len();
        for position in 0..count {
            outlines.push(outline_of(&snapshot, position, &mut buffer, &mut names));
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
    position: usize,
    buffer: &mut Vec<u8>,
    names: &mut Names,
) -> Outline {
    let read = snapshot.read(position, buffer);
    let at = At::new(snapshot.file as usize, position);
    let mut parser = Parser::new();
    match read.ok().and_then(|()| parser.parse(buffer).ok()) {
        Some(tree) => {
            names.add(&snapshot.format.read(tree).0);
            outline_of_tree(snapshot.rules.as_deref(), at, snapshot.format, tree)
        }
        None => Outline::unreadable(),
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
                let at = |position| At::new(*file as usize, position);
                (0..snapshot.pieces.len()).map(move |i| (at(i), snapshot))
            })
        };
        let behind = all().filter(|(at, ..)| *at >= from);
        let before = all().filter(|(at, ..)| *at < from);
        for (at, snapshot) in behind.chain(before) {
            let found = count_hits(&query, &sieve, snapshot, at, &mut buffer);
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
    at: At,
    buffer: &mut Vec<u8>,
) -> u32 {
    if snapshot.read(at.dialog as usize, buffer).is_err() || !sieve.may_hit(buffer) {
        return 0;
    }
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse(buffer) else {
        return 0;
    };
    let (dialog, issues) = snapshot.format.read(tree);
    // Problems by themselves are not searched for: outlines count them.
    let problems = match &snapshot.rules {
        Some(rules) if query.parts().iter().any(Query::is_problem) => {
            let read = (&dialog, issues.as_slice());
            rules.find(at, snapshot.format, read, tree).problems
        }
        _ => Vec::new(),
    };
    query.hits(&dialog, &problems).len() as u32
}

/// Reads a dialog that may be asked for next.
pub fn look_ahead(at: At, snapshot: Snapshot, reports: Reports) {
    thread::spawn(move || {
        if let Some(ahead) = Ahead::in_snapshot(&snapshot, at) {
            reports.send(Msg::LookedAhead(Box::new(ahead)));
        }
    });
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

/// Finds the repairs of `dialogs` for the list with this number; another number in `wanted` ends it.
pub fn review(
    snapshots: Vec<Snapshot>,
    (number, wanted): (u64, Arc<AtomicU64>),
    dialogs: Vec<At>,
    rule: Option<&'static str>,
    reports: Reports,
) {
    thread::spawn(move || {
        let (mut found, mut more, mut last) = (Vec::new(), 0, Instant::now());
        let mut buffer = Vec::new();
        let all = dialogs.len();
        for (place, at) in dialogs.into_iter().enumerate() {
            if wanted.load(Ordering::Relaxed) != number {
                return;
            }
            let snapshot = snapshots.iter().find(|snapshot| snapshot.file == at.file);
            if let Some(snapshot) = snapshot
                && let Some(rules) = &snapshot.rules
                && snapshot.read(at.dialog as usize, &mut buffer).is_ok()
                && let Ok(text) = std::str::from_utf8(&buffer)
            {
                let (repairs, left) = repairs_in(rules, at, snapshot.format, text, rule);
                more += left;
                found.extend(repairs.into_iter().map(|repair| (at, repair)));
            }
            let looked = place + 1;
            if looked == all || last.elapsed() >= PACE {
                let sent = reports.send(Msg::Repairs {
                    number,
                    found: std::mem::take(&mut found),
                    more: std::mem::take(&mut more),
                    looked,
                });
                if !sent {
                    return;
                }
                last = Instant::now();
            }
        }
    });
}

/// Changes a file that says what is let be, and reads all of them again.
pub fn ignore(
    paths: Vec<PathBuf>,
    root: Option<PathBuf>,
    at: At,
    ignored: Ignored,
    change: Change,
    reports: Reports,
) {
    thread::spawn(move || {
        let Some(path) = paths.get(at.file as usize) else {
            return;
        };
        let done = side_file::change(path, root.as_deref(), &ignored, change);
        let now = done.and_then(|()| read_side_files(paths.iter().map(PathBuf::as_path)));
        reports.send(match now {
            Ok(ignores) => Msg::Ignores {
                at,
                ignores: Box::new(ignores),
            },
            Err(why) => Msg::Complaint(format!("nothing was ignored: {why}")),
        });
    });
}
