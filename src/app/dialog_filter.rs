//! The prompt that narrows the dialog list while the user types.

use super::prompt::{PromptInput, PromptKind};
use super::{App, Effect, Focus};
use crate::workspace::DialogId;

#[derive(Debug)]
pub(super) struct DialogFilter {
    /// The dialog and turn that were shown when the prompt was opened.
    from: Option<(DialogId, usize)>,
}

impl PromptKind for DialogFilter {
    fn prefix(&self) -> &'static str {
        "filter dialogs "
    }

    fn hint(&self) -> &'static str {
        "part of an id"
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) -> Vec<Effect> {
        app.list.filter = input.text();
        app.list.rebuild(&app.files);
        if !app.transcript.at.is_some_and(|at| app.list.choose(at)) {
            app.list.skip_names(true);
        }
        app.open_chosen()
    }

    fn accept(self: Box<Self>, app: &mut App, _: PromptInput) -> Vec<Effect> {
        app.focus_on(Focus::Dialogs);
        app.open_chosen()
    }

    fn cancel(self: Box<Self>, app: &mut App) -> Vec<Effect> {
        app.list.filter.clear();
        app.list.rebuild(&app.files);
        if let Some((at, turn)) = self.from {
            app.list.choose(at);
            // The filter opened matches as the user typed.
            if app.transcript.at != Some(at) {
                return app.go_to(at, turn, None);
            }
        }
        Vec::new()
    }
}

impl App {
    /// Asks for a filter of the dialog list.
    pub(super) fn ask_for_filter(&mut self) -> Vec<Effect> {
        self.focus_on(Focus::Dialogs);
        let from = self.transcript.at.map(|at| (at, self.transcript.turn));
        let text = self.list.filter.clone();
        self.ask(DialogFilter { from }, &text)
    }
}
