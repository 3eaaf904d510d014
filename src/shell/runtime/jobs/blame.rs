//! Follows a dialog back through the versions of its file in Git.

use std::path::PathBuf;
use std::sync::Arc;

use super::Sink;
use crate::app::{BlameProgress, FoundBlame, Msg};
use crate::compare::{Blame, paired_dialogs};
use crate::corpus::{CorpusFile, Source};
use crate::dialog::Dialog;
use crate::shell::storage::{file_versions, read_version};
use crate::workspace::Bytes;

/// The dialog to follow.
pub struct BlameScope {
    pub number: u64,
    pub path: PathBuf,
    /// The file as it was read.
    pub file: CorpusFile<Bytes>,
    pub position: usize,
    /// The dialog as it is now.
    pub dialog: Dialog,
}

/// Follows the parts of a dialog. Reports [`Msg::Blamed`].
pub fn blame(scope: BlameScope, sink: &mut dyn Sink) {
    let BlameScope {
        number,
        path,
        file,
        position,
        dialog,
    } = scope;
    let report = |sink: &mut dyn Sink, progress, found| {
        sink.send(Msg::Blamed {
            number,
            progress,
            found,
        })
    };
    let versions = match file_versions(&path) {
        Ok(versions) => versions,
        Err(why) => {
            report(sink, BlameProgress::Failed(why), None);
            return;
        }
    };
    let all = versions.len() - 1;
    let formats = &file.index().formats;
    let mut blame = Blame::new(dialog);
    let mut newer: Option<CorpusFile<Arc<dyn Source>>> = None;
    let mut at = Some(position);
    for (read, version) in versions.iter().skip(1).enumerate() {
        if sink.is_cancelled() {
            return;
        }
        if blame.is_done() {
            break;
        }
        if sink.is_due() {
            let found = FoundBlame {
                parts: blame.clone().parts(),
                versions: versions.clone(),
            };
            if !report(sink, BlameProgress::Busy { read, all }, Some(found)) {
                return;
            }
        }
        let older = read_version(&path, version, formats).ok().flatten();
        at = at.zip(older.as_ref()).and_then(|(at, older)| match &newer {
            None => place_before(older, &file, at),
            Some(newer) => place_before(older, newer, at),
        });
        let dialog = at.zip(older.as_ref());
        let dialog = dialog.and_then(|(at, older)| older.dialog(at).ok()?);
        blame.back(dialog.map(|(dialog, _)| dialog));
        match older {
            Some(older) => newer = Some(older),
            None => break,
        }
    }
    let parts = blame.parts();
    let found = FoundBlame { parts, versions };
    report(sink, BlameProgress::Done, Some(found));
}

/// Returns the position in an older version of the dialog at a position of a newer one.
fn place_before<S: Source, T: Source>(
    older: &CorpusFile<S>,
    newer: &CorpusFile<T>,
    at: usize,
) -> Option<usize> {
    let paired = paired_dialogs(older, newer).ok()?;
    let mut both = paired.pairs.both.iter().chain(&paired.changed);
    both.find(|(_, new)| *new == at).map(|(old, _)| *old)
}
