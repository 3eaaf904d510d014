//! The prompt that goes to a file by its name.

use std::cmp::Reverse;

use crate::app::core::{App, PromptInput, PromptKind};
use crate::app::input::FuzzyMatcher;
use crate::app::pane::{Ink, Line};
use crate::text::counted;
use crate::workspace::LoadState;

#[derive(Debug, Default)]
pub struct FilePicker {
    /// The files that match, best first.
    matching: Vec<usize>,
}

impl PromptKind for FilePicker {
    fn prefix(&self) -> &'static str {
        "go to file "
    }

    fn hint(&self) -> &'static str {
        "part of its name"
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        Some("Files".to_owned())
    }

    fn count(&self) -> usize {
        self.matching.len()
    }

    /// Returns the file's name, with the number of its dialogs or the reason why it cannot be read.
    fn choice(&self, app: &App, number: usize, _: &PromptInput) -> Line {
        let file = self.matching[number];
        let Some(open) = app.workspace.files.get(file) else {
            return Line::new();
        };
        let line = Line::of(Ink::Plain, &open.name).with(Ink::Plain, "  ");
        let dialogs = counted(open.dialogs(), "dialog");
        match &open.state {
            LoadState::Failed(reason) => line.with(Ink::Error, &format!("▲ {reason}")),
            LoadState::Ontology(what) => line.with(Ink::Dim, what),
            _ if app.workspace.files.is_broken(file) => {
                line.with(Ink::Error, &format!("▲ broken, {dialogs} can be read"))
            }
            LoadState::Waiting | LoadState::Reading { .. } => {
                line.with(Ink::Dim, &format!("{dialogs} …"))
            }
            LoadState::Ready | LoadState::Saving => {
                let name = open.format().map_or("", |format| format.title());
                line.with(Ink::Dim, &format!("{dialogs} · {name}"))
            }
        }
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) {
        (self.matching, input.chosen) = (matching_files(app, &input.text()), 0);
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        if let Some(file) = self.matching.get(input.chosen) {
            app.go_to_file(*file);
        }
    }
}

/// Returns the files that `text` may mean, best first; all of them, in order, for an empty text.
fn matching_files(app: &App, text: &str) -> Vec<usize> {
    let files = app.workspace.files.all().iter().enumerate();
    let files = files.filter(|(_, open)| !open.is_log());
    let mut likeness = FuzzyMatcher::for_paths(text);
    let mut scored: Vec<_> =
        files.filter_map(|(file, open)| Some((likeness.score(&open.name)?, file))).collect();
    scored.sort_by_key(|(score, _)| Reverse(*score));
    scored.into_iter().map(|(_, file)| file).collect()
}
