//! Adding and removing whole turns.

use crate::app::core::{App, TextPrompt};
use crate::app::feature::editing::speaker_picker;
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

/// Asks for the speaker and the text of a turn after the current one.
pub fn ask_for_turn(app: &mut App) {
    // Refuse now rather than after the user has typed a text that would then be lost.
    let edit = Edit::AddTurn { turn: new_turn(app), speaker: String::new(), text: String::new() };
    let at = app.panes.transcript.at;
    let Some(at) = at.filter(|at| app.may_edit(*at)) else {
        return;
    };
    if let Err(why) = app.workspace.files.check_turns(at, &edit) {
        app.complain(why.to_string());
    } else if detects_none(app, &edit) {
        speaker_picker::ask_for_new(app);
    }
}

/// Returns the position of a new turn: after the current one, or the first of all.
fn new_turn(app: &App) -> usize {
    let t = &app.panes.transcript;
    if t.is_empty() { 0 } else { t.turn + 1 }
}

/// Returns where a new turn goes, for titles: ` after turn 3`; empty for the first turn.
pub fn after_which(app: &App) -> String {
    let before = new_turn(app).checked_sub(1);
    before.map_or_else(String::new, |turn| format!(" after turn {turn}"))
}

/// Asks for the text of a new turn after the current one.
pub fn ask_for_text(app: &mut App, speaker: String, typed: &str) {
    let title = format!("New turn by {speaker}{}", after_which(app));
    let add = move |app: &mut App, text: &str| {
        let turn = new_turn(app);
        let edit = Edit::AddTurn { turn, speaker: speaker.clone(), text: text.to_owned() };
        if edits_turns(app, &edit) {
            app.panes.transcript.go(turn);
            let undo = app.key(Command::Undo);
            app.say(format!("turn {turn} added; {undo} takes it away again"));
        } else {
            // The user goes on typing.
            ask_for_text(app, speaker, text);
        }
    };
    let prompt = TextPrompt::text("text of the new turn ", add).long(title);
    app.ask(prompt, typed);
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

/// True if no detector has counted the turns that an edit moves; otherwise reports that.
fn detects_none(app: &mut App, edit: &Edit) -> bool {
    let t = &app.panes.transcript;
    let behind = t.dialog.turns.iter().skip(edit.turn());
    if behind.map(|turn| turn.detections.len()).sum::<usize>() > 0 {
        app.complain(
            "a detector's output refers to these turns by number; move the output file away first",
        );
        return false;
    }
    true
}

/// Makes an edit of whole turns; false if it is refused, which it reports.
fn edits_turns(app: &mut App, edit: &Edit) -> bool {
    if !detects_none(app, edit) {
        return false;
    }
    let steps = app.workspace.steps.applied().len();
    app.edit(edit, edit.title()) && app.workspace.steps.applied().len() > steps
}
