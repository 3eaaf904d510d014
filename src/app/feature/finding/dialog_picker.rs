//! The prompt that goes to a dialog by its id or number. The choices come from what is already in
//! memory: nothing is read for them.

use crate::app::core::{App, Picker};
use crate::app::pane::{Focus, Ink, Line};
use crate::workspace::DialogId;

/// The most dialogs to offer.
const OFFERED: usize = 200;

/// Asks for the dialog to go to.
pub fn ask_for_dialog(app: &mut App) {
    let line = |app: &App, (at, id): &(DialogId, String)| {
        let name = app.workspace.files.name(at.file as usize);
        Line::of(Ink::Plain, id).with(Ink::Dim, &format!("  {name}, dialog {}", at.dialog))
    };
    let open = |app: &mut App, dialog: Option<(DialogId, String)>, typed: &str| match dialog {
        Some((at, _)) => go_to_dialog(app, at, typed),
        None => go_to_named(app, typed),
    };
    let picker = Picker::new("go to dialog ", "Dialogs", matching_dialogs, line, open);
    app.ask(picker.hint("id, or number in this file").once_typed(), "");
}

/// Returns the dialogs that `text` may mean: those with this id first, then the one with this
/// number in the open file, then those whose id contains it. A number with leading zeros is more
/// likely part of an id and comes later.
fn matching_dialogs(app: &App, text: &str) -> Vec<(DialogId, String)> {
    if text.is_empty() {
        return Vec::new();
    }
    let lower = text.to_lowercase();
    let here = app.panes.transcript.at.unwrap_or_default().file;
    let number = text.parse().ok();
    let padded = text.len() > 1 && text.starts_with('0');
    let mut found: Vec<(u8, DialogId, String)> = Vec::new();
    for file in app.workspace.files.shown() {
        let Some(open) = app.workspace.files.get(file) else {
            continue;
        };
        for dialog in 0..open.dialogs() {
            let at = DialogId::new(file, dialog);
            let Some(summary) = app.workspace.files.summary(at) else {
                continue;
            };
            let rank = if summary.id == text {
                0
            } else if number == Some(dialog) && at.file == here && !padded {
                1
            } else if summary.id.to_lowercase().contains(&lower) {
                2
            } else if number == Some(dialog) && at.file == here {
                3
            } else {
                continue;
            };
            found.push((rank, at, summary.id.to_string()));
        }
    }
    found.sort_by_key(|(rank, at, _)| (*rank, *at));
    found.truncate(OFFERED);
    found.into_iter().map(|(_, at, id)| (at, id)).collect()
}

/// Goes to a dialog by its id, or by its number in the open file.
fn go_to_named(app: &mut App, name: &str) {
    let (files, here) = (&app.workspace.files, app.panes.transcript.at.unwrap_or_default().file);
    let number = name.parse().ok().map(|number| DialogId::new(here as usize, number));
    let found = files.with_id(name, here).or(number.filter(|at| files.has_dialog(*at)));
    match found {
        Some(at) => {
            app.panes.focus_on(Focus::Transcript);
            app.open_from_list(at);
        }
        None => {
            let still =
                if files.progress().is_some() { " yet; files are still being read" } else { "" };
            app.complain(format!("no dialog with id or number {name}{still}"));
        }
    }
}

/// Opens the dialog that was picked for the typed text.
fn go_to_dialog(app: &mut App, at: DialogId, typed: &str) {
    app.panes.focus_on(Focus::Transcript);
    app.open_from_list(at);
    let is_number = typed.parse() == Ok(at.dialog);
    let id = &app.panes.transcript.dialog.id;
    if typed.parse::<u64>().is_ok() && !is_number && *id != typed {
        // The user may expect the dialog with this number.
        app.say(format!("no dialog number {typed}; opened a dialog with this number in its id"));
    }
}
