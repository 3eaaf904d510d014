//! The prompt that narrows the dialog list while the user types.

use crate::app::core::{App, PromptInput, PromptKind};
use crate::app::feature::finding::search;
use crate::app::pane::Focus;
use crate::query::Query;
use crate::workspace::DialogId;

#[derive(Debug)]
pub struct DialogFilter {
    /// The dialog and turn that were shown when the prompt was opened.
    from: Option<(DialogId, usize)>,
    /// The pane that had the focus then.
    focus: Focus,
}

impl PromptKind for DialogFilter {
    fn prefix(&self) -> &'static str {
        "filter dialogs "
    }

    fn hint(&self) -> &'static str {
        "part of an id, a query as turns>20, or the name of a saved one"
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) {
        // A query waits for Enter: it reads all dialogs.
        let text = input.text();
        app.panes.list.filter = if is_query(&text) { String::new() } else { text };
        app.panes.list.rebuild(&app.workspace.files);
        if !app.panes.transcript.at.is_some_and(|at| app.panes.list.choose(at)) {
            app.panes.list.skip_names(true);
        }
        app.open_chosen();
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        app.panes.focus_on(Focus::Dialogs);
        let text = input.text();
        let saved = app.settings.queries.of_name(text.trim());
        if let Some(query) = saved.map(str::to_owned) {
            app.panes.list.filter.clear();
            return search::list_found(app, &query);
        }
        match text.parse::<Query>() {
            Err(error) if !text.is_empty() => {
                app.ask(*self, &text);
                app.complain(error.at_place(&text));
            }
            _ if is_query(&text) => search::list_found(app, &text),
            _ => app.open_chosen(),
        }
    }

    fn cancel(self: Box<Self>, app: &mut App) {
        app.panes.focus_on(self.focus);
        app.panes.list.widen();
        app.panes.list.rebuild(&app.workspace.files);
        if let Some((at, turn)) = self.from {
            app.panes.list.choose(at);
            // The filter opened matches as the user typed.
            if app.panes.transcript.at != Some(at) {
                app.go_to(at, turn, None);
            }
        }
    }
}

/// True for a query with conditions, and for one with an error in them.
fn is_query(text: &str) -> bool {
    !text.is_empty() && text.parse::<Query>().map_or(true, |query| query.as_text().is_none())
}

/// Asks for a filter of the dialog list.
pub fn ask_for_filter(app: &mut App) {
    let focus = app.panes.focus;
    app.panes.focus_on(Focus::Dialogs);
    let from = app.panes.transcript.at.map(|at| (at, app.panes.transcript.turn));
    let text = app.panes.list.filter.clone();
    app.ask(DialogFilter { from, focus }, &text);
}
