//! Edit locks: a command, an answer or a prompt that edits files waits until they are locked, and until none of
//! them is being saved.

use std::ops::Range;

use crate::app::core::{Action, App, Effect, WaitingAction};
use crate::app::pane::elided;
use crate::dialog::{Edit, EditKind};
use crate::judging::Kept;
use crate::workspace::{DialogId, LockOutcome, LockState, NewLog, OpenFile, holder_name};

/// Columns for a file's name in a message on the status line.
const NAME: usize = 26;

impl App {
    /// Runs an action that edits these files, once they are saved and locked. If another program holds one, the action
    /// runs all the same and reports that; if its file has changed or is lost, it is dropped (`update/locked.rs`).
    pub fn lock_for(&mut self, mut files: Vec<usize>, action: Action) {
        files.sort_unstable();
        files.dedup();
        let is_saving = |file: &&usize| self.workspace.files.is_saving(**file);
        if let Some(saving) = files.iter().find(is_saving) {
            let name = elided(self.workspace.files.name(*saving), NAME);
            self.say(format!("{name} is being saved; this follows"));
            self.input.waiting =
                WaitingAction { action: Some(action), saving: files, ..WaitingAction::default() };
            return;
        }
        files.retain(|file| self.workspace.files.needs_lock(*file));
        if files.is_empty() {
            return self.run_action(action);
        }
        self.input.waiting =
            WaitingAction { action: Some(action), locks: files.len(), ..WaitingAction::default() };
        let lock = |file| Effect::Lock { file, log: self.workspace.files.log_to_lock(file) };
        let locks: Vec<_> = files.into_iter().map(lock).collect();
        self.effects.extend(locks);
    }

    pub fn run_action(&mut self, action: Action) {
        match action {
            Action::Command(command, count) => self.run_now(command, count),
            Action::Answer(answer) => self.answer_now(answer),
            Action::AcceptPrompt => self.accept_now(),
        }
    }

    /// True if a dialog can be edited now; otherwise reports why.
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

    /// True if this process may edit a file; otherwise reports why.
    pub fn may_decide(&mut self, file: usize) -> bool {
        if let Err(why) = self.workspace.files.check_editable(file) {
            self.complain(why);
            return false;
        }
        let name = elided(self.workspace.files.name(file), NAME);
        let Some(refused) = self.workspace.files.lock_refused(file) else {
            return true;
        };
        let why = match refused {
            LockState::Refused(LockOutcome::Taken(by)) => {
                let by = holder_name(by);
                format!("{name} is being edited by {by}; read-only here")
            }
            LockState::Refused(LockOutcome::Lost(why)) => why.clone(),
            LockState::Refused(LockOutcome::Unusable(why)) => {
                format!("{name} is read-only here: {why}")
            }
            // A question says it.
            LockState::Refused(LockOutcome::Newer) => return false,
            _ => format!("{name} is not locked; nothing was edited"),
        };
        self.complain(why);
        false
    }

    /// Returns the dialog to change for an edit of the dialog at `at`: that dialog, or its vote log, its gold labels or
    /// its judgements, which are begun, with a journal, if they are missing; a vote log gets the turns that it lacks.
    /// Reports why and returns None if it cannot be edited now.
    pub fn prepare_edit(&mut self, at: DialogId, edit: &Edit) -> Option<DialogId> {
        let log = if edit.about() == EditKind::Gold {
            self.gold_to_edit(at)
        } else if let Edit::Judge { judgement } = edit {
            self.judgements_to_edit(at, &judgement.by)
        } else if self.goes_to_log(at, edit.about()) {
            self.log_to_edit(at)
        } else {
            return self.may_edit(at).then_some(at);
        };
        let log = match log {
            Ok(log) => log,
            Err(why) => {
                self.complain(why);
                return None;
            }
        };
        if !self.may_edit(log) {
            return None;
        }
        if self.workspace.files.linked_log(at) != Some(log) {
            self.workspace.files.link(at);
        }
        if let Some(NewLog { file, name, text }) = self.workspace.files.beginning(log) {
            self.request(Effect::JournalBegins { file, name, text });
        }
        if edit.about() == EditKind::Votes {
            self.lengthen_log(at, log);
        }
        Some(log)
    }

    /// True if edits of this kind go to the vote log of the dialog at `at`.
    fn goes_to_log(&self, at: DialogId, about: EditKind) -> bool {
        let open = self.workspace.files.get(at.file as usize);
        about == EditKind::Votes && open.is_some_and(OpenFile::may_have_logs)
    }

