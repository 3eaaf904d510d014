//! The vote logs with unsaved votes on a file's dialogs.

use super::App;
use crate::workspace::{DialogId, OpenFile};

impl App {
    /// Returns the logs of a file's dialogs that have unsaved votes.
    pub(super) fn unsaved_logs(&self, of: usize) -> Vec<usize> {
        let logs = self.workspace.files.modified().filter(|file| {
            let open = self.workspace.files.get(*file);
            open.is_some_and(OpenFile::is_log)
                && self
                    .workspace
                    .files
                    .judged_in(DialogId::first_of(*file))
                    .file as usize
                    == of
        });
        logs.collect()
    }
}
