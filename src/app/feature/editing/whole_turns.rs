//! Removing turns.

use crate::app::core::App;
use crate::app::input::Command;
use crate::dialog::{Edit, Turn};
use crate::text::counted;

/// Removes the current turn, and says what went with it.
pub fn remove_turn(app: &mut App) {
    let turn = app.panes.transcript.turn;
    let Some(held) = app.panes.transcript.current().map(held) else {
        return;
    };
    let edit = Edit::RemoveTurn { turn };
    if edits_turns(app, &edit) {
        let undo = app.key(Command::Undo);
        app.say(format!("turn {turn} removed{held}; {undo} brings it back"));
    }
}

/// Returns what goes with a turn besides its text: ", with 2 segments and 1 API call".
fn held(turn: &Turn) -> String {
    let parts = [
        (turn.segments.len(), "segment"),
        (turn.calls.len(), "API call"),
        (turn.acts.len(), "act"),
        (turn.votes.len(), "vote"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let mut parts: Vec<_> = parts.map(|(count, what)| counted(count, what)).collect();
    match (parts.pop(), parts.is_empty()) {
        (None, _) => String::new(),
        (Some(last), true) => format!(", with {last}"),
        (Some(last), false) => format!(", with {} and {last}", parts.join(", ")),
    }
}

/// Makes an edit of whole turns; false if it is refused, which it reports.
fn edits_turns(app: &mut App, edit: &Edit) -> bool {
    let t = &app.panes.transcript;
    let behind = t.dialog.turns.iter().skip(edit.turn());
    if behind.map(|turn| turn.detections.len()).sum::<usize>() > 0 {
        app.complain(
            "the output of a detector counts these turns by their numbers; move its file away first",
        );
        return false;
    }
    let steps = app.workspace.steps.done();
    app.edit(edit, edit.title()) && app.workspace.steps.done() > steps
}
