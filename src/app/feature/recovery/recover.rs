//! Recovery: takes over the edit history of earlier runs, which can be undone here, and restores,
//! exports or discards the edits that the last run left unsaved.
//!
//! A file is not edited until the user has decided about its unsaved edits: new ones would mix with
//! the old.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::core::{App, EditsToExport, Effect, at};
use crate::app::feature::recovery::restore_edits;
use crate::app::input::Command;
use crate::text::counted;
use crate::workspace::{
    DialogId, EditHistory, JournalEntry, JournalOp, MadeEdit, PastSteps, UndoStep,
};

/// The result of restoring the unsaved edits of a file.
struct Restored {
    /// Number of edits made or undone.
    count: usize,
    /// Number of edits undone that had decided conflicts.
    reopened: usize,
    /// Edits that do not fit now.
    refused: Vec<Arc<MadeEdit>>,
    effect: Effect,
    past: PastSteps,
}

/// Takes over the history that earlier runs left for a file that was just read.
pub fn take_past(app: &mut App, file: usize) {
    let Some(past) = app.workspace.files.take_history(file) else {
        return;
    };
    let steps = past.made.iter().map(|made| step(file, made));
    let saved = past.applied().iter().map(|made| step(file, made));
    app.session.arrived.pasts.push(PastSteps {
        file: file as u32,
        steps: steps.collect(),
        applied_count: past.applied_count,
        saved: saved.collect(),
    });
    app.workspace.files.unasked = true;
}

/// Reports unsaved edits from the last run of a file that cannot be read as dialogs now: they stay in its journal.
pub fn report_kept(app: &mut App, file: usize) {
    let count = app.workspace.files.waiting(file);
    if count > 0 {
        let edits = counted(count, "unsaved edit");
        let name = app.workspace.files.name(file);
        app.complain(format!(
            "{name}: keeping {edits} from the last run until the file can be read again"
        ));
    }
}

/// Restores the unsaved edits from the last run.
pub fn recover(app: &mut App, files: &BTreeSet<usize>) {
    let (mut count, mut refused, mut reopened) = (0, 0, 0);
    let mut pasts = Vec::new();
    let mut lost = Vec::new();
    app.workspace.files.find_judged(files.iter().copied());
    for file in files {
        let Some(again) = make_again(app, *file) else {
            continue;
        };
        count += again.count;
        refused += again.refused.len();
        reopened += again.reopened;
        app.request(again.effect);
        pasts.push(again.past);
        if !again.refused.is_empty() {
            lost.push(app.to_export(*file, &again.refused, 0));
        }
    }
    if pasts.is_empty() {
        return;
    }
    app.workspace.steps.take_past(pasts);
    // Some may decide conflicts.
    app.suggestions.forget(|_| true);
    if !lost.is_empty() {
        let (files, all) = (lost, false);
        app.request(Effect::ExportEdits { files, all });
    }
    if app.panes.transcript.at.is_some() {
        app.reread();
    }
    app.session.changed.restored = true;
    app.panes.list.rebuild(&app.workspace.files);
    let edits = counted(count, "unsaved edit");
    let here = app.panes.transcript.at.map(|at| at.file as usize);
    let is_here = files.iter().all(|file| Some(*file) == here);
    let save = if is_here { Command::Save } else { Command::SaveAll };
    let [save, undo] = [save, Command::Undo].map(|command| app.key(command));
    let mut message = format!("restored {edits} from the last run; {save} saves, {undo} undoes");
    if refused > 0 {
        message = format!("{message}; {refused} could not be restored");
    }
    if reopened > 0 {
        let conflicts = counted(reopened, "conflict");
        message = format!("{message}; decided {conflicts} for our side (not listed again)");
    }
    app.say(message);
}

