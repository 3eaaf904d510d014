//! Searches all dialogs.

use super::Sink;
use crate::app::Msg;
use crate::json::Parser;
use crate::query::{Prefilter, Query};
use crate::workspace::{DialogId, Files, Snapshot};

/// Dialogs searched between two checks whether the search was cancelled.
const UNCHECKED: usize = 64;

/// A search to run: the query, the files with their numbers, and the dialog to begin with.
pub struct SearchScope {
    /// The files with their numbers.
    files: Vec<(u32, Snapshot)>,
    query: Query,
    /// The dialog that is searched first.
    from: DialogId,
    number: u64,
}

impl SearchScope {
    /// The scope of search `number` from a dialog on through all files shown.
    pub fn new(files: &Files, query: Query, from: DialogId, number: u64) -> Self {
        let file = |file: usize| Some((file as u32, files.snapshot(file)?));
        Self {
            files: files.shown().filter_map(file).collect(),
            query,
            from,
            number,
        }
    }
}

/// Searches all files, starting at the current dialog and wrapping around. Reports [`Msg::Hits`].
pub fn search(scope: &SearchScope, sink: &mut dyn Sink) {
    let SearchScope {
        files,
        query,
        from,
        number,
    } = scope;
    let prefilter = Prefilter::new(query);
    let (mut hits, mut searched) = (Vec::new(), 0);
    let mut buffer = Vec::new();
    let all = || {
        files.iter().flat_map(|(file, snapshot)| {
            let at = |position| DialogId::new(*file as usize, position);
            (0..snapshot.pieces.len()).map(move |i| (at(i), snapshot))
        })
    };
    let behind = all().filter(|(at, ..)| at >= from);
    let before = all().filter(|(at, ..)| at < from);
    for (at, snapshot) in behind.chain(before) {
        let found = count_hits(query, &prefilter, snapshot, at, &mut buffer);
        searched += 1;
        if found > 0 {
            hits.push((at, found));
        }
        if searched % UNCHECKED == 0 && sink.is_cancelled() {
            return;
        }
        // A hit where the user is shows at once.
        let is_first = searched == 1 && !hits.is_empty();
        if is_first || sink.is_due() {
            let report = Msg::Hits {
                search: *number,
                hits: std::mem::take(&mut hits),
                searched,
                done: false,
            };
            if !sink.send(report) {
                return;
            }
        }
    }
    sink.send(Msg::Hits {
        search: *number,
        hits,
        searched,
        done: true,
    });
}

fn count_hits(
    query: &Query,
    prefilter: &Prefilter,
    snapshot: &Snapshot,
    at: DialogId,
    buffer: &mut Vec<u8>,
) -> u32 {
    if snapshot.read(at.dialog as usize, buffer).is_err() || !prefilter.may_hit(buffer) {
        return 0;
    }
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_piece(buffer) else {
        return 0;
    };
    let format = snapshot.format.of(tree.root());
    let (dialog, issues) = format.read(tree);
    // A search for problems alone needs no run here: the summaries count them.
    let problems = match &snapshot.rules {
        Some(rules) if query.parts().iter().any(Query::is_problem) => {
            let read = (&dialog, issues.as_slice());
            rules.find(at, format, read, tree).problems
        }
        _ => Vec::new(),
    };
    query.hits(&dialog, &problems).len() as u32
}
