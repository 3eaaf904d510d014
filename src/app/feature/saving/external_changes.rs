//! Open files that other programs change or delete.

use std::sync::Arc;

use crate::app::core::{App, Effect};
use crate::app::feature::saving::changed_on_disk::ReloadChanged;
use crate::app::feature::saving::{changed_on_disk, save_file};
use crate::app::pane::Pinned;
use crate::corpus::{Bytes, Contents, Index};
use crate::text::counted;
use crate::workspace::{DialogId, JournalEntry, JournalOp, MadeEdit, OpenFile, Outdated, UndoStep};

/// Reports that a file on the disk differs from the one that was read; `saving` if a save was blocked.
pub fn on_file_changed(app: &mut App, file: usize, saving: bool) {
    if saving {
        save_file::on_save_blocked(app, file);
    } else if app.workspace.files.outdated(file) == Outdated::Reported {
        // The user has answered already.
        return;
    } else if app.workspace.files.is_saving(file) {
        // Perhaps this program changed it. If not, the save fails and says so.
        return;
    } else if app.workspace.files.is_followed(file) {
        app.request(Effect::Reload { file });
        return;
    } else if is_elsewhere(app, file) {
        // No question while the user reads another file.
        if app.workspace.files.set_outdated(file, Outdated::Unreported) {
            let name = app.workspace.files.name(file);
            app.complain(format!(
                "{name} was changed by another program; you will be asked when you open it"
            ));
        }
        return;
    }
    app.workspace.files.set_outdated(file, Outdated::Reported);
    app.workspace.files.set_deleted(file, false);
    app.ask_once(ReloadChanged { file });
}

/// After an edit was refused: offers to reload the file if another program has changed it, or looks whether one has.
pub fn on_edit_refused(app: &mut App, file: usize) {
    if app.workspace.files.outdated(file) == Outdated::Reported {
        app.ask_once(ReloadChanged { file });
    } else {
        app.check_files();
    }
}

/// Reports that a file was deleted. Its dialogs stay readable, unless it is one of very many, which are not kept open.
pub fn on_file_missing(app: &mut App, file: usize) {
    if app.workspace.files.set_outdated(file, Outdated::Missing) {
        let name = app.workspace.files.name(file);
        app.complain(format!("{name} was deleted from disk; saving an edit creates it again"));
    }
}

/// True if the screen shows a dialog of another file; always false for vote logs.
fn is_elsewhere(app: &App, file: usize) -> bool {
    let here = app.panes.transcript.at.map(|at| at.file as usize);
    here != Some(file) && !app.workspace.files.get(file).is_some_and(OpenFile::is_log)
}

/// True if a session was read again while another program wrote it: its text ends too early, and earlier than what was
/// read before.
fn is_half_written(app: &App, file: usize, index: &Index) -> bool {
    let files = &app.workspace.files;
    let end = |index: &Index| index.pieces.last().map_or(0, |piece| piece.end);
    let open = files.get(file).filter(|open| open.may_grow());
    let Some(before) = open.and_then(OpenFile::corpus) else {
        return false;
    };
    let is_shorter = end(index) < end(before.index());
    let is_whole = match index.contents {
        Contents::Dialogs(_) => index.error.is_none() || !is_shorter,
        _ => false,
    };
    !is_whole && files.is_followed(file) && !files.has_failed(file)
}

/// Reloads the file of the dialog on the screen, changed or not, and files that could not be read.
pub fn reload(app: &mut App) {
    let here = app.panes.transcript.at.map(|at| at.file as usize);
    let failed =
        || (0..app.workspace.files.len()).find(|file| app.workspace.files.has_failed(*file));
    let Some(file) = here.or_else(failed) else {
        app.say("no file is open");
        return;
    };
    if app.workspace.files.is_new(file) {
        app.say("this file is not on disk yet");
        return;
    }
    // The user cannot select files that could not be read, so they are always included.
    let failed = |other: &usize| app.workspace.files.has_failed(*other);
    let others: Vec<_> =
        (0..app.workspace.files.len()).filter(|other| *other != file).filter(failed).collect();
    match app.workspace.files.check_editable(file) {
        Err(why) if !app.workspace.files.has_failed(file) => app.complain(why),
        _ => app.request(Effect::Reload { file }),
    }
    for file in others {
        app.request(Effect::Reload { file });
    }
}

