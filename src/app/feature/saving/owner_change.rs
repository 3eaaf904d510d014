//! A file that cannot be saved without changing its owner: the question whether to save it.

use crate::app::core::{Answer, App, Question};
use crate::app::feature::saving::save_file;

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

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        if answer == Answer::Yes {
            save_file::save_changing_owner(app, self.file);
        }
    }

    fn file(&self) -> Option<usize> {
        Some(self.file)
    }
}

/// Asks whether to save a file although it would lose its owner, or something else in `lost`.
pub fn would_change_owner(app: &mut App, file: usize, lost: String) {
    save_file::on_save_refused(app, file);
    app.ask_once(ChangeOwner { file, lost });
}
