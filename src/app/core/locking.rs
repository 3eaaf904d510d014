//! Edit locks: an edit locks its file before it is made. A lock may bring edits of another run, or answers that others
//! have written meanwhile, so positions are computed after it.

use std::ops::Range;

use crate::app::core::{App, Effect};
use crate::app::pane::elided;
use crate::dialog::{Edit, EditKind};
use crate::workspace::{DialogId, JournalOp, LockOutcome, OpenFile, holder_name};

/// Columns for a file's name in a message on the status line.
const NAME: usize = 26;

impl App {
    /// True if a dialog can be edited now, whose file is locked from then on; otherwise reports why.
    pub fn may_edit(&mut self, at: DialogId) -> bool {
        let file = at.file as usize;
        if !self.may_decide(file) {
            return false;
        }
        if self.workspace.files.offered(file).is_some() {
            self.complain("first decide about the unsaved edits from the last run");
            self.session.changed.undecided = Some(file);
            return false;
        }
        true
    }

    /// True if this process may edit a file, which is locked from then on; otherwise reports why, or asks.
    pub fn may_decide(&mut self, file: usize) -> bool {
        if let Err(why) = self.workspace.files.check_editable(file) {
            self.complain(why);
            return false;
        }
        if !self.lock(file) {
            return false;
        }
        let name = elided(self.workspace.files.name(file), NAME);
        let why = match self.workspace.files.lock_outcome(file) {
            Some(LockOutcome::Ours) => return true,
            Some(LockOutcome::Taken(by)) => {
                let by = holder_name(by);
                format!("{name} is being edited by {by}; read-only here")
            }
            Some(LockOutcome::Lost(why)) => why.clone(),
            Some(LockOutcome::Unusable(why)) => {
                format!("{name} is read-only here: {why}")
            }
            _ => format!("{name} could not be locked; nothing was edited"),
        };
        self.complain(why);
        false
    }

    /// Locks the files of steps to take back or make again, and returns where these are then: a lock may bring steps of
    /// another run. Reports why and returns None if one of them may not be touched now.
    pub fn lock_steps(&mut self, steps: impl Fn(&Self) -> Range<usize>) -> Option<Range<usize>> {
        loop {
            let before = steps(self);
            if !self.may_undo(before.clone()) || !self.may_edit_all(before.clone()) {
                return None;
            }
            if steps(self) == before {
                let may = self.may_undo(before.clone()) && self.may_move_turns(before.clone());
                return may.then_some(before);
            }
        }
    }

    /// Returns the dialog to change for an edit of the dialog at `at`: that dialog, or its vote log, its gold labels or
    /// its judgements, which are begun, with a journal, if they are missing; a vote log gets the turns that it lacks.
    /// Reports why and returns None if it cannot be edited now.
    pub fn prepare_edit(&mut self, at: DialogId, edit: &Edit) -> Option<DialogId> {
        let log = self.dialog_to_edit(at, edit)?;
        if !self.may_edit(log) {
            return None;
        }
        if log == at {
            return Some(at);
        }
        // Its file may have been read again.
        let log = self.dialog_to_edit(at, edit)?;
        if self.workspace.files.linked_log(at) != Some(log) {
            self.workspace.files.link(at);
        }
        if let Some(beginning) = self.workspace.files.beginning(log) {
            let (file, what) = (log.file as usize, JournalOp::Begins(beginning));
            self.request(Effect::Journal { file, what });
        }
        if edit.about() == EditKind::Votes {
            self.lengthen_log(at, log);
        }
        Some(log)
    }

    /// Returns the dialog that an edit changes. Reports why and returns None if there is none, and none can be begun.
    fn dialog_to_edit(&mut self, at: DialogId, edit: &Edit) -> Option<DialogId> {
        let log = if edit.about() == EditKind::Gold {
            self.may_go_beside(at, "gold labels").and_then(|()| self.gold_to_edit(at))
        } else if let Edit::Judge { judgement } = edit {
            let may = self.may_go_beside(at, "judgements");
            may.and_then(|()| self.workspace.files.judgements_to_edit(at, &judgement.by))
        } else if self.goes_to_log(at, edit.about()) {
            self.may_go_beside(at, "votes on this corpus").and_then(|()| self.log_to_edit(at))
        } else {
            Ok(at)
        };
        log.map_err(|why| self.complain(why)).ok()
    }

    /// True if edits of this kind go to the vote log of the dialog at `at`.
    fn goes_to_log(&self, at: DialogId, about: EditKind) -> bool {
        let open = self.workspace.files.get(at.file as usize);
        about == EditKind::Votes && open.is_some_and(OpenFile::may_have_logs)
    }

    /// Checks that these answers can go to a file beside that of the dialog at `at`, which is only read, so another process
    /// may edit it.
    fn may_go_beside(&self, at: DialogId, answers: &str) -> Result<(), String> {
        self.workspace.files.check_editable(at.file as usize)?;
        if self.workspace.files.expects_logs() { Err(still_read(answers)) } else { Ok(()) }
    }

    /// Returns the log for the votes on the dialog at `at`.
    fn log_to_edit(&mut self, at: DialogId) -> Result<DialogId, String> {
        match self.workspace.files.log_of(at) {
            // Another dialog may have the same id; that is not known yet.
            Some(log)
                if !self.workspace.files.are_ids_known(at.file)
                    && !self.workspace.files.say_the_same(at, log) =>
            {
                Err(still_read("the ids of this corpus"))
            }
            Some(log) => Ok(log),
            None => self.workspace.files.begin_log(at),
        }
    }

    /// Returns the file for the gold labels of the dialog at `at`.
    fn gold_to_edit(&mut self, at: DialogId) -> Result<DialogId, String> {
        let open = self.workspace.files.get(at.file as usize);
        let is_alone = open.is_some_and(|open| open.dialogs() == 1);
        if !is_alone && !self.workspace.files.are_ids_known(at.file) {
            return Err(still_read("the ids of this corpus"));
        }
        self.workspace.files.gold_to_edit(at)
    }
}

fn still_read(what: &str) -> String {
    format!("{what} are still being read; try again in a moment")
}