/// Takes over a reloaded file: reapplies the unsaved edits that still fit their dialogs, and exports
/// those that do not.
pub fn on_file_reloaded(app: &mut App, file: usize, bytes: Bytes, index: Index) {
    // Another program may have changed it while it was read.
    changed_on_disk::withdraw_reload(app, file);
    if is_half_written(app, file, &index) {
        // It is read again as soon as it changes.
        let name = app.workspace.files.name(file);
        let status = format!("{name} is being written; its last complete state is shown");
        return app.complain(status);
    }
    if app.workspace.files.reopened(file, &bytes, &index) {
        let name = app.workspace.files.get(file).map_or("", |open| open.name.as_str());
        app.say(format!("{name} is shown as it is on disk"));
        return;
    }
    // If another process edits the file, that process owns the journal.
    let ours = app.workspace.files.is_ours(file);
    let offered = app.offered_to_export(file);
    let (unsaved, mut undone) = unsaved_edits(app, file);
    let here = app.panes.transcript.at.filter(|at| at.file as usize == file);
    let id = app.panes.transcript.dialog.id.clone();
    let length = app.panes.transcript.dialog.turns.len();
    app.workspace.files.mark_as_present(file);
    // What was in the way of saving is dealt with.
    app.saving.failed.remove(&file);
    app.workspace.files.opened(file, bytes, index, true);
    // Edits of the old text cannot be undone in the new one.
    app.workspace.steps.forget_file(file);
    app.session.jumps.forget_file(file as u32);
    let (mut entries, mut refused) = (Vec::new(), Vec::new());
    // The user has not decided about the recovered edits yet, and their text is gone: export them.
    let mut records = Vec::new();
    if let Some(offered) = offered.filter(|_| ours) {
        records = offered.records;
        undone += offered.undone;
    }
    let places = app.workspace.files.places_of(file, &unsaved, true);
    for again in app.make_again(&unsaved, &places, true) {
        match again {
            Ok(Some(again)) => {
                let made = Arc::new(MadeEdit { when: 0, ..MadeEdit::clone(&again) });
                entries.push(JournalEntry::Edit(Arc::clone(&made)));
                app.workspace.steps.push(UndoStep::new(file, made));
            }
            Ok(None) => {}
            Err(edit) => refused.push(edit),
        }
    }
    let name = app.workspace.files.name(file);
    let status = reloaded(name, unsaved.len(), refused.len(), undone);
    match app.workspace.files.unreadable(file) {
        Some(why) => app.complain(format!("{status} · {why}")),
        None => app.say(status),
    }
    let mut lost = app.to_export(file, &refused, 0);
    lost.records.splice(0..0, records);
    if !lost.records.is_empty() {
        // The export comes before the journal drops them.
        app.request(Effect::ExportEdits { files: vec![lost], all: false });
    }
    if ours {
        app.request(Effect::Journal { file, what: JournalOp::Rewrite(entries) });
    }
    app.panes.list.rebuild(&app.workspace.files);
    find_pinned(app, file);
    if app.workspace.files.get(file).is_some_and(OpenFile::is_log) {
        app.reread();
        app.session.changed.files = true;
        return;
    }
    if let Some(at) = here {
        reopen(app, at, &id);
        tell_growth(app, &id, length);
    }
    app.request(Effect::Summarize { file });
    app.session.changed.reread = Some(file);
    app.session.changed.files = true;
}

