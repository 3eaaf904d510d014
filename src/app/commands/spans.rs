//! Commands that edit spans: the caret, the selection, the ends of segments and their labels.

use crate::app::core::App;
use crate::app::feature::editing::label_picker::{LabelUse, ask_for_label};
use crate::app::feature::editing::{label_picker, segments};
use crate::app::feature::finding::side_branch;
use crate::app::feature::review::decide;
use crate::app::input::Command;
use crate::app::pane::Caret;
use crate::text::{Direction, Motion, SpanEdge};

/// Edits spans in this turn, or shows, folds or opens its side branch.
pub fn enter(app: &mut App) {
    if side_branch::is_here(app) {
        side_branch::open(app);
    } else {
        segments::enter_span(app);
    }
}

/// Drops the selection; without one, leaves span editing.
pub fn span_leave(app: &mut App) {
    if app.panes.transcript.caret.is_some_and(|caret| caret.anchor.is_some()) {
        let at = app.panes.transcript.caret.map_or(0, |caret| caret.at);
        app.panes.transcript.set_caret(Some(Caret { at, anchor: None }));
    } else {
        app.panes.transcript.set_caret(None);
    }
}

/// Selects the whole turn.
pub fn select_all(app: &mut App) {
    let end = app
        .panes
        .transcript
        .current()
        .map_or(0, |turn| turn.length(app.panes.transcript.dialog.units));
    app.panes.transcript.set_caret(Some(Caret { at: end as u32, anchor: Some(0) }));
}

/// Starts or stops selecting from the caret.
pub fn toggle_selecting(app: &mut App) {
    let (at, selecting) =
        (app.panes.transcript.caret.map_or(0, |caret| caret.at), !app.panes.transcript.selecting);
    app.panes.transcript.set_caret(Some(Caret { at, anchor: selecting.then_some(at) }));
    app.panes.transcript.selecting = selecting;
}

/// Adds a segment on the selection; a digit adds it with a label.
pub fn add_segment(app: &mut App, digit: Option<usize>) {
    if app.panes.transcript.selection().is_none() {
        let left = app.key(Command::SelectLeft);
        let right = app.key(Command::SelectRight);
        app.say(format!("select what the segment should cover ({left}, {right})"));
        return;
    }
    match digit {
        Some(digit @ 1..=9) => label_picker::add_labelled(app, digit),
        _ => ask_for_label(app, LabelUse::Add),
    }
}

/// Removes the last label.
pub fn remove_label(app: &mut App) {
    let mut labels = app.panes.transcript.current_labels();
    labels.pop();
    let bare = labels.is_empty();
    segments::relabel(app, labels);
    if bare && app.status.is_empty() {
        app.say("the segment has no labels now");
    }
}

/// Moves an edge of the suggested span under review, or of the current segment.
pub fn move_edge(
    app: &mut App,
    count: Option<usize>,
    edge: SpanEdge,
    step: Motion,
    direction: Direction,
) {
    for _ in 0..count.unwrap_or(1).min(segments::MOST_STEPS) {
        if app.review().reviewing {
            decide::move_edge(app, edge, step, direction);
        } else {
            segments::move_edge(app, edge, step, direction);
        }
    }
}
