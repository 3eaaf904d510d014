//! Files that cannot be saved as they are: one question, with the reason.

use std::collections::BTreeSet;

use crate::app::core::{Answer, App, Question};
use crate::app::feature::saving::{external_changes, save_file};

/// Why files cannot be saved as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reason {
    /// A save would lose the owner of the file, or something else of it.
    Owner(String),
    /// The file was deleted from the disk before it could be saved.
    Deleted,
}

/// Go on all the same?
#[derive(Debug)]
struct GoOn {
    files: BTreeSet<usize>,
    why: Reason,
}

impl Question for GoOn {
    fn text(&self, app: &App) -> String {
        let name = match self.files.first() {
            Some(file) if self.files.len() == 1 => app.workspace.files.name(*file).to_owned(),
            _ => format!("{} files", self.files.len()),
        };
        match &self.why {
            Reason::Owner(lost) => format!("{name} not saved: the {lost} cannot be kept"),
            Reason::Deleted => format!("{name} not saved: deleted from disk"),
        }
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        let (yes, no) = match self.why {
            Reason::Owner(_) => ("save anyway", "do not save"),
            Reason::Deleted => ("create it again", "leave it deleted"),
        };
        let export = (Answer::Export, "export the edits to a file");
        let export = Some(export).filter(|_| self.why == Reason::Deleted);
        let leave = [(Answer::No, no), (Answer::Later, no)];
        std::iter::once((Answer::Yes, yes)).chain(export).chain(leave).collect()
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        let files: Vec<_> = self.files.into_iter().collect();
        match (answer, self.why) {
            (Answer::Yes, Reason::Owner(_)) => {
                for file in files {
                    save_file::save_file(app, file, true);
                }
            }
            (Answer::Yes, Reason::Deleted) => {
                for file in files {
                    app.workspace.files.set_deleted(file, true);
                    save_file::save_file(app, file, false);
                }
            }
            (Answer::Export, _) => external_changes::export_unsaved(app, &files),
            _ => {}
        }
    }
}

/// Asks whether to save a file although it would lose its owner, or something else in `lost`.
pub fn would_change_owner(app: &mut App, file: usize, lost: String) {
    save_file::on_save_refused(app, file);
    ask(app, file, Reason::Owner(lost));
}

/// Asks about a file to be saved that was deleted from the disk.
pub fn on_file_deleted(app: &mut App, file: usize) {
    save_file::on_save_refused(app, file);
    ask(app, file, Reason::Deleted);
}

/// Asks about a file, in the question about others for the same reason if there is one.
fn ask(app: &mut App, file: usize, why: Reason) {
    let is_same = |asked: &&mut GoOn| asked.why == why;
    if let Some(asked) = app.asked_mut::<GoOn>().filter(is_same) {
        asked.files.insert(file);
    } else {
        let files = BTreeSet::from([file]);
        app.windows.questions.push_back(Box::new(GoOn { files, why }));
    }
}
