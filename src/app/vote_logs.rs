//! Editing votes that are kept in logs beside the dialogs.

use super::{App, Effect};
use crate::dialog::{Edit, EditKind};
use crate::workspace::{DialogId, NewLog, OpenFile};

impl App {
    /// Returns the dialog that an edit of the dialog at `at` changes, itself or its vote log, which
    /// is created if missing. Reports why and returns None if it cannot be edited now.
    pub(super) fn edited_at(
        &mut self,
        at: DialogId,
        edit: &Edit,
    ) -> Option<(DialogId, Option<Effect>)> {
        let open = self.files.get(at.file as usize);
        let in_log = edit.about() == EditKind::Votes && open.is_some_and(OpenFile::may_have_logs);
        if !in_log {
            return self.may_edit(at).then_some((at, None));
        }
        let log = match self.log_to_edit(at) {
            Ok(log) => log,
            Err(why) => {
                self.complain(why);
                return None;
            }
        };
        if !self.may_edit(log) {
            return None;
        }
        self.files.link(at);
        let began = self.files.beginning(log);
        let began =
            began.map(|NewLog { file, name, text }| Effect::JournalBegins { file, name, text });
        Some((log, began))
    }

    /// Returns the log for the votes on the dialog at `at`. The file of the dialog is only read, so
    /// another process may edit it.
    fn log_to_edit(&mut self, at: DialogId) -> Result<DialogId, String> {
        self.files.may_edit(at.file as usize)?;
        if self.files.expects_logs() {
            return Err(
                "votes on this corpus are still being read; try again in a moment".to_owned(),
            );
        }
        match self.files.log_of(at) {
            // Another dialog may have the same id; that is not known yet.
            Some(log)
                if !self.files.are_ids_known(at.file) && !self.files.say_the_same(at, log) =>
            {
                Err("the ids of this corpus are still being read; try again in a moment".to_owned())
            }
            Some(log) => Ok(log),
            None => self.files.begin_log(at),
        }
    }

    /// Returns the logs of a file's dialogs that have unsaved votes.
    pub(super) fn unsaved_logs(&self, of: usize) -> Vec<usize> {
        let logs = self.files.modified().filter(|file| {
            let open = self.files.get(*file);
            open.is_some_and(OpenFile::is_log)
                && self.files.judged_in(DialogId::first_of(*file)).file as usize == of
        });
        logs.collect()
    }
}
