//! Reverting: takes back a single step and keeps the later ones; also goes to the place of a step.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use crate::app::core::{App, and_n_more};
use crate::app::feature::editing::undo;
use crate::app::input::Command;
use crate::app::pane::Focus;
use crate::compare::carried_edits;
use crate::dialog::{Dialog, Edit};
use crate::workspace::{DialogId, JournalEntry, RevertedStep, UndoStep};

/// Goes to the place of a step.
pub fn go_to_step(app: &mut App, step: Option<&UndoStep>) {
    let Some(step) = step else {
        return;
    };
    let at = app.workspace.files.dialog_of(step.at, step.made.edit());
    let (turn, segment) = (turn_now(app, step), step.made.segment);
    app.panes.focus_on(Focus::Transcript);
    app.go_to(at, turn, segment);
}

/// Returns where the turn of a step is after the later steps.
fn turn_now(app: &App, step: &UndoStep) -> usize {
    let applied = app.workspace.steps.applied();
    let own = applied.iter().position(|other| other == step);
    let later = own.map_or(&[][..], |own| &applied[own + 1..]);
    let later = later.iter().filter(|later| later.at == step.at);
    later.fold(step.made.turn, |turn, later| later.made.edit().turn_after(turn).unwrap_or(turn))
}

/// Reverts a step with those joined to it, and keeps the later ones.
pub fn revert_step(app: &mut App, step: usize) {
    if step >= app.workspace.steps.applied().len() {
        app.say("already undone");
        return;
    }
    let Range { start: first, end } = app.workspace.steps.together(step);
    let end = end.min(app.workspace.steps.applied().len());
    let at = app.workspace.steps.all()[first].at;
    if app.workspace.steps.all()[first..end].iter().any(|step| step.at.file != at.file) {
        if end == app.workspace.steps.applied().len() {
            return undo::undo(app);
        }
        app.say("this step changed several files: it can only be undone, not reverted");
        return;
    }
    let chosen = app.workspace.steps.all()[step].clone();
    let chosen_now = |app: &App| {
        let is_there = app.workspace.steps.all().get(step) == Some(&chosen);
        if is_there { first..end } else { 0..0 }
    };
    let Some(locked) = app.lock_steps(chosen_now) else {
        return;
    };
    if locked.is_empty() {
        app.complain("the list now has edits of another run; select an edit again");
        return;
    }
    let after: Vec<usize> = (end..app.workspace.steps.applied().len())
        .filter(|i| app.workspace.steps.all()[*i].at.file == at.file)
        .collect();
    let steps = app.workspace.steps.all();
    let title = app.title_of(&steps[first]).into_owned();
    let more = and_n_more(app.workspace.steps.further(first..end));
    let later: Vec<_> = after.iter().map(|step| steps[*step].clone()).collect();
    let gone = steps[first..end].to_vec();
    let undone = [&gone[..], &later].concat();
    if !undo_all(app, &later) {
        return;
    }
    let with = dialogs_of(app, &later);
    if !undo_all(app, &gone) {
        return redo_all(app, &later);
    }
    let without = dialogs_of(app, &later);
    let edits = match edits_without(&later, &with, &without) {
        Ok(edits) => edits,
        Err(step) => {
            redo_all(app, &undone);
            let title = app.title_of(step);
            return app.say(format!("first revert \"{title}\", which depends on this edit"));
        }
    };
    // The later steps as they are made again; None for those that change nothing without the reverted ones.
    let mut again = Vec::new();
    for (step, edit) in after.iter().zip(&edits) {
        let later = app.workspace.steps.all()[*step].clone();
        match app.workspace.files.edit(later.at, edit) {
            Ok(change) => {
                again.push((*step, change.map(|change| Arc::new(later.made.with(change)))));
            }
            Err(refused) => {
                let made_again = again.iter().rev().filter_map(|(_, made)| made.as_deref());
                app.workspace.files.undo(at.file, made_again);
                redo_all(app, &undone);
                let title = app.title_of(&later);
                app.complain(format!("not reverted: \"{title}\" needs this edit ({refused})"));
                return;
            }
        }
    }
    for step in undone.iter().rev() {
        app.journal(at, JournalEntry::Undo);
        app.follow_turns(step.at, step.made.edit(), false);
    }
    let made_again: Vec<_> = again.iter().filter_map(|(_, made)| made.clone()).collect();
    let count = made_again.len();
    for made in made_again {
        let of = DialogId { dialog: made.change.dialog as u32, ..at };
        app.follow_turns(of, made.edit(), true);
        app.journal(at, JournalEntry::Edit(made));
    }
    let before = app.workspace.steps.applied().to_vec();
    app.workspace.steps.remove(first..end, again);
    app.workspace.files.update_summary(app.workspace.files.judged_in(at));
    app.reread();
    let undo = app.key(Command::Undo);
    app.say(format!("reverted: {title}{more}; {undo} restores it"));
    let behind = app.workspace.steps.applied().to_vec();
    app.workspace.steps.reverted.push(RevertedStep {
        at,
        title,
        steps: end - first,
        before,
        first,
        behind,
        again: count,
    });
}

