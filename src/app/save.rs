//! Saving files, and the report once all are saved.

use super::files::LoadState;
use super::{App, Effect, Overlay, Question, Status, command};
use crate::text::counted;

/// Files that are being saved together, and the results so far.
#[derive(Clone, Debug, Default)]
pub(super) struct SaveBatch {
    files: usize,
    waiting: usize,
    saved: usize,
    lines: usize,
    /// Notes on saved files, and the reasons why others were not saved.
    notes: Vec<String>,
    /// A save has failed in this run.
    failed: bool,
}

impl SaveBatch {
    /// Adds a file to the batch.
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

    /// Counts a file that is saved or has failed.
    fn done(&mut self) {
        self.waiting = self.waiting.saturating_sub(1);
    }
}

/// The result of saving a file.
#[derive(Clone, Debug, Default)]
pub(super) struct SaveOutcome {
    /// The file was not on disk before.
    pub new: bool,
    /// Lines that changed.
    pub lines: usize,
    /// Why the save may not survive a power failure, if so.
    pub doubt: Option<String>,
    /// The file had other hard links, which still have the old contents.
    pub linked: bool,
}

impl App {
    /// Returns true if a save has failed in this run, so that the next one may too.
    pub fn has_save_failures(&self) -> bool {
        self.saving.failed
    }

    /// Saves the file of the dialog on the screen.
    pub(super) fn save(&mut self) -> Vec<Effect> {
        let Some(at) = self.transcript.at else {
            return Vec::new();
        };
        let logs = self.unsaved_logs(at.file as usize);
        let mut files = Vec::new();
        if logs.is_empty() || self.files.is_modified(at.file as usize) {
            files.push(at.file as usize);
        }
        files.extend(logs);
        self.save_files(files)
    }

    pub(super) fn save_all(&mut self) -> Vec<Effect> {
        let modified: Vec<_> = self.files.modified().collect();
        if modified.is_empty() {
            self.say("there is nothing to save");
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
        let Some(open) = self.files.get(file) else {
            return Vec::new();
        };
        let name = open.name.clone();
        match open.state {
            LoadState::Saving => self.say(format!("{name} is being saved")),
            _ if !self.files.is_modified(file) => {
                let key = self.keymap.shown(&command::SAVE_ALL);
                self.say(if self.files.any_modified() {
                    format!("{name} has no unsaved changes; {key} saves all files")
                } else {
                    format!("{name} has no unsaved changes")
                });
            }
            _ => {
                self.files.set_state(file, LoadState::Saving);
                self.saving.begin();
                self.say(format!("saving {name} …"));
                return vec![save];
            }
        }
        Vec::new()
    }

    /// Reports a saved file.
    pub(super) fn on_saved(&mut self, file: usize, outcome: SaveOutcome) -> Vec<Effect> {
        let SaveOutcome {
            new,
            lines,
            doubt,
            linked,
        } = outcome;
        let name = self.files.name(file);
        let said = if new {
            format!("saved {name}, which is new")
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
                self.tell_of_saving(said);
            }
            Some(note) => {
                self.saving.done();
                self.complain(format!("{said}, but {note}"));
            }
            None => self.tell_of_saving(said),
        }
        self.details.line = None;
        self.details.forget();
        let mut effects = vec![Effect::JournalSaved { file }];
        // All edits were saved while the question was open.
        let asked = matches!(self.overlay, Some(Overlay::Question(Question::Leave)));
        if (self.leaving || asked) && !self.files.any_modified() {
            effects.push(Effect::Quit);
        }
        effects
    }

    /// Reports a file that could not be saved.
    pub(super) fn on_save_failed(&mut self, file: usize, reason: &str) -> Vec<Effect> {
        self.files.set_state(file, LoadState::Ready);
        self.leaving = false;
        self.saving.failed = true;
        let name = self.files.name(file);
        let said = format!("{name} was not saved: {reason}");
        self.saving.notes.push(said.clone());
        self.tell_of_saving(said);
        Vec::new()
    }

    /// Notes that a file cannot be saved until the user decides something.
    pub(super) fn on_save_blocked(&mut self, file: usize) {
        self.files.set_state(file, LoadState::Ready);
        self.leaving = false;
        self.status = Status::default();
        if self.saving.files > 1 {
            self.tell_of_saving(String::new());
        } else {
            self.saving.done();
        }
    }

    /// Reports the result of a single file at once; of several files, a summary when all are done.
    fn tell_of_saving(&mut self, one: String) {
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
            let more = self.files.any_modified() && well;
            let all = self.keymap.shown(&command::SAVE_ALL);
            match (well, more) {
                (true, true) => self.say(format!("{one} · {all} saves all files")),
                (true, false) => self.say(one),
                (false, _) => self.complain(one),
            }
            return;
        }
        if waiting > 0 {
            self.say(format!("saving … {saved} of {files} files are saved"));
            return;
        }
        let lines = lines_changed(lines);
        let said = match saved {
            all if all == files => format!("saved all {files} files: {lines}"),
            some => format!("saved {some} of {files} files: {lines}"),
        };
        let notes = std::mem::take(&mut self.saving.notes);
        match notes.as_slice() {
            [] => self.say(said),
            [note] => self.complain(format!("{said}; {note}")),
            [note, more @ ..] => {
                self.complain(format!("{said}; {note}, and {} more such", more.len()));
            }
        }
    }

    /// Asks about a file that was deleted from disk before it could be saved.
    pub(super) fn on_file_deleted(&mut self, file: usize) {
        self.on_save_blocked(file);
        self.saving.failed = true;
        self.ask_once(Question::FileDeleted { file });
    }

    /// Asks about a file that would lose its owner, or whatever else is `lost`.
    pub(super) fn would_change_owner(&mut self, file: usize, lost: String) {
        self.on_save_blocked(file);
        self.saving.failed = true;
        self.ask_once(Question::OwnerChange { file, lost });
    }

    /// Creates a file that was deleted from disk.
    pub(super) fn rewrite_journals(&mut self, file: usize) -> Vec<Effect> {
        self.files.set_deleted(file, true);
        self.save_file(file)
    }
}

fn lines_changed(lines: usize) -> String {
    format!("{} changed", counted(lines, "line"))
}
