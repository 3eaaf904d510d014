//! Changing the text of a turn: the prompt for it.

use super::prompt::{PromptInput, PromptKind};
use super::{App, Effect};
use crate::dialog::{Edit, EditError, LostSegments};

#[derive(Debug)]
pub(super) struct TurnText;

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
        app.change_text(input.text())
    }
}

impl App {
    /// Sets the text of the current turn; asks first if that cuts segments.
    fn change_text(&mut self, text: String) -> Vec<Effect> {
        let Some(turn) = self.panes.transcript.current() else {
            return Vec::new();
        };
        if turn.text == text {
            self.say("no change");
            return Vec::new();
        }
        let edit = Edit::SetText {
            turn: self.panes.transcript.turn,
            text: text.clone(),
            drop: false,
            shrink: false,
        };
        if let Err(EditError::CutsSegments(lost)) = edit.apply(&self.panes.transcript.dialog) {
            self.ask_to_cut(text, lost);
            return Vec::new();
        }
        self.set_text(text, None)
    }

    /// Sets the text of the current turn without asking. Of the segments in `lost`, those with
    /// something left shrink and the others are removed.
    pub(super) fn set_text(&mut self, text: String, lost: Option<&LostSegments>) -> Vec<Effect> {
        let turn = self.panes.transcript.turn;
        let edit = Edit::SetText {
            turn,
            text,
            drop: lost.is_some_and(|lost| lost.left.len() < lost.all().len()),
            shrink: lost.is_some_and(|lost| !lost.left.is_empty()),
        };
        let (made, effects) = self.edit(&edit, format!("text of turn {turn}"));
        if made {
            self.panes.transcript.choose(None);
        }
        effects
    }
}
