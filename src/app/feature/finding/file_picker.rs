//! Goes to a file by its name.

use crate::app::core::{App, Picker, like};
use crate::app::input::FuzzyMatcher;
use crate::app::pane::{Ink, Line};
use crate::text::counted;
use crate::workspace::LoadState;

/// Asks for a file, and goes to its first dialog.
pub fn ask_for_file(app: &mut App) {
    let find = |app: &App, text: &str| {
        let files = app.workspace.files.shown();
        like(files, FuzzyMatcher::for_paths(text), |file| {
            app.workspace.files.name(*file).to_owned()
        })
    };
    let open = |app: &mut App, file: Option<usize>, _: &str| {
        if let Some(file) = file {
            app.go_to_file(file);
        }
    };
    let line = |app: &App, file: &usize| line(app, *file);
    let picker = Picker::new("go to file ", "Files", find, line, open);
    app.ask(picker.hint("part of its name"), "");
}

/// Returns the file's name, with the number of its dialogs or the reason why it cannot be read.
fn line(app: &App, file: usize) -> Line {
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
