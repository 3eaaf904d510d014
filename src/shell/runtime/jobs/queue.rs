//! Builds the judging queue from all dialogs.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::files::{JobDialog, JobFile, JobFiles};
use crate::app::Msg;
use crate::dialog::{Dialog, side_order};
use crate::query::Query;
use crate::votes::vote_log::{log_id, stem};
use crate::workspace::{
    DialogId, Files, QueueItem, QueueJudge, QueueKind, in_order, make_pair, to_judge,
};

/// Which turns to collect.
pub struct QueueScope {
    files: JobFiles,
    kind: QueueKind,
    /// The query that finds the turns, for a queue of found turns.
    query: Option<Query>,
    number: u64,
}

impl QueueScope {
    /// Returns the scope of queue `number`, from the files shown that hold votes or, with `judging` on, may get
    /// them. `path` returns the path of a file.
    pub fn new(
        files: &Files,
        path: impl Fn(usize) -> Option<PathBuf>,
        judging: bool,
        number: u64,
        kind: QueueKind,
        judge: QueueJudge,
    ) -> Self {
        let judged = JobFiles::new(files, judge, |file, snapshot| {
            let format = snapshot.format.usual;
            let is_judged = format.has_votes() || judging && !format.is_companion();
            path(file).filter(|_| is_judged)
        });
        let query = match &kind {
            QueueKind::Found(query) => query.parse().ok(),
            _ => None,
        };
        Self { files: judged.with_answers(files), kind, query, number }
    }
}

/// A dialog that has the id of one in a file whose name comes before.
struct SecondDialog<'f> {
    first: DialogId,
    /// Its own file.
    file: &'f JobFile,
    dialog: Dialog,
}

/// Returns the dialogs that are the other sides of pairs, by id.
fn second_dialogs(files: &JobFiles) -> HashMap<String, SecondDialog<'_>> {
    let mut first: HashMap<String, DialogId> = HashMap::new();
    let mut second = HashMap::new();
    let mut in_order: Vec<_> = files.all.iter().collect();
    in_order.sort_by(|one, other| side_order(&one.name, &other.name));
    for file in in_order {
        let _ = files.each_of(file, None, &mut |at, read| {
            let dialog = read.map(|read| read.dialog).filter(|dialog| !dialog.id.is_empty());
            let Some(dialog) = dialog else { return ControlFlow::Continue(()) };
            let id = dialog.id.clone();
            match first.get(&id) {
                None => {
                    first.insert(id, at);
                }
                Some(first) if first.file != at.file => {
                    let first = *first;
                    second.entry(id).or_insert(SecondDialog { first, file, dialog });
                }
                Some(_) => {}
            }
            ControlFlow::Continue(())
        });
    }
    second
}

/// Collects the turns to judge, in corpus order, as [`Msg::Queued`]. `labels` returns the detector's
/// output for a dialog, given the path of its file and its id.
pub fn queue(scope: &QueueScope, labels: impl Fn(&Path, &str) -> Option<Dialog>) -> Msg {
    let QueueScope { files, kind, query, number } = scope;
    let person = &files.judge;
    let is_of_pairs = person.scheme.is_of_pairs();
    let others = if is_of_pairs { second_dialogs(files) } else { HashMap::new() };
    let mut found: Vec<(u64, QueueItem)> = Vec::new();
    let mut outgrown = 0;
    for file in &files.all {
        let _ = files.each_of(file, query.as_ref(), &mut |at, read| {
            outgrown += usize::from(read.as_ref().is_some_and(|read| read.has_stale_log));
            let id_of = |read: &JobDialog<'_>| {
                log_id(&read.dialog, stem(&file.name), at.dialog as usize).into_owned()
            };
            let is_assigned = |read: &JobDialog<'_>| person.is_assigned(file.base(), &id_of(read));
            let Some(mut read) = read.filter(is_assigned) else {
                return ControlFlow::Continue(());
            };
            let dialog = &mut read.dialog;
            if *kind == QueueKind::Detector
                && let Some(labels) = labels(&file.path, &dialog.id)
            {
                dialog.attach_detections(&labels);
            }
            if let Some(other) = others.get(&dialog.id).filter(|other| other.first == at)
                && dialog.sides.is_none()
            {
                make_pair(dialog, &file.name, &other.dialog, &other.file.name);
                let said = std::mem::take(&mut dialog.judgements);
                dialog.judgements = said.into_iter().filter(|said| said.fits(dialog)).collect();
            }
            let mut wanted = to_judge(dialog, at, kind, person);
            if let Some(query) = query {
                // The search that the queue is made of says whether there may be more.
                let matches = query.matches(&read.target()).turns;
                let of_dialog = person.scheme.is_of_dialogs() && matches.contains(&true);
                wanted.retain(|(_, item)| of_dialog || matches[item.turn as usize]);
            }
            found.extend(wanted);
            ControlFlow::Continue(())
        });
    }
    let items = in_order(found, kind);
    Msg::Queued { number: *number, items, outgrown }
}
