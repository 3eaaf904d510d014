//! Looking back at what was done: going to a step, taking a single one back, and making again what an
//! earlier run had not saved.

use super::editing::{Kind, Step, journal};
use super::msg::{At, Entry};
use super::{App, Effect, Focus, Overlay, Question};
use crate::dialog::Edit;

impl App {
    /// For each step, whether it is in its file as that is saved.
    pub(super) fn saved_steps(&self) -> Vec<bool> {
        let mut seen = vec![0; self.files.len()];
        let mut saved = Vec::with_capacity(self.steps.all.len());
        for (number, step) in self.steps.all.iter().enumerate() {
            let file = step.at.file as usize;
            let depth = self
                .files
                .corpus(step.at)
                .map_or(0, |corpus| corpus.history().saved_depth());
            saved.push(number < self.steps.done && seen[file] < depth);
            seen[file] += 1;
        }
        saved
    }

    /// Goes to where a step was made.
    pub(super) fn go_to_step(&mut self, step: usize) -> Vec<Effect> {
        let Some(step) = self.steps.all.get(step) else {
            return Vec::new();
        };
        let at = self.files.judged_in(step.at);
        let (turn, segment) = (step.turn, step.segment);
        self.focus_on(Focus::Transcript);
        self.go_to(at, turn, segment)
    }

    /// Takes one step back, with those that belong to it, and keeps what was done after it.
    pub(super) fn take_back(&mut self, step: usize) -> Vec<Effect> {
        if step >= self.steps.done {
            self.say("that was undone already");
            return Vec::new();
        }
        let joined = |i: &usize| self.steps.all[*i].kind == Kind::Joined;
        let first = (0..=step).rev().find(|i| !joined(i)).unwrap_or(0);
        let end = (first + 1..self.steps.done)
            .find(|i| !joined(i))
            .unwrap_or(self.steps.done);
        let at = self.steps.all[first].at;
        if let Err(why) = self.files.may_edit(at) {
            self.complain(why);
            return Vec::new();
        }
        let after: Vec<usize> = (end..self.steps.done)
            .filter(|i| self.steps.all[*i].at.file == at.file)
            .collect();
        let Some(edits) = self.edits_without(first..end, &after) else {
            return Vec::new();
        };
        let title = self.steps.all[first].title.clone();
        let mut effects = Vec::new();
        for _ in 0..end - first + after.len() {
            effects.extend(self.files.undo(at.file).map(|entry| journal(at, entry)));
        }
        for (place, (at, edit)) in edits.iter().enumerate() {
            if let Err(refused) = self.files.edit(*at, edit) {
                // As it was: what was made again is undone, and everything made as before.
                let name = self.steps.all[after[place]].title.clone();
                for _ in 0..place {
                    self.files.undo(at.file);
                }
                for i in (first..end).chain(after) {
                    let Step { at, edit, .. } = &self.steps.all[i];
                    if let Some(edit) = edit {
                        let _ = self.files.edit(*at, edit);
                    }
                }
                self.complain(format!("\"{name}\" depends on it: {refused}"));
                return Vec::new();
            }
            let (dialog, edit) = (at.dialog, edit.clone());
            effects.push(journal(*at, Entry::Edit { dialog, edit }));
        }
        for (i, (_, edit)) in after.iter().zip(edits) {
            self.steps.all[*i].edit = Some(edit);
        }
        self.steps.all.truncate(self.steps.done);
        self.steps.all.drain(first..end);
        self.steps.done -= end - first;
        self.files.forget_outline(self.files.judged_in(at));
        self.reread();
        self.say(format!("taken back: {title}"));
        effects
    }

