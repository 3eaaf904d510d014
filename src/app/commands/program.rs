//! Commands of the program itself: help, palette, copying, quitting, and the keys of prompts.

use crate::app::core::App;
use crate::app::feature::finding::search;
use crate::app::feature::judging::charts;
use crate::app::help::{self, Help};
use crate::app::input::Command;
use crate::app::pane::Focus;

/// Takes one step back: stops counting, ends the search, shows all panes or all dialogs, or returns to the transcript.
pub fn back(app: &mut App) {
    if charts::cancel_charts(app) {
        return;
    }
    if app.search.query.is_some() {
        return search::leave_search(app);
    }
    if app.panes.fills_screen {
        app.panes.fills_screen = false;
        return;
    }
    if app.panes.list.is_narrowed() && app.panes.focus == Focus::Dialogs {
        app.panes.list.widen();
        app.panes.list.rebuild(&app.workspace.files);
    } else if app.panes.transcript.segment.is_some() && app.panes.focus == Focus::Transcript {
        app.panes.transcript.choose(None);
    } else if app.panes.focus == Focus::Transcript {
        let quit = app.key(Command::Quit);
        app.say(format!("{quit} quits"));
    }
    app.panes.focus_on(Focus::Transcript);
}

/// Returns the rows of a page of the help.
pub fn page(app: &App) -> isize {
    (app.panes.size.height as isize - 4).max(1)
}

/// Moves one line down or up in the help, or in the details of a question.
pub fn line(app: &mut App, down: bool) {
    if app.windows.is::<Help>() {
        help::step_help(app, down);
    } else {
        scroll_window(app, if down { 1 } else { -1 });
    }
}

/// Scrolls the open window.
pub fn scroll_window(app: &mut App, by: isize) {
    if let Some(window) = &app.windows.open {
        let scroll = window.on_scroll();
        scroll(app, by);
    }
}
