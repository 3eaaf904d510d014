//! Builds the judging queue from all dialogs in the background.

use std::collections::HashMap;
use std::path::PathBuf;
use std::thread;

use super::messages::MessageSender;
use crate::app::Msg;
use crate::dialog::Dialog;
use crate::json::Parser;
use crate::shell::storage::companions;
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{attach, base, belonging, log_id, says_the_same, stem};
use crate::workspace::{DialogId, QueueItem, QueueKind, Snapshot, in_order, to_judge};

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

/// Reads one dialog; returns None if it cannot be read.
pub fn read_dialog(snapshot: &Snapshot, position: usize, buffer: &mut Vec<u8>) -> Option<Dialog> {
    snapshot.read(position, buffer).ok()?;
    let mut parser = Parser::new();
    let tree = parser.parse(buffer).ok()?;
    Some(snapshot.format.read(tree).0)
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

/// Collects the turns to judge, in corpus order. `logs` hold the votes on dialogs whose format has none.
pub fn queue(
    files: Vec<(u32, PathBuf, Snapshot)>,
    logs: Vec<Snapshot>,
    (number, wanted, annotator): (u64, QueueKind, String),
    reports: MessageSender,
) {
    thread::spawn(move || {
        let mut found: Vec<(u64, QueueItem)> = Vec::new();
        let mut outgrown = 0;
        let mut buffer = Vec::new();
        let logs = read_logs(logs);
        for (file, path, snapshot) in files {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let mut judge = |position: usize, mut dialog: Dialog| {
                if wanted == QueueKind::Detector
                    && let Some(labels) = companions(&path, &dialog.id).labels
                {
                    dialog.attach_detections(&labels);
                }
                let at = DialogId::new(file as usize, position);
                found.extend(to_judge(&dialog, at, wanted, &annotator));
            };
            // Dialogs that may have votes in logs; matching waits until all are read.
            let mut logged = Vec::new();
            for position in 0..snapshot.pieces.len() {
                let Some(dialog) = read_dialog(&snapshot, position, &mut buffer) else {
                    continue;
                };
                let id = log_id(&dialog, stem(&name), position);
                if !snapshot.format.has_votes() && logs.contains_key(id.as_ref()) {
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
        let items = in_order(found, wanted);
        reports.send(Msg::Queued {
            number,
            items,
            outgrown,
        });
    });
}
