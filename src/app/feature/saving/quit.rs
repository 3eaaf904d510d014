//! Quitting: a question first if edits are not saved.

use crate::app::core::{Answer, App, Effect, Question};
use crate::app::feature::saving::{autosave, external_changes, save};
use crate::app::input::Command;
use crate::text::counted;
use crate::workspace::{DialogId, JournalEntry};

/// There are unsaved edits: save and quit, quit without saving, or stay? After a failed save the
/// edits can be exported too.
#[derive(Debug)]
pub struct Leave;

impl Question for Leave {
    fn text(&self, app: &App) -> String {
        let count = app.workspace.unsaved();
        let edits = counted(count, "unsaved edit");
        let them = if count == 1 { "it" } else { "them" };
        if app.saving.is_journal_behind {
            return format!("{edits}, in memory only: quitting loses {them}");
        }
        let redo = app.key(Command::Redo);
        format!("{edits}; if you quit without saving, {redo} restores {them} next time")
    }

    fn answers(&self, app: &App) -> Vec<(Answer, &'static str)> {
        let mut answers = vec![
            (Answer::Yes, "save and quit"),
            (Answer::No, "quit without saving"),
            (Answer::Later, "stay"),
        ];
        // Another save may fail, too.
        if !app.saving.failed.is_empty() || app.saving.is_journal_behind {
            answers.insert(2, (Answer::Export, "export them to a file"));
        }
        answers
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        match answer {
            Answer::Yes => {
                app.session.leaving = true;
                save::save_all(app);
            }
            Answer::No => {
                leave_unsaved(app);
                app.request(Effect::Quit);
            }
            Answer::Export => {
                let files: Vec<_> = (0..app.workspace.files.len()).collect();
                external_changes::export_unsaved(app, &files);
            }
            Answer::Show | Answer::Later => {}
        }
    }
}

/// Quits, or asks about unsaved edits; votes are saved first.
pub fn quit(app: &mut App) {
    if !app.workspace.files.any_modified() {
        app.request(Effect::Quit);
        return;
    }
    if autosave::saves_all(app) {
        autosave::save_votes(app);
    }
    if autosave::saves_all(app) && app.saving.waiting > 0 {
        app.session.leaving = true;
        app.say("saving the last votes …");
        return;
    }
    if app.panes.layout().is_none() {
        // The question would be invisible, and so answered by accident.
        let edits = counted(app.workspace.unsaved(), "unsaved edit");
        app.complain(format!("{edits}: enlarge the screen to quit"));
    } else {
        app.ask_now(Leave);
    }
}

/// Quits if everything is saved, and the user has asked to leave or is being asked
/// whether to.
pub fn quit_once_saved(app: &mut App) {
    let wanted = app.session.leaving || app.asked().any(|asked| asked.as_type::<Leave>().is_some());
    if wanted && !app.workspace.files.any_modified() {
        app.request(Effect::Quit);
    }
}

/// Says whether the journal holds all edits.
pub fn on_journaled(app: &mut App, written: Result<(), String>) {
    app.saving.is_journal_behind = written.is_err();
    match written {
        // Saved edits are in their file; losing only undo history was not worth an alarm.
        Ok(()) if app.workspace.unsaved() == 0 => {}
        Ok(()) => app.complain("the journal works again; all edits are in it".to_owned()),
        Err(why) => {
            // Short enough for one line.
            let why = why.split(" (os error").next().unwrap_or_default();
            app.complain(format!("edits are in memory only; the journal cannot be written: {why}"));
        }
    }
}

/// Journals that the user quit without saving, so that the unsaved edits from the last run stay
/// undone.
pub fn leave_unsaved(app: &mut App) {
    let left: Vec<_> = app.workspace.files.modified().collect();
    for file in left {
        app.journal(DialogId::first_of(file), JournalEntry::QuitUnsaved);
    }
}
