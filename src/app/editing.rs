//! Making edits, taking them back, and saving.
//!
//! Each file keeps its own revisions; the order over all files is kept here, so that undoing goes
//! back through what was done, wherever it was done.

use super::files::State;
use super::msg::{At, Entry};
use super::{App, Effect};
use crate::dialog::Edit;

/// An edit that was made, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub at: At,
    pub turn: usize,
    pub segment: Option<usize>,
    /// What it did, in a few words: "end 55 → 54 in turn 7".
    pub title: String,
    /// None if a whole text was put in the place of the dialog's.
    pub(super) edit: Option<Edit>,
    pub(super) kind: Kind,
}

/// How a step stands to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Alone,
    /// Moves one edge of one segment; several such in a row are one step.
    Nudge,
    /// Undone and redone with the step before it.
    Joined,
}

/// What was done, in order.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    pub all: Vec<Step>,
    /// So many of them are in force; the others were undone.
    pub done: usize,
}

impl App {
    /// Makes an edit of the dialog on the screen. False if it was refused, which is said.
    pub(super) fn edit(&mut self, edit: &Edit, title: String) -> (bool, Vec<Effect>) {
        self.make(edit, title, Kind::Alone)
    }

    /// Moves an edge of a segment; part of the step before if that moved the same segment.
    pub(super) fn nudge(&mut self, edit: &Edit, title: String) -> (bool, Vec<Effect>) {
        self.make(edit, title, Kind::Nudge)
    }

    /// Makes an edit that is one with the edit just made.
    pub(super) fn edit_too(&mut self, edit: &Edit, title: String) -> (bool, Vec<Effect>) {
        self.make(edit, title, Kind::Joined)
    }

    pub(super) fn make(&mut self, edit: &Edit, title: String, kind: Kind) -> (bool, Vec<Effect>) {
        let Some(shown) = self.transcript.at else {
            self.complain("there is no dialog to edit");
            return (false, Vec::new());
        };
        let (at, began) = match self.edited_at(shown, edit) {
            Ok(place) => place,
            Err(why) => {
                self.complain(why);
                return (false, Vec::new());
            }
        };
        let (turn, segment) = (self.transcript.turn, self.transcript.segment);
        let step = Step {
            at,
            turn,
            segment,
            title,
            edit: Some(edit.clone()),
            kind,
        };
        let last = self.steps.all.get(self.steps.done.wrapping_sub(1));
        let same =
            |l: &Step| l.kind == Kind::Nudge && (l.at, l.turn, l.segment) == (at, turn, segment);
        let merges = kind == Kind::Nudge && last.is_some_and(same);
        let mut effects: Vec<_> = began.into_iter().collect();
        if merges && let Some(entry) = self.files.undo(at.file) {
            effects.push(journal(at, entry));
            self.steps.done -= 1;
        }
        match self.files.edit(at, edit) {
            Ok(()) => {
                self.steps.all.truncate(self.steps.done);
                self.steps.all.push(step);
                self.steps.done += 1;
                effects.push(journal(
                    at,
                    Entry::Edit {
                        dialog: at.dialog,
                        edit: edit.clone(),
                    },
                ));
                self.reread();
                (true, effects)
            }
            Err(refused) => {
                if merges {
                    // The step before stands again.
                    let entry = self.files.redo(at.file);
                    self.steps.done += usize::from(entry.is_some());
                    effects.extend(entry.map(|entry| journal(at, entry)));
                }
                self.complain(refused.to_string());
                (false, effects)
            }
        }
    }

    /// Takes the last step back and goes to where it was made.
    pub(super) fn undo(&mut self) -> Vec<Effect> {
        let Some(step) = self
            .steps
            .done
            .checked_sub(1)
            .map(|last| self.steps.all[last].clone())
        else {
            self.say("there is nothing to undo");
            return Vec::new();
        };
        if let Err(why) = self.files.may_edit(step.at) {
            self.complain(why);
            return Vec::new();
        }
        let Some(entry) = self.files.undo(step.at.file) else {
            self.complain("the dialog cannot be read any more; nothing was undone");
            return Vec::new();
        };
        self.steps.done -= 1;
        let mut effects = vec![journal(step.at, entry)];
        if step.kind == Kind::Joined {
            effects.extend(self.undo());
            return effects;
        }
        effects.extend(self.return_to(&step));
        self.say(format!("undone: {}", step.title));
        effects
    }

