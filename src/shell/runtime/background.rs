//! Short background work: reading the rules and the next dialog, changing the ignores file.

use std::path::PathBuf;
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

/// Adds a line to the ignores file or removes it, and reads all ignores files again.
pub fn ignore(
    paths: Arc<[PathBuf]>,
    root: Option<PathBuf>,
    at: DialogId,
    line: IgnoresLine,
    change: IgnoresChange,
    reports: MessageSender,
) {
    thread::spawn(move || {
        let Some(path) = paths.get(at.file as usize) else {
            let why = "this file was not there at the start; open its folder again to ignore problems in it";
            reports.send(Msg::Complaint(why.to_owned()));
            return;
        };
        let done = ignores_file::change(path, root.as_deref(), &line, change);
        let read = || read_side_files(paths.iter().map(PathBuf::as_path));
        let now = done.and_then(|()| read().map_err(|error| error.to_string()));
        reports.send(match now {
            Ok(ignores) => Msg::Ignores { at, ignores: Box::new(ignores) },
            Err(why) => Msg::Complaint(format!("the list of ignored problems is unchanged: {why}")),
        });
    });
}
