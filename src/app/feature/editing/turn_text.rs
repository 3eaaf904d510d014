//! Changing the text of a turn: the prompt for it.

use crate::app::core::{App, Effect, PromptInput, PromptKind};
use crate::app::feature::editing::cut_segments;
use crate::dialog::{Edit, EditError, LostSegments};

#[derive(Debug)]
pub struct TurnText;

impl PromptKind for TurnText {
    fn prefix(&self) -> &'static str {
        "turn text "
    }

    fn title(&self, app: &App, _: &PromptInput) -> Option<String> {
        Some(format!("Text of turn {}", app.panes.transcript.turn))
    }

    fn is_long(&self) -> bool {
        true
    }

    fn edits(&self, app: &mut App, _: &PromptInput) -> Vec<usize> {
        app.file_here()
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) -> Vec<Effect> {
        change_text(app, input.text())
    }
}

/// Sets the text of the current turn; asks first if that cuts segments.
fn change_text(app: &mut App, text: String) -> Vec<Effect> {
    let Some(turn) = app.panes.transcript.current() else {
        return Vec::new();
    };
    if turn.text == text {
        app.say("no change");
        return Vec::new();
    }
    let edit = Edit::SetText {
        turn: app.panes.transcript.turn,
        text: text.clone(),
        drop: false,
        shrink: false,
    };
    if let Err(EditError::CutsSegments(lost)) = edit.apply(&app.panes.transcript.dialog) {
        cut_segments::ask_to_cut(app, text, lost);
        return Vec::new();
    }
    set_text(app, text, None)
}

/// Sets the text of the current turn without asking. Of the segments in `lost`, those with
/// something left shrink and the others are removed.
pub fn set_text(app: &mut App, text: String, lost: Option<&LostSegments>) -> Vec<Effect> {
    let turn = app.panes.transcript.turn;
    let edit = Edit::SetText {
        turn,
        text,
        drop: lost.is_some_and(|lost| lost.left.len() < lost.all().len()),
        shrink: lost.is_some_and(|lost| !lost.left.is_empty()),
    };
    let (made, effects) = app.edit(&edit, format!("text of turn {turn}"));
    if made {
        app.panes.transcript.choose(None);
    }
    effects
}
