//! Commands of the program itself: help, palette, copying, quitting, and the keys of prompts.

use crate::app::core::App;
use crate::app::feature::editing::{turn_text, undo};
use crate::app::feature::finding::{dialog_order, search};
use crate::app::feature::judging::{answer_keys, judge, note_prompt, queue};
use crate::app::feature::review::decide;
use crate::app::input::Command;
use crate::app::pane::Focus;

/// Takes one step back: ends the search, shows all panes or all dialogs, or returns to the transcript.
pub fn back(app: &mut App) {
    if app.search.query.is_some() {
        search::end_search(app);
        let back = app.key(Command::JumpBack);
        return app.say(format!("the search has ended · {back} returns to where you were before"));
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

/// Hides others' votes, or shows them; what told them is gone.
pub fn toggle_blind(app: &mut App) {
    judge::toggle_blind(app);
    search::end_hidden_search(app);
    dialog_order::end_hidden_order(app);
    queue::end_hidden_queue(app);
}

/// Hides the turns that follow the current one, or shows them; a search that told them ends.
pub fn toggle_later(app: &mut App) {
    judge::toggle_later(app);
    search::end_hidden_search(app);
}

/// Asks for a comment on the vote, or for a note where judgements are given.
pub fn comment(app: &mut App) {
    if app.asks_for_judgements() {
        note_prompt::note(app);
    } else {
        note_prompt::comment(app);
    }
}

/// Gives the answer of a key, or asks for one that is typed.
pub fn type_answer(app: &mut App, count: Option<usize>) {
    match count {
        Some(_) => answer_keys::give(app, Command::TypeAnswer, count),
        None => answer_keys::ask_here(app),
    }
}

/// Edits the turn of the selected suggestion, which decides it.
pub fn decide_by_hand(app: &mut App) {
    if decide::decide_by_hand(app) {
        turn_text::edit_text(app);
    }
}

/// Opens the suggestion again that was left last, or undoes the last edit.
pub fn undo_in_review(app: &mut App) {
    if !decide::reopen_left(app) {
        undo::undo(app);
        decide::reopen_undone(app);
    }
}
