//! The commands for undo and redo. The steps of all files are in [`UndoStack`].
//!
//! [`UndoStack`]: crate::workspace::UndoStack

use std::collections::BTreeSet;
use std::ops::Range;

use crate::app::core::{App, and_n_more};
use crate::app::feature::editing::revert;
use crate::app::pane::Caret;
use crate::workspace::{DialogId, UndoStep};

/// True if there is a step to undo, or one to restore that was just reverted.
pub fn can_undo(app: &App) -> bool {
    !app.workspace.steps.applied().is_empty() || revert::was_just_reverted(app)
}

pub fn can_redo(app: &App) -> bool {
    app.workspace.steps.applied().len() < app.workspace.steps.all().len()
}

/// Undoes the last step with those joined to it, and goes to its place.
pub fn undo(app: &mut App) {
    if revert::was_just_reverted(app) {
        return revert::reapply_reverted(app);
    }
    if last_steps(app).is_empty() {
        app.say("nothing to undo");
        return;
    }
    let Some(steps) = app.lock_steps(last_steps) else {
        return;
    };
    let (first, last) = (steps.start, steps.end - 1);
    let unsaved = app.workspace.unsaved_steps().in_list;
    let unsaved = unsaved.range(first..=last).count();
    let was_saved = unsaved < last + 1 - first;
    let is_of_this_run = app.workspace.steps.all()[first].made.is_of_this_run();
    let past = match (was_saved, is_of_this_run) {
        (true, _) if unsaved > 0 => " · the file keeps the saved part until you save again",
        (true, _) => " · the file keeps the edit until you save again",
        (false, true) => "",
        // It is one of this run's too.
        _ if app.session.redone.is_some_and(|redone| first >= redone) => "",
        (false, false) => ", made in an earlier run",
    };
    if !app.step_to(first) {
        return;
    }
    let step = app.workspace.steps.all()[first].clone();
    return_to(app, &step, first..last + 1);
    let more = and_n_more(app.workspace.steps.further(first..last + 1));
    let title = app.title_of(&step).into_owned();
    let conflict = if step.made.decided_conflict() {
        "; this decides the conflict for our side, so it is not listed again"
    } else {
        ""
    };
    app.say(format!("undone: {title}{more}{past}{conflict}"));
}

/// Returns the steps that are undone next; none if nothing is left.
fn last_steps(app: &App) -> Range<usize> {
    match app.workspace.steps.applied().len() {
        0 => 0..0,
        end => app.workspace.steps.together(end - 1).start..end,
    }
}

/// Returns the steps that are redone next; none if nothing is left.
fn next_steps(app: &App) -> Range<usize> {
    let first = app.workspace.steps.applied().len();
    if first >= app.workspace.steps.all().len() {
        return first..first;
    }
    first..app.workspace.steps.together(first).end
}

/// Redoes the last undone step, together with the steps joined to it.
pub fn redo(app: &mut App) {
    if next_steps(app).is_empty() {
        app.say("nothing to redo");
        return;
    }
    let Some(steps) = app.lock_steps(next_steps) else {
        return;
    };
    let Range { start: first, end } = steps;
    if !app.step_to(end) {
        return;
    }
    app.session.redone = Some(app.session.redone.map_or(first, |redone| redone.min(first)));
    let step = app.workspace.steps.all()[first].clone();
    return_to(app, &step, first..end);
    let more = and_n_more(app.workspace.steps.further(first..end));
    let title = app.title_of(&step).into_owned();
    app.say(format!("redone: {title}{more}"));
}

/// Goes to a step, the first of those that were undone or redone. A caret in the turn stays in it.
fn return_to(app: &mut App, step: &UndoStep, all: Range<usize>) {
    let steps = app.workspace.steps.all()[all].iter();
    let touched: BTreeSet<DialogId> =
        steps.map(|step| app.workspace.files.dialog_of(step.at, step.made.edit())).collect();
    for at in touched {
        app.workspace.files.update_summary(at);
    }
    let at = app.workspace.files.dialog_of(step.at, step.made.edit());
    let here = (app.panes.transcript.at, app.panes.transcript.turn);
    let text = |app: &App| app.panes.transcript.current().map(|turn| turn.text.clone());
    let (caret, before) = (app.panes.transcript.caret, text(app));
    if app.workspace.files.has_dialog(at) {
        app.open(at);
    }
    app.reread();
    app.panes.transcript.go(step.made.turn);
    app.panes.transcript.choose(step.made.segment);
    let stays = here == (Some(at), app.panes.transcript.turn);
    // In another text, its place would be another one.
    let caret = caret
        .filter(|_| stays)
        .map(|caret| Caret { at: if text(app) == before { caret.at } else { 0 }, anchor: None });
    app.panes.transcript.set_caret(caret);
}