    /// The edits of the steps `after` as they would have been made without the steps `gone`; None if
    /// they depend on them, which is said.
    fn edits_without(
        &mut self,
        gone: std::ops::Range<usize>,
        after: &[usize],
    ) -> Option<Vec<(At, Edit)>> {
        let mut edits = Vec::new();
        for i in after {
            let step = &self.steps.all[*i];
            let of_dialog = self.steps.all[gone.clone()]
                .iter()
                .rev()
                .filter(|other| other.at == step.at);
            let dropped: Option<Vec<_>> = of_dialog.map(|other| other.edit.as_ref()).collect();
            let without = dropped.and_then(|dropped| {
                let edit = step.edit.clone();
                dropped
                    .into_iter()
                    .try_fold(edit?, |edit, dropped| edit.without(dropped))
            });
            match without {
                Some(edit) => edits.push((step.at, edit)),
                None => {
                    let title = step.title.clone();
                    self.say(format!("\"{title}\" was made on it: take that back first"));
                    return None;
                }
            }
        }
        Some(edits)
    }

    /// An earlier run has not saved edits of a file: asked about together with those of others.
    pub(super) fn ask_to_recover(&mut self, file: usize, entries: Vec<Entry>) {
        let open = match &mut self.overlay {
            Some(Overlay::Question(question)) => Some(question),
            _ => None,
        };
        let recover = |question| match question {
            &mut Question::Recover { ref mut files } => Some(files),
            _ => None,
        };
        let asked = open
            .into_iter()
            .chain(&mut self.questions)
            .find_map(recover);
        match asked {
            Some(files) => files.push((file, entries)),
            None => {
                let files = vec![(file, entries)];
                self.questions.push_back(Question::Recover { files });
            }
        }
    }

    /// Edits of an earlier run that were not saved are made again.
    pub(super) fn recover(&mut self, files: &[(usize, Vec<Entry>)]) -> Vec<Effect> {
        let refused = files
            .iter()
            .map(|(file, entries)| self.make_again(*file, entries));
        let refused: usize = refused.sum();
        if self.transcript.at.is_some() {
            self.reread();
        }
        self.count_unsaved_votes();
        self.list.rebuild(&self.files);
        let count: usize = files
            .iter()
            .map(|(_, entries)| Entry::in_force(entries))
            .sum();
        let edits = if count == 1 { "edit" } else { "edits" };
        let mut said =
            format!("{count} unsaved {edits} of the last run back; Ctrl-S saves, u undoes");
        if refused > 0 {
            said = format!("{said}; {refused} did not fit any more");
        }
        self.say(said);
        Vec::new()
    }

    /// Makes what was written down of a file again; how much of it does not fit any more.
    fn make_again(&mut self, file: usize, entries: &[Entry]) -> usize {
        self.files.find_judged(file);
        let mut refused = 0;
        for entry in entries {
            let at = |dialog: u32| At {
                file: file as u32,
                dialog,
            };
            let (good, step) = match entry {
                Entry::Edit { dialog, edit } => {
                    let at = at(*dialog);
                    let good = self.files.holds(at) && self.files.edit(at, edit).is_ok();
                    (
                        good,
                        Some((at, edit.turn(), edit.title(), Some(edit.clone()))),
                    )
                }
                Entry::Says { dialog, text } => {
                    let at = at(*dialog);
                    let good = self.files.holds(at) && self.files.replace(at, text);
                    (
                        good,
                        Some((at, 0, "undone what was saved".to_owned(), None)),
                    )
                }
                Entry::New { .. } => continue,
                Entry::Undo => {
                    let good = self.files.undo(file as u32).is_some();
                    self.steps.done -= usize::from(good);
                    (good, None)
                }
            };
            if let (true, Some((at, turn, title, edit))) = (good, step) {
                self.steps.all.truncate(self.steps.done);
                self.steps.all.push(Step {
                    at,
                    turn,
                    segment: None,
                    title,
                    edit,
                    kind: Kind::Alone,
                });
                self.steps.done += 1;
                self.files.forget_outline(self.files.judged_in(at));
            }
            refused += usize::from(!good);
        }
        refused
    }
}
