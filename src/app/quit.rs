//! Quitting: a question first if edits are not saved.

use super::question::{Answer, Question};
use super::undo::journal;
use super::{App, Effect};
use crate::text::counted;
use crate::workspace::{DialogId, JournalEntry};

/// There are unsaved edits: save and quit, quit without saving, or stay? After a failed save the
/// edits can be exported too.
#[derive(Debug)]
pub(super) struct Leave;

impl Question for Leave {
    fn text(&self, app: &App) -> String {
        let count = app.workspace.files.unsaved();
        let are = if count == 1 { "is" } else { "are" };
        format!("{} {are} not saved", counted(count, "edit"))
    }

    fn answers(&self, app: &App) -> Vec<(Answer, &'static str)> {
        let mut answers = vec![
            (Answer::Yes, "save and quit"),
            (Answer::No, "quit without saving"),
            (Answer::Later, "stay"),
        ];
        if app.has_save_failures() {
            answers.insert(2, (Answer::Export, "export them to a file"));
        }
        answers
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) -> Vec<Effect> {
        match answer {
            Answer::Yes => {
                app.session.leaving = true;
                app.save_all()
            }
            Answer::No => {
                let mut effects = app.leave_unsaved();
                effects.push(Effect::Quit);
                effects
            }
            Answer::Export => {
                let files: Vec<_> = (0..app.workspace.files.len()).collect();
                app.export_unsaved(&files)
            }
            Answer::Show | Answer::Later => Vec::new(),
        }
    }
}

impl App {
    /// Quits, or asks about unsaved edits.
    pub(super) fn quit(&mut self) -> Vec<Effect> {
        if !self.workspace.files.any_modified() {
            return vec![Effect::Quit];
        }
        if self.layout().is_none() {
            // The question would be invisible, and so answered by accident.
            let edits = counted(self.workspace.files.unsaved(), "unsaved edit");
            self.complain(format!("{edits}: enlarge the screen to quit"));
        } else {
            self.ask_now(Leave);
        }
        Vec::new()
    }

    /// Returns [`Effect::Quit`] if everything is saved, and the user has asked to leave or is being asked
    /// whether to.
    pub(super) fn quit_once_saved(&self) -> Option<Effect> {
        let wanted =
            self.session.leaving || self.asked().any(|asked| asked.as_type::<Leave>().is_some());
        (wanted && !self.workspace.files.any_modified()).then_some(Effect::Quit)
    }

    /// Journals that the user quit without saving, so that the unsaved edits of the last run stay
    /// undone.
    pub(super) fn leave_unsaved(&self) -> Vec<Effect> {
        let left = |file| journal(DialogId::first_of(file), JournalEntry::QuitUnsaved);
        self.workspace.files.modified().map(left).collect()
    }
}
