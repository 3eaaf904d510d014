//! Commands that move through turns, segments and dialogs.

use crate::app::commands::details;
use crate::app::core::{App, RowMotion};
use crate::app::feature::editing::segments;
use crate::app::pane::{Focus, body};
use crate::app::state::TurnPlace;
use crate::text::Direction;

/// Last turn; with a count N, turn N.
pub fn turn_last(app: &mut App, count: Option<usize>) {
    let (_, last) = app.turn_and_last();
    to_turn(app, count.unwrap_or(last));
}

/// Hides the dialogs of this file or folder; again, those of the folder around it.
pub fn list_fold(app: &mut App) {
    if !app.panes.list.fold(&app.workspace.files) {
        app.say("no file or folder to fold here");
    }
}

pub fn turn(app: &mut App, count: Option<usize>, direction: Direction) {
    if count.is_none() && app.panes.scroll_within(direction) {
        return;
    }
    let ((here, last), by) = (app.turn_and_last(), count.unwrap_or(1));
    match (direction.is_forward(), here) {
        (true, here) if here == last => app.say("this is the last turn"),
        (false, 0) => app.say("this is the first turn"),
        (is_forward, here) => {
            let turn = app.panes.transcript.turns_away(here, by, is_forward);
            app.go_to_turn(turn);
        }
    }
}

/// Goes to dialog `place` of the list, counted from 1, or to the last one if there are fewer.
fn list_place(app: &mut App, place: usize) {
    app.panes.list.go_to_place(place);
    app.open_chosen();
}

/// Goes to turn `turn`, or to the last one if there are fewer.
pub fn to_turn(app: &mut App, turn: usize) {
    let (_, last) = app.turn_and_last();
    if turn > last {
        app.say(format!("there is no turn {turn}; the last is {last}"));
    }
    app.go_to_turn(turn);
}

/// Goes to the next or previous segment, across turns.
pub fn segment(app: &mut App, direction: Direction) {
    let turn = app.panes.transcript.turn;
    if !app.panes.transcript.step_segment(direction) {
        app.say(if direction.is_forward() {
            "no segment after this one"
        } else {
            "no segment before this one"
        });
    }
    let Some(caret) = app.panes.transcript.caret else {
        return;
    };
    if app.panes.transcript.turn != turn {
        segments::enter_span(app);
    }
    // A selection is kept, for the segment to be resized to it.
    if caret.selection().is_none() {
        segments::caret_to_segment(app);
    }
}

/// Goes back to the places that were left by jumps, or forward again.
pub fn jump(app: &mut App, count: Option<usize>, direction: Direction) {
    for _ in 0..count.unwrap_or(1).min(1000) {
        let Some(here) = app.turn_place() else {
            return;
        };
        let files = &app.workspace.files;
        let exists = |place: &TurnPlace| files.has_dialog(place.at);
        let place = app.session.jumps.step(direction, here, exists);
        let Some(TurnPlace { at, turn, segment }) = place else {
            app.say(if direction.is_forward() {
                "nowhere to go forward to"
            } else {
                "nowhere to go back to"
            });
            return;
        };
        app.open_from_list(at);
        app.go_to(at, turn, segment);
    }
}

/// Returns the rows to scroll for a page: two less than the pane has, so that two stay visible.
fn page_rows(app: &App) -> usize {
    let pane = app.panes.layout().map(|layout| body(layout.pane(app.panes.focus)));
    usize::from(pane.unwrap_or_default().height).saturating_sub(2).max(1)
}

/// Goes through the rows of the open window, or else of the focused pane.
pub fn rows(app: &mut App, count: Option<usize>, motion: RowMotion) {
    if let Some(window) = &app.windows.open {
        let follow = window.on_motion();
        return follow(app, motion);
    }
    match (motion, app.panes.focus) {
        (RowMotion::Pages(sign), _) => page(app, count, sign),
        (RowMotion::Steps(sign), Focus::Dialogs) => dialog(app, count, sign),
        (RowMotion::Steps(sign), Focus::Details) => {
            details::step_item(
                app,
                sign * isize::try_from(count.unwrap_or(1)).unwrap_or(isize::MAX / 2),
            );
        }
        (RowMotion::Steps(1), Focus::Transcript) => turn(app, count, Direction::Forward),
        (RowMotion::Steps(_), Focus::Transcript) => turn(app, count, Direction::Back),
        (RowMotion::First, Focus::Dialogs) => list_place(app, count.unwrap_or(1)),
        (RowMotion::First, Focus::Transcript) => to_turn(app, count.unwrap_or(0)),
        (RowMotion::First, Focus::Details) => details::go_to_end(app, false),
        (RowMotion::Last, Focus::Dialogs) => list_place(app, count.unwrap_or(usize::MAX)),
        (RowMotion::Last, Focus::Transcript) => turn_last(app, count),
        (RowMotion::Last, Focus::Details) => details::go_to_end(app, true),
        (RowMotion::Wheel(by), focus) => app.panes.scroll(focus, by),
    }
}

/// Scrolls the focused pane by pages, down or up by `sign`.
fn page(app: &mut App, count: Option<usize>, sign: isize) {
    let rows = page_rows(app);
    scroll(app, rows.saturating_mul(count.unwrap_or(1)), sign);
}

/// Scrolls the focused pane by half pages, down or up by `sign`.
pub fn half_page(app: &mut App, count: Option<usize>, sign: isize) {
    let rows = page_rows(app).div_ceil(2);
    scroll(app, rows.saturating_mul(count.unwrap_or(1)), sign);
}

/// Scrolls the focused pane by rows, down or up by `sign`.
fn scroll(app: &mut App, rows: usize, sign: isize) {
    let by = sign * isize::try_from(rows).unwrap_or(isize::MAX / 2);
    if app.panes.focus == Focus::Dialogs {
        app.panes.list.step(by);
        return app.open_chosen();
    }
    if app.panes.focus == Focus::Details {
        return details::page(app, by);
    }
    app.panes.scroll(app.panes.focus, by);
}

/// Goes to the next or previous dialog of the list, by `sign`.
pub fn dialog(app: &mut App, count: Option<usize>, sign: isize) {
    let before = app.panes.list.cursor;
    // One by one, because file names between dialogs do not count.
    for _ in 0..count.unwrap_or(1) {
        let here = app.panes.list.cursor;
        app.panes.list.step(sign);
        // Outside the list, folded files and folders are passed over.
        while app.panes.focus != Focus::Dialogs && app.panes.list.chosen().is_none() {
            let folded = app.panes.list.cursor;
            app.panes.list.step(sign);
            if app.panes.list.cursor == folded {
                app.panes.list.cursor = here;
                break;
            }
        }
        if app.panes.list.cursor == here {
            break;
        }
    }
    if app.panes.list.cursor == before {
        let end = if sign > 0 { "last" } else { "first" };
        app.say(if !app.panes.list.rows.is_empty() {
            format!("this is the {end} dialog of the list")
        } else if !app.panes.list.filter.is_empty() {
            format!("no dialog id contains {}", app.panes.list.filter)
        } else if app.panes.list.found.is_some() {
            "no dialog has a hit".to_owned()
        } else {
            "there are no dialogs".to_owned()
        });
    }
    app.open_chosen();
}
