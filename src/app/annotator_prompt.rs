//! The prompt for the annotator's id.

use std::sync::Arc;

use super::prompt::{PromptInput, PromptKind};
use super::{App, Effect};
use crate::votes::ids::may_judge;

#[derive(Debug)]
pub(super) struct AnnotatorPrompt;

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
        app.set_annotator(&input.text())
    }
}

impl App {
    /// Sets the annotator's id.
    fn set_annotator(&mut self, id: &str) -> Vec<Effect> {
        let id = id.trim();
        if let Err(why) = may_judge(id) {
            self.judging.waiting = None;
            self.say(why);
            return Vec::new();
        }
        id.clone_into(&mut self.judging.annotator);
        self.sync_judge();
        if let Some(rules) = &mut self.workspace.files.rules {
            id.clone_into(&mut Arc::make_mut(rules).judge);
        }
        let mut effects = vec![Effect::RememberAnnotator(id.to_owned())];
        self.judging.queue = None;
        let wanted = self.judging.wanted;
        effects.extend(self.queue(wanted));
        match self.judging.waiting.take() {
            Some(breakdown) => effects.extend(self.vote(breakdown)),
            None => self.say(format!("you judge as {id}")),
        }
        effects
    }
}
