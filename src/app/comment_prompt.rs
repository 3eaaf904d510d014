//! The prompt for a comment on the annotator's own vote.

use super::prompt::{PromptInput, PromptKind};
use super::{App, Effect};

#[derive(Debug)]
struct CommentPrompt;

impl PromptKind for CommentPrompt {
    fn prefix(&self) -> &'static str {
        "comment "
    }

    fn title(&self, app: &App, _: &PromptInput) -> Option<String> {
        Some(format!(
            "Your comment on turn {}",
            app.panes.transcript.turn
        ))
    }

    fn is_long(&self) -> bool {
        true
    }

    fn edits(&self, app: &mut App, _: &PromptInput) -> Vec<usize> {
        app.file_of_votes_here()
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) -> Vec<Effect> {
        app.set_comment(input.text())
    }

    fn cancel(self: Box<Self>, app: &mut App) -> Vec<Effect> {
        app.go_on()
    }
}

impl App {
    /// Asks for a comment on the vote.
    pub(super) fn comment(&mut self) -> Vec<Effect> {
        let mut effects = self.go_back();
        if let Some(vote) = self.judged_here() {
            effects.extend(self.ask(CommentPrompt, &vote.comment));
        }
        effects
    }

    fn set_comment(&mut self, text: String) -> Vec<Effect> {
        let Some(breakdown) = self.judged_here().and_then(|vote| vote.breakdown) else {
            return Vec::new();
        };
        let (_, mut effects) = self.cast(breakdown, Some(text), None);
        effects.extend(self.go_on());
        effects
    }
}