    /// Returns the log for the votes on the dialog at `at`. The file of the dialog is only read, so
    /// another process may edit it.
    fn log_to_edit(&mut self, at: DialogId) -> Result<DialogId, String> {
        self.workspace.files.check_editable(at.file as usize)?;
        if self.workspace.files.expects_logs() {
            return Err(
                "votes on this corpus are still being read; try again in a moment".to_owned()
            );
        }
        match self.workspace.files.log_of(at) {
            // Another dialog may have the same id; that is not known yet.
            Some(log)
                if !self.workspace.files.are_ids_known(at.file)
                    && !self.workspace.files.say_the_same(at, log) =>
            {
                Err("the ids of this corpus are still being read; try again in a moment".to_owned())
            }
            Some(log) => Ok(log),
            None => self.workspace.files.begin_log(at),
        }
    }

    /// Returns the file for the gold labels of the dialog at `at`, whose own file is only read.
    fn gold_to_edit(&mut self, at: DialogId) -> Result<DialogId, String> {
        self.workspace.files.check_editable(at.file as usize)?;
        if self.workspace.files.expects_logs() {
            return Err("gold labels are still being read; try again in a moment".to_owned());
        }
        let open = self.workspace.files.get(at.file as usize);
        let is_alone = open.is_some_and(|open| open.dialogs() == 1);
        if !is_alone && !self.workspace.files.are_ids_known(at.file) {
            return Err(
                "the ids of this corpus are still being read; try again in a moment".to_owned()
            );
        }
        self.workspace.files.gold_to_edit(at)
    }

    /// Returns the file for the judgements of `annotator`.
    fn judgements_to_edit(&mut self, at: DialogId, annotator: &str) -> Result<DialogId, String> {
        self.workspace.files.check_editable(at.file as usize)?;
        if self.workspace.files.expects_logs() {
            return Err("judgements are still being read; try again in a moment".to_owned());
        }
        self.workspace.files.judgements_to_edit(at, annotator)
    }

    /// Returns the file for the judgements of the annotator on the dialog on the screen.
    pub fn file_of_judgements_here(&mut self) -> Vec<usize> {
        let at = self.panes.transcript.at;
        at.map_or_else(Vec::new, |at| self.file_of_answers(at, Kept::Judgements))
    }

    /// Returns the file for the judgements of `annotator` on the dialog at `at`.
    pub fn file_of_judgements(&mut self, at: DialogId, annotator: &str) -> Vec<usize> {
        // Giving the answer reports why there is no file.
        let file = self.judgements_to_edit(at, annotator);
        file.iter().map(|at| at.file as usize).collect()
    }

    /// Returns the file for the answers about the dialog at `at`, which are kept in this way; none before the
    /// annotator's id is known.
    pub fn file_of_answers(&mut self, at: DialogId, kept: Kept) -> Vec<usize> {
        let annotator = self.judging.annotator.clone();
        if annotator.is_empty() && kept != Kept::Gold {
            return Vec::new();
        }
        let file = match kept {
            Kept::Judgements => return self.file_of_judgements(at, &annotator),
            Kept::Votes => return self.file_of_votes(at),
            Kept::Gold => self.gold_to_edit(at),
        };
        file.iter().map(|at| at.file as usize).collect()
    }

    /// Returns the file of the dialog on the screen.
    pub fn file_here(&mut self) -> Vec<usize> {
        self.panes.transcript.at.iter().map(|at| at.file as usize).collect()
    }

    /// Returns the file that a vote on the dialog at `at` changes, the corpus or a log.
    pub fn file_of_votes(&mut self, at: DialogId) -> Vec<usize> {
        if !self.goes_to_log(at, EditKind::Votes) {
            return vec![at.file as usize];
        }
        // Casting the vote reports why there is no log.
        let log = self.log_to_edit(at).ok();
        log.iter().map(|log| log.file as usize).collect()
    }

    /// Like [`App::file_of_votes`], but for the dialog on the screen.
    pub fn file_of_votes_here(&mut self) -> Vec<usize> {
        let at = self.panes.transcript.at;
        at.map_or_else(Vec::new, |at| self.file_of_votes(at))
    }

    /// Returns the files that these steps edit.
    pub fn files_of_steps(&self, steps: Range<usize>) -> Vec<usize> {
        let steps = self.workspace.steps.all()[steps].iter();
        steps.map(|step| step.at.file as usize).collect()
    }
}
