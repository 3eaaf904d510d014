//! A file that another program has changed: the question whether to reload it.

use crate::app::core::{Answer, App, Effect, Question};

/// Reload a file that another program has changed?
#[derive(Debug)]
pub struct ReloadChanged {
    pub file: usize,
}

impl Question for ReloadChanged {
    fn text(&self, app: &App) -> String {
        let name = app.workspace.files.name(self.file);
        format!("{name} was changed by another program")
    }

    fn answers(&self, app: &App) -> Vec<(Answer, &'static str)> {
        let reload = if app.workspace.files.is_modified(self.file) {
            "reload it and reapply your edits"
        } else {
            "reload it"
        };
        vec![(Answer::Yes, reload), (Answer::No, "do not reload it"), (Answer::Later, "ask later")]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        if answer == Answer::Yes {
            app.request(Effect::Reload { file: self.file });
        }
    }

    fn file(&self) -> Option<usize> {
        Some(self.file)
    }
}

/// Withdraws the question about a file that was reloaded.
pub fn withdraw_reload(app: &mut App, file: usize) {
    app.windows.withdraw(|asked: &ReloadChanged| asked.file == file);
}
