//! Edit locks: a command, an answer or a prompt that edits files waits until they are locked.

use std::ops::Range;

use super::command::Command;
use super::line::elided;
use super::question::Answer;
use super::{App, Effect};
use crate::dialog::{Edit, EditKind};
use crate::workspace::{DialogId, LockOutcome, LockState, NewLog, OpenFile, holder_name};

/// Columns for a file's name in a message on the status line.
const NAME: usize = 26;

/// An action that waits for locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Command(&'static Command, Option<usize>),
    Answer(Answer),
    AcceptPrompt,
}

/// The action that waits, and for how many locks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WaitingAction {
    action: Option<Action>,
    locks: usize,
}

impl App {
    /// Runs an action that edits these files, once they are locked. A file that cannot be locked does
    /// not stop the action, which reports it.
    pub(super) fn lock_for(&mut self, mut files: Vec<usize>, action: Action) -> Vec<Effect> {
        files.sort_unstable();
        files.dedup();
        files.retain(|file| self.workspace.files.needs_lock(*file));
        if files.is_empty() {
            return self.run_action(action);
        }
        self.input.waiting = WaitingAction {
            action: Some(action),
            locks: files.len(),
        };
        let lock = |file| Effect::Lock {
            file,
            log: self.workspace.files.log_to_lock(file),
        };
        files.into_iter().map(lock).collect()
    }

    /// Handles the result of trying to lock a file.
    pub(super) fn on_locked(&mut self, file: usize, outcome: LockOutcome) -> Vec<Effect> {
        let is_undecided = matches!(outcome, LockOutcome::Past(..));
        if self.stops_action(file, outcome) {
            self.input.waiting = WaitingAction::default();
            if is_undecided {
                // Nobody may answer the question for hours.
                self.workspace.files.unlock(file);
                return vec![Effect::Unlock { file }];
            }
        }
        self.input.waiting.locks = self.input.waiting.locks.saturating_sub(1);
        if self.input.waiting.locks > 0 {
            return Vec::new();
        }
        match self.input.waiting.action.take() {
            Some(action) => self.run_action(action),
            None => Vec::new(),
        }
    }

    /// Takes over the result of trying to lock a file. Returns true if the action must not go on,
    /// because the user has to see a message or answer a question first.
    fn stops_action(&mut self, file: usize, outcome: LockOutcome) -> bool {
        match self.workspace.files.set_lock(file, outcome) {
            LockOutcome::Ours | LockOutcome::Taken(_) | LockOutcome::Unusable(_) => false,
            LockOutcome::Changed { decided } => {
                if decided && self.workspace.files.offered(file).is_some() {
                    self.workspace.files.decided(file);
                    self.offer_again(file);
                }
                self.on_file_changed(file, false);
                true
            }
            LockOutcome::Past(past, unsaved, damage) => {
                let asked = self.workspace.files.offered(file).is_some();
                self.workspace.files.set_history(file, past, unsaved);
                self.workspace.files.set_damage(file, damage.clone());
                self.take_past(file);
                self.take_arrived_pasts();
                if let Some(damage) = damage {
                    self.complain(damage);
                    // Show it again after the question.
                    self.status.news = true;
                }
                let offers = self.workspace.files.offered(file).is_some();
                if asked || offers {
                    self.offer_again(file);
                }
                asked || offers
            }
            LockOutcome::Damaged(damage) => {
                // The report of an edit would hide this message.
                self.complain(format!("{damage}; nothing was edited"));
                self.workspace.files.set_damage(file, Some(damage));
                true
            }
            LockOutcome::Lost(why) => {
                self.complain(why);
                true
            }
            LockOutcome::Regained(message) => {
                self.complain(format!("nothing was edited: {message}"));
                true
            }
            LockOutcome::Newer => {
                self.workspace.files.set_newer(file, true);
                self.ask_about_newer(file);
                false
            }
        }
    }

    fn run_action(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Command(command, count) => self.run_now(command, count),
            Action::Answer(answer) => self.answer_now(answer),
            Action::AcceptPrompt => self.accept_now(),
        }
    }

    /// True if a dialog can be edited now; otherwise reports why.
    pub(super) fn may_edit(&mut self, at: DialogId) -> bool {
        let file = at.file as usize;
        if !self.may_decide(file) {
            return false;
        }
        if self.workspace.files.offered(file).is_some() {
            self.complain("first decide about the unsaved edits of the last run");
            self.offer_unsaved(file);
            return false;
        }
        true
    }

    /// True if this process may edit a file; otherwise reports why.
    pub(super) fn may_decide(&mut self, file: usize) -> bool {
        if let Err(why) = self.workspace.files.may_edit(file) {
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

    /// Returns the dialog that an edit of the dialog at `at` changes, itself or its vote log, which
    /// is created if missing. Reports why and returns None if it cannot be edited now.
    pub(super) fn edited_at(
        &mut self,
        at: DialogId,
        edit: &Edit,
    ) -> Option<(DialogId, Option<Effect>)> {
        if !self.goes_to_log(at, edit.about()) {
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
        self.workspace.files.link(at);
        let began = self.workspace.files.beginning(log);
        let began =
            began.map(|NewLog { file, name, text }| Effect::JournalBegins { file, name, text });
        Some((log, began))
    }

    /// True if edits of this kind go to the vote log of the dialog at `at`.
    fn goes_to_log(&self, at: DialogId, about: EditKind) -> bool {
        let open = self.workspace.files.get(at.file as usize);
        about == EditKind::Votes && open.is_some_and(OpenFile::may_have_logs)
    }

    /// Returns the log for the votes on the dialog at `at`. The file of the dialog is only read, so
    /// another process may edit it.
    fn log_to_edit(&mut self, at: DialogId) -> Result<DialogId, String> {
        self.workspace.files.may_edit(at.file as usize)?;
        if self.workspace.files.expects_logs() {
            return Err(
                "votes on this corpus are still being read; try again in a moment".to_owned(),
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

    /// Returns the file of the dialog on the screen.
    pub(super) fn file_here(&mut self) -> Vec<usize> {
        self.panes
            .transcript
            .at
            .iter()
            .map(|at| at.file as usize)
            .collect()
    }

    /// Returns the file that a vote on the dialog at `at` changes, the corpus or a log.
    pub(super) fn file_of_votes(&mut self, at: DialogId) -> Vec<usize> {
        if !self.goes_to_log(at, EditKind::Votes) {
            return vec![at.file as usize];
        }
        // Casting the vote reports why there is no log.
        let log = self.log_to_edit(at).ok();
        log.iter().map(|log| log.file as usize).collect()
    }

    /// As [`App::file_of_votes`], for the dialog on the screen.
    pub(super) fn file_of_votes_here(&mut self) -> Vec<usize> {
        match self.panes.transcript.at {
            Some(at) => self.file_of_votes(at),
            None => Vec::new(),
        }
    }

    /// Returns the files that these steps edit.
    pub(super) fn files_of_steps(&self, steps: Range<usize>) -> Vec<usize> {
        let steps = self.workspace.steps.all[steps].iter();
        steps.map(|step| step.at.file as usize).collect()
    }
}
