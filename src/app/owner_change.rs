//! A file that cannot be saved without changing its owner: the question whether to save it.

use super::question::{Answer, Question};
use super::{App, Effect};

/// Saving a file would lose its owner, or something else in `lost`: save anyway?
#[derive(Debug)]
struct ChangeOwner {
    file: usize,
    lost: String,
}

impl Question for ChangeOwner {
    fn text(&self, app: &App) -> String {
        let (name, lost) = (app.workspace.files.name(self.file), &self.lost);
        format!("{name} was not saved: its {lost} cannot be kept")
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        vec![
            (Answer::Yes, "save it and become its owner"),
            (Answer::No, "do not save"),
            (Answer::Later, "do not save"),
        ]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) -> Vec<Effect> {
        match answer {
            Answer::Yes => app.save_changing_owner(self.file),
            _ => Vec::new(),
        }
    }

    fn file(&self) -> Option<usize> {
        Some(self.file)
    }
}

impl App {
    /// Asks whether to save a file although it would lose its owner, or something else in `lost`.
    pub(super) fn would_change_owner(&mut self, file: usize, lost: String) {
        self.on_save_refused(file);
        self.ask_once(ChangeOwner { file, lost });
    }
}
