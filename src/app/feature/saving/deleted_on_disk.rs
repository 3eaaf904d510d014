//! The question what to do with edits whose file was deleted from the disk before it could be saved.

use crate::app::core::{Answer, App, Question};
use crate::app::feature::saving::{external_changes, save_file};

/// Create the file again, export the edits, or leave it deleted?
#[derive(Debug)]
struct CreateAgain {
    file: usize,
}

impl Question for CreateAgain {
    fn text(&self, app: &App) -> String {
        let name = app.workspace.files.get(self.file);
        let name = name.map_or("", |file| file.name.as_str());
        format!("{name} was deleted from the disk and is not saved")
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        vec![
            (Answer::Yes, "create it again"),
            (Answer::Export, "export the edits to a file"),
            (Answer::No, "leave it deleted"),
            (Answer::Later, "leave it deleted"),
        ]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        match answer {
            Answer::Yes => {
                app.workspace.files.set_deleted(self.file, true);
                save_file::save_file(app, self.file);
            }
            Answer::Export => external_changes::export_unsaved(app, &[self.file]),
            Answer::No | Answer::Show | Answer::Later => {}
        }
    }

    fn file(&self) -> Option<usize> {
        Some(self.file)
    }
}

/// Asks about a file to be saved that was deleted from the disk.
pub fn on_file_deleted(app: &mut App, file: usize) {
    save_file::on_save_refused(app, file);
    app.ask_once(CreateAgain { file });
}
