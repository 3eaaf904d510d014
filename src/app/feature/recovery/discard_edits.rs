//! The question whether to discard the edits that the last run left unsaved.

use std::collections::BTreeSet;

use crate::app::core::{Answer, App, Effect, Question};
use crate::app::feature::recovery::{recover, restore_edits};
use crate::text::counted;

/// Discard the unsaved edits from the last run in these files for good?
#[derive(Debug)]
struct DiscardEdits {
    files: BTreeSet<usize>,
    count: usize,
}

impl Question for DiscardEdits {
    fn text(&self, _: &App) -> String {
        format!("discard {} for good?", counted(self.count, "edit"))
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        vec![(Answer::Yes, "discard"), (Answer::No, "go back"), (Answer::Later, "go back")]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        if answer == Answer::Yes {
            return discard_offered(app, &self.files);
        }
        // Nothing was decided, so the question about these files is asked again.
        for file in self.files {
            restore_edits::offer_unsaved(app, file);
        }
    }
}

/// Asks whether to discard `count` unsaved edits from the last run in these files.
pub fn ask_to_discard(app: &mut App, files: BTreeSet<usize>, count: usize) {
    app.ask_now(DiscardEdits { files, count });
}

/// Closes the question whether to discard unsaved edits if it is about this file, and returns its
/// files.
pub fn withdraw_discard(app: &mut App, file: usize) -> BTreeSet<usize> {
    let asked = app.windows.question::<DiscardEdits>();
    let Some(asked) = asked.filter(|asked| asked.files.contains(&file)) else {
        return BTreeSet::new();
    };
    let files = asked.files.clone();
    app.windows.close();
    files
}

/// Discards the unsaved edits from the last run.
pub fn discard_offered(app: &mut App, files: &BTreeSet<usize>) {
    let mut any = false;
    for file in files.iter().copied() {
        if recover::what_to_decide(app, file).is_some() {
            app.workspace.files.decided(file);
            let entries = Vec::new();
            app.request(Effect::RewriteJournal { file, entries });
            any = true;
        }
    }
    if any {
        app.say("edits from the last run discarded");
    }
}