    /// Makes the step again that was undone last.
    pub(super) fn redo(&mut self) -> Vec<Effect> {
        let Some(step) = self.steps.all.get(self.steps.done).cloned() else {
            self.say("there is nothing to redo");
            return Vec::new();
        };
        if let Err(why) = self.files.may_edit(step.at) {
            self.complain(why);
            return Vec::new();
        }
        let Some(entry) = self.files.redo(step.at.file) else {
            self.complain("the dialog cannot be read any more; nothing was redone");
            return Vec::new();
        };
        self.steps.done += 1;
        let mut effects = vec![journal(step.at, entry)];
        let next = self.steps.all.get(self.steps.done);
        if next.is_some_and(|next| next.kind == Kind::Joined) {
            effects.extend(self.redo());
            return effects;
        }
        effects.extend(self.return_to(&step));
        self.say(format!("redone: {}", step.title));
        effects
    }

    fn return_to(&mut self, step: &Step) -> Vec<Effect> {
        let effects = self.open(self.files.judged_in(step.at));
        self.reread();
        self.transcript.go(step.turn);
        self.transcript.choose(step.segment);
        self.set_caret(None);
        effects
    }

    /// Shows the dialog on the screen as it is after an edit; the reader stays where he is.
    pub(super) fn reread(&mut self) {
        let Some(at) = self.transcript.at else {
            return;
        };
        self.files.forget_outline(at);
        if let Ok(Some((mut dialog, _))) = self.files.dialog(at) {
            for (new, old) in dialog
                .turns
                .iter_mut()
                .zip(&mut self.transcript.dialog.turns)
            {
                // What a detector said came from another file.
                if new.detections.is_empty() {
                    new.detections = std::mem::take(&mut old.detections);
                }
            }
            self.transcript.dialog = dialog;
            self.transcript.problems = self.problems_in(at);
        }
        self.count_votes();
        let segment = self.transcript.segment;
        self.transcript.mark(self.search.query.as_ref());
        self.transcript.choose(segment);
        self.details.forget();
    }

    /// Saves the file of the dialog on the screen.
    pub(super) fn save(&mut self) -> Vec<Effect> {
        let Some(at) = self.transcript.at else {
            return Vec::new();
        };
        let logs = self.unsaved_logs(at.file as usize);
        let mut effects = Vec::new();
        if logs.is_empty() || self.files.is_modified(at.file as usize) {
            effects = self.save_file(at.file as usize);
        }
        effects.extend(logs.into_iter().flat_map(|log| self.save_file(log)));
        effects
    }

    pub(super) fn save_all(&mut self) -> Vec<Effect> {
        let modified: Vec<_> = (0..self.files.len())
            .filter(|file| self.files.is_modified(*file))
            .collect();
        if modified.is_empty() {
            self.say("there is nothing to save");
        }
        modified
            .into_iter()
            .flat_map(|file| self.save_file(file))
            .collect()
    }

    fn save_file(&mut self, file: usize) -> Vec<Effect> {
        let Some(open) = self.files.get(file) else {
            return Vec::new();
        };
        let name = open.name.clone();
        match open.state {
            State::Saving => self.say(format!("{name} is being saved")),
            _ if !self.files.is_modified(file) => {
                self.say(format!("{name} has no unsaved changes"));
            }
            _ => {
                self.files.set_state(file, State::Saving);
                self.say(format!("saving {name} …"));
                return vec![Effect::Save { file }];
            }
        }
        Vec::new()
    }

    /// A file was saved.
    pub(super) fn was_saved(
        &mut self,
        (file, new): (usize, bool),
        lines: usize,
        doubt: Option<&str>,
    ) -> Vec<Effect> {
        let name = self.files.get(file).map_or("", |open| open.name.as_str());
        let said = if new {
            format!("saved {name}, which is new")
        } else {
            let s = if lines == 1 { "" } else { "s" };
            format!("saved {name}: {lines} line{s} changed")
        };
        match doubt {
            None => self.say(said),
            Some(doubt) => self.complain(format!(
                "{said}, but they may not survive a power failure: {doubt}"
            )),
        }
        self.details.line = None;
        self.details.forget();
        let mut effects = vec![Effect::DropJournal { file }];
        if self.leaving && !self.files.any_modified() {
            effects.push(Effect::Quit);
        }
        effects
    }

    /// A file could not be saved.
    pub(super) fn was_not_saved(&mut self, file: usize, reason: &str) -> Vec<Effect> {
        self.files.set_state(file, State::Ready);
        self.leaving = false;
        let name = self.files.get(file).map_or("", |open| open.name.as_str());
        self.complain(format!("{name} was not saved: {reason}"));
        Vec::new()
    }
}

pub(super) fn journal(at: At, entry: Entry) -> Effect {
    Effect::Journal {
        file: at.file as usize,
        entry,
    }
}
