//! Builds the judging queue from all dialogs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::read::read_dialog;
use crate::app::Msg;
use crate::dialog::Dialog;
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{attach, base, belonging, log_id, says_the_same, stem};
use crate::workspace::{
    DialogId, Files, OpenFile, QueueItem, QueueJudge, QueueKind, Snapshot, in_order, to_judge,
};

/// The dialogs of vote logs, by id.
type Logs = HashMap<String, Vec<Dialog>>;

/// Reads the logs that hold votes on dialogs of other files.
fn read_logs(logs: Vec<Snapshot>) -> Logs {
    let (mut read, mut buffer) = (Logs::new(), Vec::new());
    for snapshot in logs {
        for position in 0..snapshot.pieces.len() {
            if let Some(dialog) = read_dialog(&snapshot, position, &mut buffer) {
                read.entry(dialog.id.clone()).or_default().push(dialog);
            }
        }
    }
    read
}

/// Reads the gold labels of dialogs, by their folder and the id of the dialog.
fn read_gold(files: Vec<(PathBuf, Snapshot)>) -> HashMap<(PathBuf, String), Dialog> {
    let (mut read, mut buffer) = (HashMap::new(), Vec::new());
    for (folder, snapshot) in files {
        if let Some(labels) = read_dialog(&snapshot, 0, &mut buffer) {
            read.insert((folder, labels.id.clone()), labels);
        }
    }
    read
}

/// Adds the votes in `logs` to the dialogs of the file called `name`. Returns the number of dialogs that
/// were edited since they were logged; their votes are not shown.
fn add_votes(dialogs: &mut [(usize, Dialog)], name: &str, logs: &Logs) -> usize {
    let stem = stem(name);
    let mut found = Vec::new();
    let mut outgrown = 0;
    let mut with_id: HashMap<&str, Vec<&(usize, Dialog)>> = HashMap::new();
    for place in dialogs.iter() {
        with_id.entry(&place.1.id).or_default().push(place);
    }
    for (number, (position, dialog)) in dialogs.iter().enumerate() {
        let own = logs.get(log_id(dialog, stem, *position).as_ref());
        let with_same_id = || {
            let all = with_id[dialog.id.as_str()].iter();
            all.filter(|(at, _)| at != position)
        };
        // A log whose text matches another dialog with the same id belongs to that one.
        let own = own.into_iter().flatten().filter(|log| {
            says_the_same(dialog, log)
                || !with_same_id().any(|(_, other)| says_the_same(other, log))
        });
        let own: Vec<_> = own.collect();
        let logs = own.iter().map(|log| ((), (*log).clone()));
        match belonging(dialog, name, logs) {
            Some(((), log)) => found.push((number, log)),
            None if own.iter().any(|log| group_of(log) == base(name)) => outgrown += 1,
            None => {}
        }
    }
    for (number, log) in found {
        attach(&mut dialogs[number].1, log);
    }
    outgrown
}

/// Which turns to collect.
pub struct QueueScope {
    /// The files with their numbers and paths.
    files: Vec<(u32, PathBuf, Snapshot)>,
    /// Files with the votes on dialogs whose format has none.
    logs: Vec<Snapshot>,
    /// Files of gold labels with their folders, and the folder of each judged file.
    gold: Vec<(PathBuf, Snapshot)>,
    gold_folders: HashMap<u32, PathBuf>,
    kind: QueueKind,
    judge: QueueJudge,
    number: u64,
}

impl QueueScope {
    /// The scope of queue `number`, from the files shown that hold votes or, with `judging` on, may get
    /// them. `path` returns the path of a file.
    pub fn new(
        files: &Files,
        path: impl Fn(usize) -> Option<PathBuf>,
        judging: bool,
        (number, kind, judge): (u64, QueueKind, QueueJudge),
    ) -> Self {
        let logs = || {
            let all = 0..files.len();
            all.filter(|file| files.get(*file).is_some_and(OpenFile::is_log))
        };
        let folder_of_gold = |file: usize| {
            let log = files.get(file)?.log.as_ref().filter(|log| log.is_gold())?;
            log.place.parent().map(Path::to_owned)
        };
        let gold = logs().filter_map(|file| Some((folder_of_gold(file)?, files.snapshot(file)?)));
        let gold: Vec<_> = gold.collect();
        let logs = logs().filter(|file| folder_of_gold(*file).is_none());
        let logs = logs.filter_map(|file| files.snapshot(file)).collect();
        let judged = files.shown().filter_map(|file| {
            let snapshot = files.snapshot(file)?;
            let format = snapshot.format.usual;
            let judged = format.has_votes() || judging && !format.is_companion();
            judged.then_some((file as u32, path(file)?, snapshot))
        });
        let judged: Vec<_> = judged.collect();
        let folder = |(file, ..): &(u32, PathBuf, Snapshot)| {
            let folder = files.gold_folder(*file as usize)?;
            Some((*file, folder))
        };
        Self {
            gold_folders: judged.iter().filter_map(folder).collect(),
            files: judged,
            logs,
            gold,
            kind,
            judge,
            number,
        }
    }
}

/// Collects the turns to judge, in corpus order, as [`Msg::Queued`]. `labels` returns the detector's
/// output for a dialog, given the path of its file and its id.
pub fn queue(scope: QueueScope, labels: impl Fn(&Path, &str) -> Option<Dialog>) -> Msg {
    let QueueScope {
        files,
        logs,
        gold,
        gold_folders,
        kind,
        judge: person,
        number,
    } = scope;
    let gold = read_gold(gold);
    let mut found: Vec<(u64, QueueItem)> = Vec::new();
    let mut outgrown = 0;
    let mut buffer = Vec::new();
    let logs = read_logs(logs);
    for (file, path, snapshot) in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut judge = |position: usize, mut dialog: Dialog| {
            if kind == QueueKind::Detector
                && let Some(labels) = labels(&path, &dialog.id)
            {
                dialog.attach_detections(&labels);
            }
            let at = DialogId::new(file as usize, position);
            let folder = gold_folders.get(&file).filter(|_| !gold.is_empty());
            let labels = folder.and_then(|folder| {
                let id = log_id(&dialog, stem(&name), position).into_owned();
                gold.get(&(folder.clone(), id))
            });
            if let Some(labels) = labels {
                dialog.attach_gold(labels);
            }
            found.extend(to_judge(&dialog, at, kind, &person));
        };
        // Dialogs that may have votes in logs; matching waits until all are read.
        let mut logged = Vec::new();
        for position in 0..snapshot.pieces.len() {
            let Some(dialog) = read_dialog(&snapshot, position, &mut buffer) else {
                continue;
            };
            let id = log_id(&dialog, stem(&name), position);
            if !snapshot.format.usual.has_votes() && logs.contains_key(id.as_ref()) {
                logged.push((position, dialog));
            } else {
                judge(position, dialog);
            }
        }
        outgrown += add_votes(&mut logged, &name, &logs);
        for (position, dialog) in logged {
            judge(position, dialog);
        }
    }
    let items = in_order(found, kind);
    Msg::Queued {
        number,
        items,
        outgrown,
    }
}
