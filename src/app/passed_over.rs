//! Edits that were undone after they were saved: they are still in their file, and so unsaved changes
//! like those that were made. What is done next passes over them: redoing does not lead to them any more.

use super::editing::{Kind, NOW, Step};
use super::msg::At;
use super::{App, Effect};
use crate::app::details::Item;
use crate::corpus::Revision;

/// A step that was undone after it was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undone {
    /// Redoing leads to it: its position among all steps.
    Ahead(usize),
    /// Its position among those that were passed over.
    PassedOver(usize),
}

impl App {
    /// Keeps those of some steps that are still in their files, though they are not in force any more.
    pub(super) fn pass_over(&mut self, steps: Vec<Step>) {
        if steps.is_empty() {
            return;
        }
        let undone = self.undone_revisions();
        let is_undone = |step: &Step| undone.iter().any(|(at, r)| is_of(step, *at, r));
        let kept: Vec<_> = steps.into_iter().filter(is_undone).collect();
        for step in kept {
            if !self.steps.passed_over.contains(&step) {
                self.steps.passed_over.push(step);
            }
        }
    }

    /// The steps that were undone since they were saved, those of one file in the order in which they were
    /// made.
    pub(super) fn undone_saves(&self) -> Vec<Undone> {
        let mut found = Vec::new();
        for (at, revision) in self.undone_revisions() {
            let is_new = |undone: &Undone| !found.contains(undone);
            let ahead = (self.steps.done..self.steps.all.len())
                .filter(|step| is_of(&self.steps.all[*step], at, revision))
                .map(Undone::Ahead)
                .find(is_new);
            let passed_over = || {
                (0..self.steps.passed_over.len())
                    .filter(|step| is_of(&self.steps.passed_over[*step], at, revision))
                    .map(Undone::PassedOver)
                    .find(is_new)
            };
            found.extend(ahead.or_else(passed_over));
        }
        found
    }

    fn undone_revisions(&self) -> Vec<(At, &Revision)> {
        let mut undone = Vec::new();
        for (file, open) in self.files.all().iter().enumerate() {
            let revisions = open
                .corpus()
                .map(|corpus| corpus.history().unsaved().undone);
            let of_file = revisions.into_iter().flatten();
            undone.extend(of_file.map(|revision| (At::new(file, revision.dialog), revision)));
        }
        undone
    }

    /// Makes a step again that was passed over, where that is still possible.
    pub(super) fn make_passed_over(&mut self, number: usize) -> Vec<Effect> {
        let Some(step) = self.steps.passed_over.get(number).cloned() else {
            return Vec::new();
        };
        if !self.may_edit(step.at) {
            return Vec::new();
        }
        let mut undone = self.undone_revisions().into_iter();
        let revision = undone.find(|(at, revision)| is_of(&step, *at, revision));
        let on = revision.and_then(|(_, revision)| revision.on.clone());
        let mut effects = self.go_to(self.files.judged_in(step.at), step.turn, step.segment);
        match self.files.edit_on(step.at, &step.edit, on.as_ref()) {
            Ok(true) => {
                self.say(format!("made again: {}", step.title));
                let (kind, when) = (Kind::Alone, NOW);
                effects.extend(self.take_step(Step { kind, when, ..step }));
                let item = Item::Step(self.steps.done - 1);
                self.details.choose_next(item);
            }
            Ok(false) => self.say("nothing is changed: it says that already"),
            Err(refused) => self.complain(refused.to_string()),
        }
        effects
    }
}

/// True if a revision is what a step has made.
fn is_of(step: &Step, at: At, revision: &Revision) -> bool {
    step.at == at && step.edit == revision.edit
}
