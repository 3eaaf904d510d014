//! Background work: searching dialogs, finding bulk fixes, changing the ignores file.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::messages::MessageSender;
use crate::app::{IgnoresChange, Msg, bulk_fixes_in};
use crate::corpus::positions;
use crate::json::Parser;
use crate::lint::IgnoreEntry;
use crate::query::{Prefilter, Query};
use crate::shell::storage::ignores_file::{self, read_side_files};
use crate::workspace::{Bytes, DialogId, LintContext, Prefetched, Snapshot};

/// Time between two reports of the same work.
const PACE: Duration = Duration::from_millis(40);

/// Reads the rules, and the settings of them that cannot be used.
pub fn read_rules(
    read: impl FnOnce() -> (LintContext, Option<String>) + Send + 'static,
    reports: MessageSender,
) {
    thread::spawn(move || {
        let (rules, complaint) = read();
        reports.send(Msg::Rules(Box::new(rules)));
        if let Some(complaint) = complaint {
            reports.send(Msg::Complaint(complaint));
        }
    });
}

/// The scope of a search: files, their numbers and their dialogs.
pub struct SearchScope {
    pub files: Vec<(u32, Snapshot)>,
    pub query: Query,
    pub from: DialogId,
    pub number: u64,
    /// Number of the current search; this one stops when it changes.
    pub wanted: Arc<AtomicU64>,
}

/// Searches all files, starting at the current dialog and wrapping around.
pub fn search(search: SearchScope, reports: MessageSender) {
    thread::spawn(move || {
        let SearchScope {
            files,
            query,
            from,
            number,
            wanted,
        } = search;
        let sieve = Prefilter::new(&query);
        let (mut hits, mut searched, mut last) = (Vec::new(), 0, Instant::now());
        let mut buffer = Vec::new();
        let all = || {
            files.iter().flat_map(|(file, snapshot)| {
                let at = |position| DialogId::new(*file as usize, position);
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
    sieve: &Prefilter,
    snapshot: &Snapshot,
    at: DialogId,
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
    // A search for problems alone needs no run here: the summaries count them.
    let problems = match &snapshot.rules {
        Some(rules) if query.parts().iter().any(Query::is_problem) => {
            let read = (&dialog, issues.as_slice());
            rules.find(at, snapshot.format, read, tree).problems
        }
        _ => Vec::new(),
    };
    query.hits(&dialog, &problems).len() as u32
}

/// Reads and analyses a dialog the user may open next.
pub fn prefetch(at: DialogId, snapshot: Snapshot, reports: MessageSender) {
    thread::spawn(move || {
        if let Some(ahead) = Prefetched::in_snapshot(&snapshot, at) {
            reports.send(Msg::Prefetched(Box::new(ahead)));
        }
    });
}

/// Finds the line number at which a dialog begins.
pub fn locate(at: DialogId, bytes: Bytes, start: u64, reports: MessageSender) {
    thread::spawn(move || {
        if let Ok(found) = positions(&bytes, &[start]) {
            reports.send(Msg::Located {
                at,
                line: found[0].line,
            });
        }
    });
}

/// Collects the fixes in `dialogs` for the bulk fix with this number; stops when `wanted` changes.
pub fn review(
    snapshots: Vec<Snapshot>,
    (number, wanted): (u64, Arc<AtomicU64>),
    dialogs: Vec<DialogId>,
    rule: Option<&'static str>,
    reports: MessageSender,
) {
    thread::spawn(move || {
        let (mut found, mut more, mut last) = (Vec::new(), 0, Instant::now());
        let mut buffer = Vec::new();
        let all = dialogs.len();
        let snapshots: HashMap<u32, Snapshot> =
            snapshots.into_iter().map(|s| (s.file, s)).collect();
        for (place, at) in dialogs.into_iter().enumerate() {
            if wanted.load(Ordering::Relaxed) != number {
                return;
            }
            if let Some(snapshot) = snapshots.get(&at.file)
                && let Some(rules) = &snapshot.rules
                && snapshot.read(at.dialog as usize, &mut buffer).is_ok()
                && let Ok(text) = std::str::from_utf8(&buffer)
            {
                let (repairs, left) = bulk_fixes_in(rules, at, snapshot.format, text, rule);
                more += left;
                found.extend(repairs.into_iter().map(|repair| (at, repair)));
            }
            let looked = place + 1;
            if looked == all || last.elapsed() >= PACE {
                let sent = reports.send(Msg::Fixes {
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

/// Adds or removes an ignored problem in the ignores file, and reads all ignores files again.
pub fn ignore(
    paths: Arc<[PathBuf]>,
    root: Option<PathBuf>,
    at: DialogId,
    ignored: IgnoreEntry,
    change: IgnoresChange,
    reports: MessageSender,
) {
    thread::spawn(move || {
        let Some(path) = paths.get(at.file as usize) else {
            return;
        };
        let done = ignores_file::change(path, root.as_deref(), &ignored, change);
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
