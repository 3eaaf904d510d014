//! The prompt that narrows the dialog list while the user types.

use crate::app::core::{App, TextPrompt};
use crate::app::feature::finding::search;
use crate::app::pane::Focus;
use crate::query::Query;
use crate::workspace::DialogId;

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
    ask(app, from, focus, &text);
}

/// Opens the prompt, which was opened at first with this pane focused and this dialog and turn on the screen.
fn ask(app: &mut App, from: Option<(DialogId, usize)>, focus: Focus, text: &str) {
    let take = move |app: &mut App, typed: &str| accept(app, from, focus, typed);
    let cancel = move |app: &mut App| {
        app.panes.focus_on(focus);
        app.panes.list.widen();
        app.panes.list.rebuild(&app.workspace.files);
        if let Some((at, turn)) = from {
            app.panes.list.choose(at);
            // The filter opened matches as the user typed.
            if app.panes.transcript.at != Some(at) {
                app.go_to(at, turn, None);
            }
        }
    };
    let prompt = TextPrompt::text("filter dialogs ", take).follow(narrow).or_else(cancel);
    app.ask(
        prompt.hint("part of an id, a query like turns>20, or the name of a saved query"),
        text,
    );
}

/// Lists the dialogs whose ids contain a text, as it is typed.
fn narrow(app: &mut App, text: &str) {
    // A query waits for Enter: it reads all dialogs.
    app.panes.list.filter = if is_query(text) { String::new() } else { text.to_owned() };
    app.panes.list.rebuild(&app.workspace.files);
    if !app.panes.transcript.at.is_some_and(|at| app.panes.list.choose(at)) {
        app.panes.list.skip_names(true);
    }
    app.open_chosen();
}

fn accept(app: &mut App, from: Option<(DialogId, usize)>, focus: Focus, text: &str) {
    app.panes.focus_on(Focus::Dialogs);
    let saved = app.settings.queries.of_name(text.trim());
    if let Some(query) = saved.map(str::to_owned) {
        app.panes.list.filter.clear();
        return search::list_found(app, &query);
    }
    match text.parse::<Query>() {
        Err(error) if !text.is_empty() => {
            ask(app, from, focus, text);
            app.complain(error.at_place(text));
        }
        _ if is_query(text) => search::list_found(app, text),
        _ => app.open_chosen(),
    }
}
