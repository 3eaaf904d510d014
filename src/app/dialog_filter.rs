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
        app.panes.list.filter = input.text();
        app.panes.list.rebuild(&app.workspace.files);
        if !app
            .panes
            .transcript
            .at
            .is_some_and(|at| app.panes.list.choose(at))
        {
            app.panes.list.skip_names(true);
        }
        app.open_chosen()
    }

    fn accept(self: Box<Self>, app: &mut App, _: PromptInput) -> Vec<Effect> {
        app.panes.focus_on(Focus::Dialogs);
        app.open_chosen()
    }

    fn cancel(self: Box<Self>, app: &mut App) -> Vec<Effect> {
        app.panes.list.filter.clear();
        app.panes.list.rebuild(&app.workspace.files);
        if let Some((at, turn)) = self.from {
            app.panes.list.choose(at);
            // The filter opened matches as the user typed.
            if app.panes.transcript.at != Some(at) {
                return app.go_to(at, turn, None);
            }
        }
        Vec::new()
    }
}

impl App {
    /// Asks for a filter of the dialog list.
    pub(super) fn ask_for_filter(&mut self) -> Vec<Effect> {
        self.panes.focus_on(Focus::Dialogs);
        let from = self
            .panes
            .transcript
            .at
            .map(|at| (at, self.panes.transcript.turn));
        let text = self.panes.list.filter.clone();
        self.ask(DialogFilter { from }, &text)
    }
}
