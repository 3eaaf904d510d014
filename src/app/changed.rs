//! Files that other programs change while they are open.

use super::editing::{NOW, Step};
use super::files::{OpenFile, State};
use super::msg::{At, Bytes};
use super::{App, Effect, Question};
use crate::corpus::{DialogRef, Index, Lookup, Record};
use crate::dialog::Edit;

/// An edit that is not saved, and of which dialog it is, whatever its position.
struct Unsaved {
    id: String,
    position: u32,
    step: Step,
}

impl App {
    /// A file on the disk is not the one that was read.
    pub(super) fn was_changed(&mut self, file: usize, saving: bool) {
        if saving {
            self.files.set_state(file, State::Ready);
            self.leaving = false;
        } else if self.files.is_outdated(file) {
            // Asked and answered.
            return;
        }
        self.files.set_outdated(file);
        self.ask_once(Question::Changed { file });
    }

    /// A file is open as it is on the disk now: unsaved edits are made again where their dialog still
    /// allows it, and those that do not fit are kept.
    pub(super) fn was_reread(&mut self, file: usize, bytes: Bytes, index: Index) -> Vec<Effect> {
        let unsaved = self.unsaved_edits(file);
        let here = self.transcript.at.filter(|at| at.file as usize == file);
        let id = self.transcript.dialog.id.clone();
        self.files.is_there(file);
        self.files.opened(file, bytes, index, true);
        // What was done to the old text cannot be undone in the new one.
        let done = self.steps.done;
        let mut place = 0;
        self.steps.all.truncate(done);
        self.steps.all.retain(|step| step.at.file as usize != file);
        self.steps.done = self.steps.all.len();
        let (mut entries, mut refused) = (Vec::new(), Vec::new());
        for Unsaved { id, position, step } in unsaved {
            place += 1;
            let at = self.find(file, &id, position);
            match at.map(|at| (at, self.files.edit(at, &step.edit))) {
                Some((at, Ok(()))) => {
                    let when = NOW;
                    let step = Step { at, when, ..step };
                    entries.extend(self.made(&step));
                    self.steps.all.push(step);
                    self.steps.done += 1;
                }
                _ => refused.push((id, position, step.edit)),
            }
        }
        let mut effects = vec![Effect::JournalAnew { file, entries }];
        let name = self.files.name(file);
        let mut said = format!("{name} was read anew");
        match (place, refused.len()) {
            (0, _) => {}
            (1, 0) => said = format!("{said}; your edit fits it"),
            (all, 0) => said = format!("{said}; all {all} unsaved edits fit it"),
            (all, left) => said = format!("{said}; {left} of {all} unsaved edits do not fit it"),
        }
        self.say(said);
        if !refused.is_empty() {
            let records = refused.into_iter().map(record).collect();
            // They are beside before they are struck out of the journal.
            let all = false;
            effects.insert(0, Effect::Keep { file, records, all });
        }
        self.list.rebuild(&self.files);
        if self.files.get(file).is_some_and(OpenFile::is_log) {
            self.reread();
            return effects;
        }
        if let Some(at) = here {
            self.transcript.at = None;
            let again = self
                .find(file, &id, at.dialog)
                .unwrap_or(At { dialog: 0, ..at });
            let turn = self.transcript.turn;
            effects.extend(self.go_to(again, turn, None));
        }
        effects.push(Effect::Outline { file });
        effects
    }

    /// The edits of a file that are in force and not in it.
    fn unsaved_edits(&self, file: usize) -> Vec<Unsaved> {
        let saved = self.saved_steps();
        let in_force = self.steps.all[..self.steps.done].iter().zip(saved);
        let unsaved = in_force.filter(|(step, saved)| !saved && step.at.file as usize == file);
        let described = |(step, _): (&Step, bool)| {
            let outline = self.files.outline(step.at).map(|o| o.id.to_string());
            let read = || Some(self.files.dialog(step.at).ok()??.0.id);
            Unsaved {
                id: outline.or_else(read).unwrap_or_default(),
                position: step.at.dialog,
                step: step.clone(),
            }
        };
        unsaved.map(described).collect()
    }

    /// Where a dialog is now: by its id, or else at its old position if it has none.
    fn find(&self, file: usize, id: &str, position: u32) -> Option<At> {
        let at = At::new(file, position as usize);
        if id.is_empty() {
            return self.files.holds(at).then_some(at);
        }
        let corpus = self.files.corpus(at)?;
        match corpus.find(&DialogRef::Id(id.to_owned())) {
            Ok(Lookup::Found(dialog)) => Some(At::new(file, dialog)),
            _ => None,
        }
    }
}

fn record((id, position, edit): (String, u32, Edit)) -> String {
    let dialog = if id.is_empty() {
        DialogRef::Number(position as usize)
    } else {
        DialogRef::Id(id)
    };
    let file = None;
    Record { file, dialog, edit }.to_string()
}
