//! Saves votes while nobody types, so that colleagues and `turnwise votes` see them.
//!
//! A file is left alone if it has other unsaved edits, too: what a person has repaired is saved when they say so.

use crate::app::core::{App, Effect};
use crate::app::feature::saving::save;
use crate::app::settings::Autosave;
use crate::dialog::{Edit, EditKind};
use crate::workspace::{LoadState, OpenFile};

/// Saves the files whose only unsaved edits are votes or gold labels. Says nothing unless a save fails or
/// needs an answer; after that, only commands save the file, until one of them has.
pub fn save_votes(app: &mut App) {
    let is_off = app.settings.autosave == Autosave::Off;
    if is_off || app.saving.waiting > 0 || app.windows.open.is_some() {
        return;
    }
    let files: Vec<usize> = app.workspace.files.modified().collect();
    for file in files {
        if is_saved_by_itself(app, file) {
            app.workspace.files.set_state(file, LoadState::Saving);
            app.saving.begin();
            app.saving.quiet = true;
            app.request(Effect::Save { file, changing_owner: false });
        }
    }
}

/// True if all that is not saved is saved by itself, so that quitting need not ask.
pub fn saves_all(app: &App) -> bool {
    let is_on = app.settings.autosave == Autosave::Votes;
    let mut files = app.workspace.files.modified();
    is_on && files.all(|file| app.workspace.files.is_saving(file) || is_saved_by_itself(app, file))
}

fn is_saved_by_itself(app: &App, file: usize) -> bool {
    let is_ready =
        !app.saving.failed.contains(&file) && app.workspace.files.check_editable(file).is_ok();
    is_ready && has_only_votes(app, file) && save::new_errors(app, file).is_empty()
}

/// True if all unsaved edits of a file, and the saved ones that were undone, are judgements. The log of a session that has
/// grown gets its new turns with the next vote on it.
fn has_only_votes(app: &App, file: usize) -> bool {
    let mut edits = app.workspace.unsaved_edits(file).peekable();
    let is_log = app.workspace.files.get(file).is_some_and(OpenFile::is_log);
    let judges = |edit: &Edit| match edit.about() {
        EditKind::Votes | EditKind::Gold | EditKind::Judgements => true,
        EditKind::Turns => is_log,
        _ => false,
    };
    edits.peek().is_some() && edits.all(judges)
}
