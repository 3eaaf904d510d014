//! Saving one file or several, and the report once all are done.

use crate::app::core::{App, Effect, SaveOutcome};
use crate::app::input::Command;
use crate::app::pane::elided;
use crate::app::state::{SaveBatch, Status};
use crate::text::counted;
use crate::workspace::{JournalOp, LoadState};

/// Columns for the name of a file that is not saved yet.
const NAME: usize = 26;

/// Saves a file; with `changing_owner`, even if its owner changes.
pub fn save_file(app: &mut App, file: usize, changing_owner: bool) {
    let Some(open) = app.workspace.files.get(file) else {
        return;
    };
    let name = open.name.clone();
    match open.state {
        LoadState::Saving => app.say(format!("{name} is being saved")),
        _ if !app.workspace.files.is_modified(file) => {
            let left = left_unsaved(app).unwrap_or_default();
            app.say(format!("{name} has no unsaved changes{left}"));
        }
        _ => {
            app.workspace.files.set_state(file, LoadState::Saving);
            app.saving.begin();
            app.saving.quiet = false;
            app.say(format!("saving {name} …"));
            app.request(Effect::Save { file, changing_owner });
        }
    }
}

/// Handles a successful save of a file that was `new` on the disk, or not.
pub fn on_saved(app: &mut App, file: usize, new: bool, outcome: SaveOutcome) {
    let SaveOutcome { lines, doubt, linked } = outcome;
    let name = app.workspace.files.name(file);
    let message = if new {
        format!("saved {name} as a new file")
    } else {
        format!("saved {name}: {}", lines_changed(lines))
    };
    app.saving.saved += 1;
    app.saving.lines += lines;
    app.saving.failed.remove(&file);
    let note = match doubt {
        Some(doubt) => Some(format!("may be lost in a power failure ({doubt})")),
        None => linked.then(|| "its other hard links keep the old text".to_owned()),
    };
    match note {
        Some(note) if app.saving.files > 1 => {
            let note = format!("{name}: {note}");
            app.saving.notes.push(note);
            report_save(app, message);
        }
        Some(note) => {
            app.saving.done();
            app.complain(format!("{message}, but {note}"));
        }
        None => report_save(app, message),
    }
    app.panes.details.line = None;
    app.panes.details.forget();
    app.request(Effect::Journal { file, what: JournalOp::Saved });
}

/// Handles a failed save.
pub fn on_save_failed(app: &mut App, file: usize, reason: &str) {
    app.workspace.files.set_state(file, LoadState::Ready);
    app.session.leaving = false;
    app.saving.failed.insert(file);
    let name = app.workspace.files.name(file);
    let mut message = format!("{name} was not saved: {reason}");
    if app.saving.quiet {
        let key = app.key(Command::SaveAll);
        message = format!("{message} · no autosave for this file until {key} saves it");
    }
    app.saving.notes.push(message.clone());
    report_save(app, message);
}

/// Handles a save that needs an answer from the user first.
pub fn on_save_blocked(app: &mut App, file: usize) {
    app.workspace.files.set_state(file, LoadState::Ready);
    app.session.leaving = false;
    // Asked once, and not in every pause.
    if app.saving.quiet {
        app.saving.failed.insert(file);
    }
    app.status = Status::default();
    if app.saving.files > 1 {
        report_save(app, String::new());
    } else {
        app.saving.done();
    }
}

/// Gives up a save with a consequence that the user may not want: the caller asks, and the file is not saved by itself
/// until the answer.
pub fn on_save_refused(app: &mut App, file: usize) {
    on_save_blocked(app, file);
    app.saving.failed.insert(file);
}

/// Reports a save: `one` for a single file, and for several a summary once all are done.
fn report_save(app: &mut App, one: String) {
    app.saving.done();
    let SaveBatch { files, waiting, saved, lines, quiet, .. } = app.saving;
    let well = app.saving.notes.is_empty();
    if quiet && well {
        return;
    }
    if files <= 1 {
        if well {
            let left = left_unsaved(app).unwrap_or_default();
            app.say(one + &left);
        } else {
            app.complain(one);
        }
        return;
    }
    if waiting > 0 {
        app.say(format!("saving … {saved} of {files} files saved"));
        return;
    }
    let lines = lines_changed(lines);
    let left = left_unsaved(app);
    let message = match (saved, &left) {
        (all, None) if all == files => format!("saved all {files} files: {lines}"),
        (all, Some(left)) if all == files => format!("saved {files} files: {lines}{left}"),
        (some, _) => format!("saved {some} of {files} files: {lines}"),
    };
    let notes = std::mem::take(&mut app.saving.notes);
    match notes.as_slice() {
        [] => app.say(message),
        [note] => app.complain(format!("{message}; {note}")),
        [note, more @ ..] => {
            app.complain(format!("{message}; {note}, and {} more", more.len()));
        }
    }
}

/// Returns the end of a message about edits that a save leaves unsaved, in other files; None if there are none.
fn left_unsaved(app: &App) -> Option<String> {
    let mut files = app.workspace.files.modified();
    let (first, more) = (files.next()?, files.count());
    let edits = counted(app.workspace.unsaved(), "edit");
    let place = match more {
        0 => elided(app.workspace.files.name(first), NAME),
        more => format!("{} files", more + 1),
    };
    let key = app.key(Command::SaveAll);
    Some(format!(" · {key} saves {edits} in {place}"))
}

fn lines_changed(lines: usize) -> String {
    format!("{} changed", counted(lines, "line"))
}
