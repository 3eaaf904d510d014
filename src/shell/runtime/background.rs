//! Short background work: reading the rules and the next dialog, changing the ignores file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::messages::MessageSender;
use crate::app::{IgnoresChange, Msg};
use crate::corpus::{Bytes, positions};
use crate::lint::IgnoresLine;
use crate::shell::storage::ignores_file;
use crate::shell::storage::ignores_file::read_side_files;
use crate::workspace::{DialogId, LintContext, Prefetched, Snapshot};

/// Reads the rules, and reports if their settings cannot be used.
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
        if let Ok(found) = positions(&*bytes, &[start]) {
            reports.send(Msg::Located { at, line: found[0].line });
        }
    });
}

/// Adds a line to the ignores file or removes it, and then reads all ignores files again in the background: the program may
/// quit with the next key.
pub fn ignore(
    paths: Arc<[PathBuf]>,
    root: Option<&Path>,
    at: DialogId,
    line: Box<IgnoresLine>,
    change: IgnoresChange,
    reports: MessageSender,
) {
    let path = paths
        .get(at.file as usize)
        .ok_or("this file was not there at the start; open its folder again");
    let changed = path
        .map_err(str::to_owned)
        .and_then(|path| ignores_file::change(path, root, &line, change));
    if let Err(why) = changed {
        reports.send(Msg::Complaint(format!("the list of ignored problems is unchanged: {why}")));
        return;
    }
    thread::spawn(move || {
        reports.send(match read_side_files(paths.iter().map(PathBuf::as_path)) {
            Ok(ignores) => Msg::Ignores { at, line, change, ignores: Box::new(ignores) },
            Err(why) => {
                Msg::Complaint(format!("the list of ignored problems cannot be read: {why}"))
            }
        });
    });
}
