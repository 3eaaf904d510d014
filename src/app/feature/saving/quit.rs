//! Quitting: a question first if edits are not saved.

use crate::app::core::{Answer, App, Effect, Question, journal};
use crate::app::feature::saving::{external_changes, save, save_file};
use crate::text::counted;
use crate::workspace::{DialogId, JournalEntry};

/// There are unsaved edits: save and quit, quit without saving, or stay? After a failed save the
/// edits can be exported too.
#[derive(Debug)]
pub struct Leave;

impl Question for Leave {
    fn text(&self, app: &App) -> String {
        let count = app.workspace.unsaved();
        let are = if count == 1 { "is" } else { "are" };
        format!("{} {are} not saved", counted(count, "edit"))
    }

    fn answers(&self, app: &App) -> Vec<(Answer, &'static str)> {
        let mut answers = vec![
            (Answer::Yes, "save and quit"),
            (Answer::No, "quit without saving"),
            (Answer::Later, "stay"),
        ];
        if save_file::has_save_failures(app) {
            answers.insert(2, (Answer::Export, "export them to a file"));
        }
        answers
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) -> Vec<Effect> {
        match answer {
            Answer::Yes => {
                app.session.leaving = true;
                save::save_all(app)
            }
            Answer::No => {
                let mut effects = leave_unsaved(app);
                effects.push(Effect::Quit);
                effects
            }
            Answer::Export => {
                let files: Vec<_> = (0..app.workspace.files.len()).collect();
                external_changes::export_unsaved(app, &files)
            }
            Answer::Show | Answer::Later => Vec::new(),
        }
    }
}

/// Quits, or asks about unsaved edits.
pub fn quit(app: &mut App) -> Vec<Effect> {
    if !app.workspace.files.any_modified() {
        return vec![Effect::Quit];
    }
    if app.layout().is_none() {
        // The question would be invisible, and so answered by accident.
        let edits = counted(app.workspace.unsaved(), "unsaved edit");
        app.complain(format!("{edits}: enlarge the screen to quit"));
    } else {
        app.ask_now(Leave);
    }
    Vec::new()
}

/// Returns [`Effect::Quit`] if everything is saved, and the user has asked to leave or is being asked
/// whether to.
pub fn quit_once_saved(app: &App) -> Option<Effect> {
    let wanted = app.session.leaving || app.asked().any(|asked| asked.as_type::<Leave>().is_some());
    (wanted && !app.workspace.files.any_modified()).then_some(Effect::Quit)
}

/// Journals that the user quit without saving, so that the unsaved edits from the last run stay
/// undone.
pub fn leave_unsaved(app: &App) -> Vec<Effect> {
    let left = |file| journal(DialogId::first_of(file), JournalEntry::QuitUnsaved);
    app.workspace.files.modified().map(left).collect()
}
