//! Reverting: takes back a single step and keeps the later ones; also goes to the place of a step.

use std::ops::Range;

use crate::app::core::{App, and_n_more};
use crate::app::feature::editing::undo;
use crate::app::input::Command;
use crate::app::pane::Focus;
use crate::dialog::Edit;
use crate::workspace::{DialogId, RevertedStep, UndoStep};

/// Goes to the place of a step.
pub fn go_to_step(app: &mut App, step: Option<&UndoStep>) {
    let Some(step) = step else {
        return;
    };
    let at = app.workspace.files.judged_in(step.at);
    let (turn, segment) = (step.turn, step.segment);
    app.panes.focus_on(Focus::Transcript);
    app.go_to(at, turn, segment);
}

/// Reverts a step with those joined to it, and keeps the later ones.
pub fn revert_step(app: &mut App, step: usize) {
    if step >= app.workspace.steps.done() {
        app.say("already undone");
        return;
    }
    let Range { start: first, end } = app.workspace.steps.together(step);
    let end = end.min(app.workspace.steps.done());
    let at = app.workspace.steps.all()[first].at;
    if app.workspace.steps.all()[first..end]
        .iter()
        .any(|step| step.at.file != at.file)
    {
        if end == app.workspace.steps.done() {
            return undo::undo(app);
        }
        app.say("this step changed several files: only undo can take it back");
        return;
    }
    if !app.may_edit_all(first..end) {
        return;
    }
    let after: Vec<usize> = (end..app.workspace.steps.done())
        .filter(|i| app.workspace.steps.all()[*i].at.file == at.file)
        .collect();
    let Some(edits) = edits_without(app, first..end, &after) else {
        return;
    };
    let title = app.workspace.steps.all()[first].title.clone();
    let more = and_n_more(app.workspace.steps.further(first..end));
    // Nothing is written to the journal if a later edit depends on the step.
    let mut entries = Vec::new();
    for _ in 0..end - first + after.len() {
        let undone = app.workspace.files.undo(at.file);
        entries.extend(undone.map(|entry| (at, entry)));
    }
    let revisions = app.workspace.files.revisions(at.file);
    // Steps that change nothing without the reverted ones.
    let mut idle = Vec::new();
    for (place, (at, edit)) in edits.iter().enumerate() {
        match app.workspace.files.edit(*at, edit) {
            Ok(true) => {
                let entry = app.journal_entry(&app.workspace.steps.all()[after[place]]);
                entries.extend(entry.map(|entry| (*at, entry)));
            }
            Ok(false) => idle.push(after[place]),
            Err(refused) => {
                // Restore the state before: undo the steps made again, then redo those undone above, so
                // that redo leads on to what was undone before.
                let name = app.workspace.steps.all()[after[place]].title.clone();
                for _ in 0..place - idle.len() {
                    app.workspace.files.undo(at.file);
                }
                app.workspace.files.forget_since(at.file, revisions);
                let undone = end - first + after.len();
                app.workspace.files.redo_next(at.file, undone);
                app.complain(format!("\"{name}\" depends on it: {refused}"));
                return;
            }
        }
    }
    for (at, entry) in entries {
        app.journal(at, entry);
    }
    let again = after.len() - idle.len();
    let before = app.workspace.steps.in_force().to_vec();
    let edits = edits.into_iter().map(|(_, edit)| edit);
    let rebased = after.into_iter().zip(edits).collect();
    app.workspace.remove_steps(first..end, rebased, idle);
    app.workspace
        .files
        .update_summary(app.workspace.files.judged_in(at));
    app.reread();
    let undo = app.key(Command::Undo);
    app.say(format!("reverted: {title}{more}; {undo} restores it"));
    let behind = app.workspace.steps.in_force().to_vec();
    app.workspace.steps.reverted.push(RevertedStep {
        at,
        title,
        steps: end - first,
        before,
        first,
        behind,
        again,
    });
}

/// True if the last action was a revert.
pub fn was_just_reverted(app: &App) -> bool {
    let last = app.workspace.steps.reverted.last();
    last.is_some_and(|last| app.workspace.steps.in_force() == last.behind)
}

/// Re-applies the step that was reverted last.
pub fn reapply_reverted(app: &mut App) {
    let Some(last) = app.workspace.steps.reverted.last().cloned() else {
        return;
    };
    let at = last.at;
    if !app.may_edit(at) {
        return;
    }
    app.workspace.steps.reverted.pop();
    for _ in 0..last.again {
        if let Some(undone) = app.workspace.files.undo(at.file) {
            app.journal(at, undone);
        }
    }
    let steps = last.before[last.first..].iter();
    for step in steps.filter(|step| step.at.file == at.file) {
        // The text is the same as when the edit was first made.
        if let Ok(true) = app.workspace.files.edit(step.at, &step.edit)
            && let Some(entry) = app.journal_entry(step)
        {
            app.journal(step.at, entry);
        }
    }
    app.workspace.steps.set(last.before, Vec::new());
    app.workspace
        .files
        .update_summary(app.workspace.files.judged_in(at));
    app.reread();
    let more = and_n_more(
        app.workspace
            .steps
            .further(last.first..last.first + last.steps),
    );
    app.say(format!("restored: {}{more}", last.title));
}

/// Returns the edits of the steps `after`, rebased to work without the steps `gone`; if one of them
/// depends on a step in `gone`, reports that and returns None.
fn edits_without(
    app: &mut App,
    gone: Range<usize>,
    after: &[usize],
) -> Option<Vec<(DialogId, Edit)>> {
    let mut edits = Vec::new();
    for i in after {
        let step = &app.workspace.steps.all()[*i];
        let of_dialog = app.workspace.steps.all()[gone.clone()]
            .iter()
            .rev()
            .filter(|other| other.at == step.at);
        let mut dropped = of_dialog.map(|other| &other.edit);
        let without = dropped.try_fold(step.edit.clone(), |edit, gone| edit.rebased_without(gone));
        match without {
            Some(edit) => edits.push((step.at, edit)),
            None => {
                let title = step.title.clone();
                app.say(format!("\"{title}\" depends on it: revert that first"));
                return None;
            }
        }
    }
    Some(edits)
}
