//! Builds the judging queue from all dialogs.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::judgements::{JudgedFile, JudgementScope, Judgements};
use crate::app::Msg;
use crate::dialog::{Dialog, side_order};
use crate::query::{DialogSource, Query, Target};
use crate::votes::vote_log::{log_id, stem};
use crate::workspace::{
    DialogId, Files, QueueItem, QueueJudge, QueueKind, Snapshot, in_order, make_pair, to_judge,
};

/// Which turns to collect.
pub struct QueueScope {
    /// The files with their numbers and paths.
    files: Vec<(u32, PathBuf, Snapshot)>,
    judgements: JudgementScope,
    /// The names of the files, as they are shown, by their numbers.
    names: HashMap<u32, String>,
    kind: QueueKind,
    /// The query that finds the turns, for a queue of found turns.
    query: Option<Query>,
    judge: QueueJudge,
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
        let judged = files.shown().filter_map(|file| {
            let snapshot = files.snapshot(file)?;
            let format = snapshot.format.usual;
            let judged = format.has_votes() || judging && !format.is_companion();
            judged.then_some((file as u32, path(file)?, snapshot))
        });
        Self {
            files: judged.collect(),
            judgements: JudgementScope::new(files),
            names: files.shown().map(|file| (file as u32, files.name(file).to_owned())).collect(),
            query: match &kind {
                QueueKind::Found(query) => query.parse().ok(),
                _ => None,
            },
            kind,
            judge,
            number,
        }
    }
}

/// A dialog that has the id of one in a file whose name comes before.
struct SecondDialog {
    first: DialogId,
    /// The number of its own file.
    file: u32,
    dialog: Dialog,
}

/// Returns the dialogs that are the other sides of pairs, by id; `names` are those of the files.
fn second_dialogs(
    files: &[(u32, PathBuf, Snapshot)],
    names: &HashMap<u32, String>,
    judgements: &Judgements,
) -> HashMap<String, SecondDialog> {
    let mut first: HashMap<String, DialogId> = HashMap::new();
    let mut second = HashMap::new();
    let mut files: Vec<_> = files.iter().collect();
    files.sort_by(|(one, ..), (other, ..)| side_order(&names[one], &names[other]));
    for (number, path, snapshot) in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = JudgedFile { number: *number, name: &name, snapshot };
        judgements.each_dialog(&file, None, &mut |at, dialog, _| {
            let id = dialog.id.clone();
            match first.get(&id) {
                _ if id.is_empty() => {}
                None => {
                    first.insert(id, at);
                }
                Some(first) if first.file != at.file => {
                    second.entry(id).or_insert(SecondDialog {
                        first: *first,
                        file: at.file,
                        dialog,
                    });
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
pub fn queue(scope: QueueScope, labels: impl Fn(&Path, &str) -> Option<Dialog>) -> Msg {
    let QueueScope { files, judgements, names, kind, query, judge: person, number } = scope;
    let judgements = judgements.read();
    let others = if person.scheme.is_of_pairs() {
        second_dialogs(&files, &names, &judgements)
    } else {
        HashMap::new()
    };
    let mut found: Vec<(u64, QueueItem)> = Vec::new();
    let mut outgrown = 0;
    for (number, path, snapshot) in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = JudgedFile { number: *number, name: &name, snapshot };
        outgrown += judgements.each_dialog(&file, query.as_ref(), &mut |at, mut dialog, asked| {
            let position = at.dialog as usize;
            if !person.is_assigned(&name, &log_id(&dialog, stem(&name), position)) {
                return ControlFlow::Continue(());
            }
            if kind == QueueKind::Detector
                && let Some(labels) = labels(path, &dialog.id)
            {
                dialog.attach_detections(&labels);
            }
            if let Some(other) = others.get(&dialog.id).filter(|other| other.first == at)
                && let [Some(name), Some(other_name)] =
                    [at.file, other.file].map(|of| names.get(&of))
                && dialog.sides.is_none()
            {
                make_pair(&mut dialog, name, &other.dialog, other_name);
                let said = std::mem::take(&mut dialog.judgements);
                dialog.judgements = said.into_iter().filter(|said| said.fits(&dialog)).collect();
            }
            let mut wanted = to_judge(&dialog, at, &kind, &person);
            if let Some(query) = &query {
                let target = Target {
                    dialog: &dialog,
                    problems: &asked.problems,
                    source: DialogSource {
                        file: &path.to_string_lossy(),
                        family: asked.family,
                        excluded: asked.excluded,
                        edited: snapshot.edited.contains_key(&position),
                        annotator: &person.annotator,
                        hidden: person.hidden,
                    },
                };
                // The search that the queue is made of says whether there may be more.
                let matches = query.matches(&target).turns;
                let of_dialog = person.scheme.is_of_dialogs() && matches.contains(&true);
                wanted.retain(|(_, item)| of_dialog || matches[item.turn as usize]);
            }
            found.extend(wanted);
            ControlFlow::Continue(())
        });
    }
    let items = in_order(found, &kind);
    Msg::Queued { number, items, outgrown }
}
