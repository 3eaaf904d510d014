//! The prompt for a comment on the annotator's own vote.

use crate::app::core::{App, PromptInput, PromptKind};
use crate::app::feature::judging::{adjudicate, leading, vote};

#[derive(Debug)]
struct CommentPrompt;

impl PromptKind for CommentPrompt {
    fn is_about_turn(&self) -> bool {
        true
    }

    fn prefix(&self) -> &'static str {
        "comment "
    }

    fn title(&self, app: &App, _: &PromptInput) -> Option<String> {
        Some(format!(
            "{} turn {}",
            if app.judging.adjudicates {
                "The reason for the gold label of"
            } else {
                "Your comment on"
            },
            app.panes.transcript.turn
        ))
    }

    fn is_long(&self) -> bool {
        true
    }

    fn edits(&self, app: &mut App, _: &PromptInput) -> Vec<usize> {
        vote::files_to_vote_in(app)
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        set_comment(app, input.text());
    }

    fn cancel(self: Box<Self>, app: &mut App) {
        leading::go_on(app);
    }
}

/// Asks for a comment on the vote.
pub fn comment(app: &mut App) {
    leading::go_back(app);
    if let Some(vote) = vote::judged_here(app) {
        app.ask(CommentPrompt, &vote.comment);
    }
}

fn set_comment(app: &mut App, text: String) {
    let Some(breakdown) = vote::judged_here(app).and_then(|vote| vote.breakdown) else {
        return;
    };
    if app.judging.adjudicates {
        adjudicate::set_gold(app, breakdown, Some(text));
    } else {
        vote::cast(app, breakdown, Some(text), None);
    }
    leading::go_on(app);
}
