//! Edits that were saved and then undone: their file on the disk still has them, so undoing them is
//! an unsaved change. A new edit makes them unreachable by redo; they are kept so that the Edits tab
//! can re-apply them.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::app::core::app::App;
use crate::app::core::msg::Effect;
use crate::app::pane::item::Item;
use crate::corpus::Revision;
use crate::dialog::Edit;
use crate::workspace::{DialogId, Grouping, OpenFile, THIS_RUN, UndoStep};

/// A step that was undone after it was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoneSave {
    /// Redo reaches it: its position among all steps.
    Redoable(usize),
    /// Redo does not reach it: its position among the orphaned steps.
    Orphaned(usize),
}

impl App {
    /// Keeps those of the dropped steps that are still in their saved files.
    pub fn keep_orphaned(&mut self, steps: Vec<UndoStep>) {
        if steps.is_empty() {
            return;
        }
        let undone: HashSet<_> = self.undone_revisions().into_iter().map(revised).collect();
        let is_undone = |step: &UndoStep| undone.contains(&made(step));
        let kept: Vec<_> = steps.into_iter().filter(is_undone).collect();
        let passed_over = &self.workspace.steps.orphaned;
        let mut known: HashMap<_, Vec<&UndoStep>> = HashMap::new();
        for step in passed_over {
            known.entry(made(step)).or_default().push(step);
        }
        let is_new = |step: &UndoStep| {
            let alike = known.get(&made(step));
            alike.is_none_or(|alike| !alike.contains(&step))
        };
        let new: Vec<_> = kept.into_iter().filter(is_new).collect();
        self.workspace.steps.orphaned.extend(new);
    }

    /// Returns the steps that were undone since they were saved; those of one file in the order in
    /// which they were made.
    pub fn undone_saves(&self) -> Vec<UndoneSave> {
        let revisions = self.undone_revisions();
        if revisions.is_empty() {
            return Vec::new();
        }
        let ahead = self
            .workspace
            .steps
            .all
            .iter()
            .enumerate()
            .skip(self.workspace.steps.done);
        let ahead = ahead.map(|(number, step)| (step, UndoneSave::Redoable(number)));
        let passed_over = self.workspace.steps.orphaned.iter().enumerate();
        let passed_over = passed_over.map(|(number, step)| (step, UndoneSave::Orphaned(number)));
        let mut steps: HashMap<_, VecDeque<UndoneSave>> = HashMap::new();
        for (step, undone) in ahead.chain(passed_over) {
            steps.entry(made(step)).or_default().push_back(undone);
        }
        let step = |revision| steps.get_mut(&revised(revision))?.pop_front();
        revisions.into_iter().filter_map(step).collect()
    }

    fn undone_revisions(&self) -> Vec<(DialogId, &Revision)> {
        let mut undone = Vec::new();
        for file in self.workspace.files.modified() {
            let corpus = self.workspace.files.get(file).and_then(OpenFile::corpus);
            let revisions = corpus.map(|corpus| corpus.history().unsaved().undone);
            let of_file = revisions.into_iter().flatten();
            undone.extend(of_file.map(|revision| (DialogId::new(file, revision.dialog), revision)));
        }
        undone
    }
}

/// Re-applies an orphaned step, where that is still possible.
pub fn reapply_orphaned(app: &mut App, number: usize) -> Vec<Effect> {
    let Some(step) = app.workspace.steps.orphaned.get(number).cloned() else {
        return Vec::new();
    };
    if !app.may_edit(step.at) {
        return Vec::new();
    }
    let mut undone = app.undone_revisions().into_iter();
    let revision = undone.find(|revision| revised(*revision) == made(&step));
    let on = revision.and_then(|(_, revision)| revision.on.clone());
    let mut effects = app.go_to(
        app.workspace.files.judged_in(step.at),
        step.turn,
        step.segment,
    );
    match app
        .workspace
        .files
        .edit_on(step.at, &step.edit, on.as_ref())
    {
        Ok(true) => {
            app.say(format!("re-applied: {}", step.title));
            let (kind, when) = (Grouping::Alone, THIS_RUN);
            effects.extend(app.push_step(UndoStep { kind, when, ..step }));
            let item = Item::Step(app.workspace.steps.done - 1);
            app.panes.details.choose_next(item);
        }
        Ok(false) => app.say("no change"),
        Err(refused) => app.complain(refused.to_string()),
    }
    effects
}

/// Returns the dialog and the edit of a step.
fn made(step: &UndoStep) -> (DialogId, &Edit) {
    (step.at, &step.edit)
}

/// Returns the dialog and the edit of a revision.
fn revised((at, revision): (DialogId, &Revision)) -> (DialogId, &Edit) {
    (at, &revision.edit)
}
