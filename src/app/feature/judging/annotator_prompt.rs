//! The prompt for the annotator's id.

use std::sync::Arc;

use crate::app::core::{App, Effect, PromptInput, PromptKind};
use crate::app::feature::judging::{judge, queue, vote};
use crate::votes::ids::may_judge;

#[derive(Debug)]
pub struct AnnotatorPrompt;

impl PromptKind for AnnotatorPrompt {
    fn prefix(&self) -> &'static str {
        "your annotator id "
    }

    fn hint(&self) -> &'static str {
        "stored with your votes; asked for only once"
    }

    fn edits(&self, app: &mut App, input: &PromptInput) -> Vec<usize> {
        let votes = app.judging.waiting.is_some() && may_judge(input.text().trim()).is_ok();
        if votes {
            app.file_of_votes_here()
        } else {
            Vec::new()
        }
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) -> Vec<Effect> {
        set_annotator(app, &input.text())
    }
}

/// Sets the annotator's id.
fn set_annotator(app: &mut App, id: &str) -> Vec<Effect> {
    let id = id.trim();
    if let Err(why) = may_judge(id) {
        app.judging.waiting = None;
        app.say(why);
        return Vec::new();
    }
    id.clone_into(&mut app.judging.annotator);
    judge::sync_judge(app);
    if let Some(rules) = &mut app.workspace.files.rules {
        id.clone_into(&mut Arc::make_mut(rules).judge);
    }
    let mut effects = vec![Effect::RememberAnnotator(id.to_owned())];
    app.judging.queue = None;
    let wanted = app.judging.wanted.clone();
    effects.extend(queue::queue(app, wanted));
    match app.judging.waiting.take() {
        Some(breakdown) => effects.extend(vote::vote(app, breakdown)),
        None => app.say(format!("you judge as {id}")),
    }
    effects
}