/// Opens the dialog with this id, which was at `at`, at the same turn.
fn reopen(app: &mut App, at: DialogId, id: &str) {
    let text = |app: &App| app.panes.transcript.current().map(|turn| turn.text.clone());
    let before = text(app);
    let hit = app.panes.transcript.current_hit().cloned();
    app.panes.transcript.at = None;
    let file = at.file as usize;
    let again = app.workspace.files.find_dialog(file, id, at.dialog);
    let again = again.unwrap_or(DialogId { dialog: 0, ..at });
    let turn = app.panes.transcript.turn;
    app.go_to(again, turn, None);
    // The next hit is the one after it.
    let shown = &mut app.panes.transcript;
    if let Some(hit) = hit
        && let Some(number) = shown.hits.iter().position(|other| *other == hit)
    {
        shown.choose(hit.segment);
        shown.go_to_hit(number);
    }
    // What the user typed in place of the turn's text is for the new one.
    let (place, now) = (app.place(), text(app));
    if let Some(draft) = &mut app.session.draft
        && draft.about.place == (at, turn)
        && Some(&draft.about.text) == before.as_ref()
    {
        draft.about.place = place;
        draft.about.text = now.unwrap_or_default();
    }
}

/// Reports the turns that the dialog with this id has behind the `length` that it had. Where it may grow, a user who was on
/// the last turn goes to the new last one.
fn tell_growth(app: &mut App, id: &str, length: usize) {
    let shown = &mut app.panes.transcript;
    let new = shown.dialog.turns.len().saturating_sub(length);
    if new == 0 || shown.dialog.id != id {
        return;
    }
    let at = shown.at.unwrap_or_default();
    let open = app.workspace.files.get(at.file as usize);
    if shown.turn + 1 == length && open.is_some_and(OpenFile::may_grow) {
        shown.go(length + new - 1);
    }
    app.say_also(counted(new as u64, "new turn"));
}

/// Finds the pinned dialog again after its file was reloaded, or unpins it.
fn find_pinned(app: &mut App, file: usize) {
    let is_of_file = |at: DialogId| at.file as usize == file;
    let is_pinned = |pinned: &mut Pinned| pinned.transcript.at.is_some_and(is_of_file);
    let Some(mut pinned) = app.panes.pinned.take_if(is_pinned) else {
        return;
    };
    let before = pinned.transcript.at.unwrap_or_default();
    let id = &pinned.transcript.dialog.id;
    match app.workspace.files.find_dialog(file, id, before.dialog) {
        Some(at) => {
            pinned.transcript.at = Some(at);
            app.panes.pinned = Some(pinned);
        }
        None => app.say_also("the pinned dialog is gone"),
    }
}

/// Exports the unsaved edits of files as records; they stay unsaved.
pub fn export_unsaved(app: &mut App, files: &[usize]) {
    let of_file = |file: &usize| {
        let (unsaved, undone) = unsaved_edits(app, *file);
        app.to_export(*file, &unsaved, undone)
    };
    let files: Vec<_> = files.iter().map(of_file).collect();
    if files.iter().all(|kept| kept.records.is_empty()) {
        app.say("these edits only undo saved edits and cannot be exported");
        return;
    }
    let all = false;
    app.request(Effect::ExportEdits { files, all });
}

/// Returns the edits of a file that are applied but not saved, and the number of saved ones that were undone or reverted
/// since.
fn unsaved_edits(app: &App, file: usize) -> (Vec<Arc<MadeEdit>>, usize) {
    let steps = &app.workspace.steps;
    let unsaved = steps.unsaved_of(file as u32);
    let added = unsaved.added.iter().map(|number| Arc::clone(&steps.all()[*number].made));
    (added.collect(), unsaved.undone.len())
}

/// Returns the message about a reloaded file: whether its unsaved edits were reapplied (`refused` of them were
/// not), and how many saved edits that were undone are in it again.
fn reloaded(name: &str, unsaved: usize, refused: usize, undone: usize) -> String {
    let mut status = format!("reloaded {name}");
    match (unsaved, refused) {
        (0, _) => {}
        (1, 0) => status += "; your unsaved edit was reapplied",
        (all, 0) => status = format!("{status}; all {all} unsaved edits were reapplied"),
        (all, left) => {
            status = format!("{status}; {left} of {all} unsaved edits could not be reapplied")
        }
    }
    if undone > 0 {
        let verb = if undone == 1 { "is" } else { "are" };
        let edits = counted(undone as u64, "edit");
        status = format!("{status}; {edits} that you had undone after saving {verb} back");
    }
    status
}
