//! Collects the fixes for the list in which they are reviewed.

use std::collections::HashMap;

use super::Sink;
use crate::app::{FixSource, FoundFixes, Msg, fixes_in};
use crate::workspace::{DialogId, Files, Snapshot};

/// Which fixes to collect.
pub struct FixScope {
    files: HashMap<u32, Snapshot>,
    dialogs: Vec<DialogId>,
    source: FixSource,
    number: u64,
}

impl FixScope {
    /// Returns the scope of list `number`.
    pub fn new(files: &Files, dialogs: Vec<DialogId>, source: FixSource, number: u64) -> Self {
        let snapshots = (0..files.len()).filter_map(|file| files.snapshot(file));
        Self { files: snapshots.map(|s| (s.file, s)).collect(), dialogs, source, number }
    }
}

/// Collects the fixes of the problems in some dialogs. Reports [`Msg::Fixes`].
pub fn find_fixes(scope: FixScope, sink: &mut dyn Sink) {
    let FixScope { files, dialogs, source, number } = scope;
    let (mut found, mut more) = (Vec::new(), 0);
    let mut buffer = Vec::new();
    let all = dialogs.len();
    for (place, at) in dialogs.into_iter().enumerate() {
        if sink.is_cancelled() {
            return;
        }
        if let Some(snapshot) = files.get(&at.file)
            && let Some(rules) = &snapshot.rules
            && snapshot.read(at.dialog as usize, &mut buffer).is_ok()
            && let Ok(text) = std::str::from_utf8(&buffer)
        {
            let (fixes, left) = fixes_in(rules, at, snapshot.format.of_text(text), text, &source);
            more += left;
            found.extend(fixes);
        }
        let checked = place + 1;
        if checked == all || sink.is_due() {
            let sent = sink.send(Msg::Fixes(FoundFixes {
                number,
                found: std::mem::take(&mut found),
                more: std::mem::take(&mut more),
                checked,
            }));
            if !sent {
                return;
            }
        }
    }
}
