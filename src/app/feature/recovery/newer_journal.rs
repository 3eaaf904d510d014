//! Files whose journals a newer version of turnwise wrote: they are read-only until the user decides.

use std::collections::BTreeSet;

use crate::app::core::{Answer, App, Effect, Question};

/// Put the journals of these files aside and edit? One question covers all such files.
#[derive(Debug)]
struct EditAnyway {
    files: BTreeSet<usize>,
}

impl Question for EditAnyway {
    fn text(&self, app: &App) -> String {
        let which = match self.files.first() {
            Some(file) if self.files.len() == 1 => {
                let name = app.workspace.files.name(*file);
                format!("{name} is read-only here: its journal is")
            }
            _ => {
                let count = self.files.len();
                format!("{count} files are read-only here: their journals are")
            }
        };
        format!("{which} from a newer version of turnwise and may hold unsaved edits")
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        let (put, leave) = if self.files.len() == 1 {
            ("put the journal aside and edit", "leave it read-only")
        } else {
            ("put the journals aside and edit", "leave them read-only")
        };
        vec![(Answer::Yes, put), (Answer::No, leave), (Answer::Later, leave)]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        if answer == Answer::Yes {
            app.request(Effect::PutAside { files: self.files.into_iter().collect() });
        }
    }
}

/// Asks whether to edit a file although a newer version of turnwise wrote its journal.
pub fn ask_about_newer(app: &mut App, file: usize) {
    if !app.workspace.files.is_newer(file) {
        return;
    }
    if let Some(asked) = app.asked_mut::<EditAnyway>() {
        asked.files.insert(file);
    } else {
        let files = BTreeSet::from([file]);
        app.windows.questions.push_back(Box::new(EditAnyway { files }));
    }
}
