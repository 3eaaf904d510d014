//! Saving one file or several, and the report once all are done.

use super::{App, Effect, Status, command};
use crate::text::counted;
use crate::workspace::LoadState;

/// The files of one save command, and their results so far.
#[derive(Clone, Debug, Default)]
pub(super) struct SaveBatch {
    files: usize,
    waiting: usize,
    saved: usize,
    lines: usize,
    /// Warnings about saved files, and errors of the others.
    notes: Vec<String>,
    /// True if a save has failed since the start.
    failed: bool,
}

impl SaveBatch {
    /// Adds a file to save.
    fn begin(&mut self) {
        if self.waiting == 0 {
            *self = Self {
                failed: self.failed,
                ..Self::default()
            };
        }
        self.files += 1;
        self.waiting += 1;
    }

    /// Counts a file as done, saved or not.
    fn done(&mut self) {
        self.waiting = self.waiting.saturating_sub(1);
    }
}

/// The result of a save.
#[derive(Clone, Debug, Default)]
pub(super) struct SaveOutcome {
    /// True if the file is new on the disk.
    pub new: bool,
    /// Number of changed lines.
    pub lines: usize,
    /// The reason why it may not survive a power failure, if any.
    pub doubt: Option<String>,
    /// The old file has other hard links, which keep the old text.
    pub linked: bool,
}

impl App {
    /// True if a save has failed since the start, so that another may fail too.
    pub fn has_save_failures(&self) -> bool {
        self.saving.failed
    }

    /// Saves the file of the open dialog, and the vote logs of its file.
    pub(super) fn save(&mut self) -> Vec<Effect> {
        let Some(at) = self.panes.transcript.at else {
            return Vec::new();
        };
        let logs = self.unsaved_logs(at.file as usize);
        let mut files = Vec::new();
        if logs.is_empty() || self.workspace.files.is_modified(at.file as usize) {
            files.push(at.file as usize);
        }
        files.extend(logs);
        self.save_files(files)
    }

    pub(super) fn save_all(&mut self) -> Vec<Effect> {
        let modified: Vec<_> = self.workspace.files.modified().collect();
        if modified.is_empty() {
            self.say("nothing to save");
        }
        self.save_files(modified)
    }

    pub(super) fn save_file(&mut self, file: usize) -> Vec<Effect> {
        self.save_file_by(file, Effect::Save { file })
    }

    /// Saves a file even if its owner changes.
    pub(super) fn save_changing_owner(&mut self, file: usize) -> Vec<Effect> {
        self.save_file_by(file, Effect::SaveChangingOwner { file })
    }

    fn save_file_by(&mut self, file: usize, save: Effect) -> Vec<Effect> {
        let Some(open) = self.workspace.files.get(file) else {
            return Vec::new();
        };
        let name = open.name.clone();
        match open.state {
            LoadState::Saving => self.say(format!("{name} is being saved")),
            _ if !self.workspace.files.is_modified(file) => {
                let key = self.input.keymap.shown(&command::SAVE_ALL);
                self.say(if self.workspace.files.any_modified() {
                    format!("{name} has no unsaved changes; {key} saves all files")
                } else {
                    format!("{name} has no unsaved changes")
                });
            }
            _ => {
                self.workspace.files.set_state(file, LoadState::Saving);
                self.saving.begin();
                self.say(format!("saving {name} …"));
                return vec![save];
            }
        }
        Vec::new()
    }

    /// Handles a successful save.
    pub(super) fn on_saved(&mut self, file: usize, outcome: SaveOutcome) -> Vec<Effect> {
        let SaveOutcome {
            new,
            lines,
            doubt,
            linked,
        } = outcome;
        let name = self.workspace.files.name(file);
        let message = if new {
            format!("saved {name} as a new file")
        } else {
            format!("saved {name}: {}", lines_changed(lines))
        };
        self.saving.saved += 1;
        self.saving.lines += lines;
        let note = match doubt {
            Some(doubt) => Some(format!("may not survive a power failure: {doubt}")),
            None => linked.then(|| "its other hard links keep the old text".to_owned()),
        };
        match note {
            Some(note) if self.saving.files > 1 => {
                let note = format!("{name}: {note}");
                self.saving.notes.push(note);
                self.report_save(message);
            }
            Some(note) => {
                self.saving.done();
                self.complain(format!("{message}, but {note}"));
            }
            None => self.report_save(message),
        }
        self.panes.details.line = None;
        self.panes.details.forget();
        let mut effects = vec![Effect::JournalSaved { file }];
        effects.extend(self.quit_once_saved());
        effects
    }

    /// Handles a failed save.
    pub(super) fn on_save_failed(&mut self, file: usize, reason: &str) -> Vec<Effect> {
        self.workspace.files.set_state(file, LoadState::Ready);
        self.session.leaving = false;
        self.saving.failed = true;
        let name = self.workspace.files.name(file);
        let message = format!("{name} was not saved: {reason}");
        self.saving.notes.push(message.clone());
        self.report_save(message);
        Vec::new()
    }

    /// Handles a save that needs an answer from the user first.
    pub(super) fn on_save_blocked(&mut self, file: usize) {
        self.workspace.files.set_state(file, LoadState::Ready);
        self.session.leaving = false;
        self.status = Status::default();
        if self.saving.files > 1 {
            self.report_save(String::new());
        } else {
            self.saving.done();
        }
    }

    /// Handles a save that would do what the user may not want.
    pub(super) fn on_save_refused(&mut self, file: usize) {
        self.on_save_blocked(file);
        self.saving.failed = true;
    }

    /// Reports a save: `one` for a single file, and for several a summary once all are done.
    fn report_save(&mut self, one: String) {
        self.saving.done();
        let SaveBatch {
            files,
            waiting,
            saved,
            lines,
            ..
        } = self.saving;
        let well = self.saving.notes.is_empty();
        if files <= 1 {
            let more = self.workspace.files.any_modified() && well;
            let all = self.input.keymap.shown(&command::SAVE_ALL);
            match (well, more) {
                (true, true) => self.say(format!("{one} · {all} saves all files")),
                (true, false) => self.say(one),
                (false, _) => self.complain(one),
            }
            return;
        }
        if waiting > 0 {
            self.say(format!("saving … {saved} of {files} files saved"));
            return;
        }
        let lines = lines_changed(lines);
        let message = match saved {
            all if all == files => format!("saved all {files} files: {lines}"),
            some => format!("saved {some} of {files} files: {lines}"),
        };
        let notes = std::mem::take(&mut self.saving.notes);
        match notes.as_slice() {
            [] => self.say(message),
            [note] => self.complain(format!("{message}; {note}")),
            [note, more @ ..] => {
                self.complain(format!("{message}; {note}, and {} more", more.len()));
            }
        }
    }
}

fn lines_changed(lines: usize) -> String {
    format!("{} changed", counted(lines, "line"))
}
