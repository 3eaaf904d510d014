//! The vote logs with unsaved votes on a file's dialogs.

use crate::app::core::app::App;
use crate::workspace::{DialogId, OpenFile};

/// Returns the logs of a file's dialogs that have unsaved votes.
pub fn unsaved_logs(app: &App, of: usize) -> Vec<usize> {
    let logs = app.workspace.files.modified().filter(|file| {
        let open = app.workspace.files.get(*file);
        open.is_some_and(OpenFile::is_log)
            && app
                .workspace
                .files
                .judged_in(DialogId::first_of(*file))
                .file as usize
                == of
    });
    logs.collect()
}