/// Undoes steps of one file, the last one first, without moving the cursor of undo. False if that fails: then
/// it has changed nothing, and says so.
fn undo_all(app: &mut App, steps: &[UndoStep]) -> bool {
    let Some(file) = steps.first().map(|step| step.at.file) else {
        return true;
    };
    let undone = steps.iter().rev().map(|step| &*step.made);
    let undone = app.workspace.files.undo(file, undone);
    if undone < steps.len() {
        redo_all(app, &steps[steps.len() - undone..]);
        app.complain("not reverted: the dialog cannot be read");
    }
    undone == steps.len()
}

/// Makes undone steps of one file again.
fn redo_all(app: &mut App, steps: &[UndoStep]) {
    if let Some(file) = steps.first().map(|step| step.at.file) {
        let again = steps.iter().map(|step| &*step.made);
        app.workspace.files.redo(file, again);
    }
}

/// True if the last action was a revert.
pub fn was_just_reverted(app: &App) -> bool {
    let last = app.workspace.steps.reverted.last();
    last.is_some_and(|last| app.workspace.steps.applied() == last.behind)
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
    let of_file = |step: &&UndoStep| step.at.file == at.file;
    let later: Vec<_> = last.behind.iter().filter(of_file).cloned().collect();
    if !undo_all(app, &later[later.len() - last.again..]) {
        return;
    }
    app.workspace.steps.reverted.pop();
    for step in later[later.len() - last.again..].iter().rev() {
        app.journal(at, JournalEntry::Undo);
        app.follow_turns(step.at, step.made.edit(), false);
    }
    // The text is the same as when the edits were first made.
    let steps: Vec<_> = last.before[last.first..].iter().filter(of_file).cloned().collect();
    redo_all(app, &steps);
    for step in steps {
        app.follow_turns(step.at, step.made.edit(), true);
        app.journal(at, JournalEntry::Edit(step.made));
    }
    app.workspace.steps.set(last.before, Vec::new());
    app.workspace.files.update_summary(app.workspace.files.judged_in(at));
    app.reread();
    let more = and_n_more(app.workspace.steps.further(last.first..last.first + last.steps));
    app.say(format!("restored: {}{more}", last.title));
}

/// Returns the dialogs of steps as they are now, as far as they can be read.
fn dialogs_of(app: &App, steps: &[UndoStep]) -> BTreeMap<DialogId, Dialog> {
    let all: BTreeSet<_> = steps.iter().map(|step| step.at).collect();
    let read = |at| Some((at, app.workspace.files.dialog(at).ok()??.0));
    all.into_iter().filter_map(read).collect()
}

/// Returns the edits of steps, made on the dialogs `with` what is reverted, as edits of those `without` it.
///
/// # Errors
/// The first step that depends on it.
fn edits_without<'s>(
    steps: &'s [UndoStep],
    with: &BTreeMap<DialogId, Dialog>,
    without: &BTreeMap<DialogId, Dialog>,
) -> Result<Vec<Edit>, &'s UndoStep> {
    let mut edits = BTreeMap::new();
    let all: BTreeSet<_> = steps.iter().map(|step| step.at).collect();
    for at in all {
        let own = steps.iter().enumerate().filter(|(_, step)| step.at == at);
        let own: Vec<_> = own.collect();
        let made: Vec<_> = own.iter().map(|(_, step)| step.made.edit().clone()).collect();
        let carried = match (with.get(&at), without.get(&at)) {
            (Some(before), Some(after)) => carried_edits(&made, before, after),
            _ => Err(0),
        };
        let carried = carried.map_err(|number| own[number].1)?;
        edits.extend(own.iter().map(|(number, _)| *number).zip(carried));
    }
    // In the order of the steps.
    Ok(edits.into_values().collect())
}