/// Restores the unsaved edits of a file; None if it cannot be edited now.
fn make_again(app: &mut App, file: usize) -> Option<Restored> {
    let (past, entries) = what_to_decide(app, file)?;
    let after = past.after(&entries);
    let shared = past.shared(&after);
    let of_file = file as u32;
    let undone = past.applied()[shared..].iter().rev().map(|made| &**made);
    let undone = app.workspace.files.undo(of_file, undone);
    let back = past.applied()[past.applied_count - undone..].iter();
    let reopened = back.filter(|made| made.decided_conflict()).count();
    let mut written = vec![JournalEntry::Undo; undone];
    // An earlier edit may be missing, or somebody else may have made one, so the text has to match.
    let is_doubtful = app.workspace.files.doubt(file).is_some();
    let kept = past.made[..past.applied_count - undone].iter();
    let mut steps: Vec<_> = kept.map(|made| step(file, made)).collect();
    let (first, mut applied_count, mut refused) = (steps.len(), steps.len(), Vec::new());
    let edits = &after.made[shared..];
    let places = app.workspace.files.places_of(file, edits, is_doubtful);
    for (number, again) in (shared..).zip(app.make_again(edits, &places, is_doubtful)) {
        match again {
            Ok(Some(made)) => {
                written.push(JournalEntry::Edit(Arc::clone(&made)));
                steps.push(UndoStep::new(file, made));
                applied_count += usize::from(number < after.applied_count);
            }
            Ok(None) => {}
            // An undone edit does not have to fit.
            Err(made) => refused.extend((number < after.applied_count).then_some(made)),
        }
    }
    let ahead = steps[applied_count..].iter().rev().map(|step| &*step.made);
    let ahead = app.workspace.files.undo(of_file, ahead);
    written.extend(vec![JournalEntry::Undo; ahead]);
    let made = steps[first..].iter().map(|step| step.at);
    let undone = past.made[shared..past.applied_count].iter();
    let touched = made.chain(undone.map(|made| at(file, made)));
    for at in touched.collect::<BTreeSet<DialogId>>() {
        app.workspace.files.update_summary(at);
    }
    app.workspace.files.decided(file);
    Some(Restored {
        count: after.changes_since(&past),
        reopened,
        refused,
        effect: Effect::Journal { file, what: JournalOp::Rewrite(written) },
        past: PastSteps {
            file: of_file,
            steps,
            applied_count,
            saved: past.applied().iter().map(|made| step(file, made)).collect(),
        },
    })
}

/// Exports the unsaved edits from the last run.
pub fn export_offered(app: &mut App, files: &BTreeSet<usize>) {
    let kept = files.iter().filter_map(|file| keep_of(app, *file));
    let files: Vec<_> = kept.collect();
    if files.is_empty() {
        return;
    }
    let all = true;
    app.request(Effect::ExportEdits { files, all });
}

fn keep_of(app: &mut App, file: usize) -> Option<EditsToExport> {
    what_to_decide(app, file)?;
    let kept = app.offered_to_export(file)?;
    if kept.records.is_empty() {
        app.say(
            "these edits only undo saved edits and cannot be exported; restore or discard them",
        );
        restore_edits::offer_unsaved(app, file);
        return None;
    }
    Some(kept)
}

/// Handles an export; turnwise stops offering the edits if it covers `all` of them.
pub fn on_exported(app: &mut App, files: &[usize], all: bool, message: String) {
    if !all {
        // Beside the reason, such as that they do not fit a reloaded file.
        app.say_also(message);
        app.status.bad = true;
        return;
    }
    app.say(message);
    for file in files.iter().copied() {
        app.workspace.files.decided(file);
        app.request(Effect::Journal { file, what: JournalOp::Rewrite(Vec::new()) });
    }
}

/// Returns the unsaved edits of a file and the history they follow; None if it cannot be edited
/// now.
pub fn what_to_decide(app: &mut App, file: usize) -> Option<(EditHistory, Vec<JournalEntry>)> {
    app.workspace.files.offered(file)?;
    if !app.may_decide(file) {
        return None;
    }
    let (past, entries) = app.workspace.files.offered(file)?;
    Some((past.clone(), entries.to_vec()))
}

fn step(file: usize, made: &Arc<MadeEdit>) -> UndoStep {
    UndoStep::new(file, Arc::clone(made))
}
