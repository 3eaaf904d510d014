//! Follows a dialog back through the versions of its file in Git.

use std::path::PathBuf;

use super::Sink;
use crate::app::{BlameProgress, FoundBlame, Msg};
use crate::compare::Blame;
use crate::corpus::CorpusFile;
use crate::dialog::Dialog;
use crate::shell::storage::{file_versions, follow_back};

/// The dialog to follow.
pub struct BlameScope {
    pub number: u64,
    pub path: PathBuf,
    /// The file as it was read.
    pub file: CorpusFile,
    pub position: usize,
    /// The dialog as it is now.
    pub dialog: Dialog,
}

/// Follows the parts of a dialog. Reports [`Msg::Blamed`].
pub fn blame(scope: BlameScope, sink: &mut dyn Sink) {
    let BlameScope { number, path, file, position, dialog } = scope;
    let report =
        |sink: &mut dyn Sink, progress, found| sink.send(Msg::Blamed { number, progress, found });
    let versions = match file_versions(&path) {
        Ok(versions) => versions,
        Err(why) => {
            report(sink, BlameProgress::Failed(why), None);
            return;
        }
    };
    let all = versions.len() - 1;
    let mut blames = [Blame::new(dialog, position)];
    let found = |blames: &[Blame]| FoundBlame {
        parts: blames.iter().cloned().flat_map(Blame::parts).collect(),
        versions: versions.clone(),
    };
    let mut is_stopped = false;
    let followed = follow_back(&mut blames, &path, &file, &versions, &mut |blames, read| {
        is_stopped = sink.is_cancelled();
        if !is_stopped && sink.is_due() {
            let found = Some(found(blames));
            is_stopped = !report(sink, BlameProgress::Busy { read, all }, found);
        }
        !is_stopped
    });
    let progress = match followed {
        _ if is_stopped => return,
        Ok(()) => BlameProgress::Done,
        Err(error) => BlameProgress::Failed(error.to_string()),
    };
    report(sink, progress, Some(found(&blames)));
}
