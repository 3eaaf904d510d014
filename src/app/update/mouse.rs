//! The mouse: a click selects, the wheel scrolls, dragging over a turn's text selects text.

use std::cmp::Ordering;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::core::{App, RowMotion};
use crate::app::input::{Mouse, MouseAction};
use crate::app::pane::transcript::cache::ScreenRow;
use crate::app::pane::{Caret, Drag, Focus, Ink, Layout, Line, ListRow, body};
use crate::app::state::Status;
use crate::app::{hints, tabs};
use crate::dialog::{Segment, Span, Turn};
use crate::text::{Units, count, visible, width};
use crate::workspace::OpenFile;

/// Rows per step of the wheel.
const WHEEL: isize = 3;

pub fn mouse(app: &mut App, mouse: Mouse) {
    if mouse.action == MouseAction::Release {
        release_mouse(app);
        return;
    }
    let Some(mut layout) = app.panes.layout() else {
        return;
    };
    // Find the hint before the status line is cleared: the click was aimed at it.
    let hint = (mouse.action == MouseAction::Press && layout.footer.contains(mouse.place()))
        .then(|| hints::hint_at(app, mouse.column))
        .flatten();
    if mouse.action != MouseAction::Drag {
        // Like a key, a click or the wheel clears the message.
        app.status = Status::default();
    }
    if let Some((command, count)) = hint {
        return app.run(command, count);
    }
    if let Some(window) = &app.windows.open {
        let (click, wheel) = (window.on_click(), window.on_motion());
        return match mouse.action {
            MouseAction::Press => click(app, mouse),
            MouseAction::WheelUp => wheel(app, RowMotion::Wheel(-WHEEL)),
            MouseAction::WheelDown => wheel(app, RowMotion::Wheel(WHEEL)),
            MouseAction::Drag | MouseAction::Release => {}
        };
    }
    if let (MouseAction::Drag, Some(held)) = (mouse.action, app.panes.held) {
        let body = body(layout.transcript);
        let row = usize::from(mouse.row.saturating_sub(body.y));
        let column = usize::from(mouse.column.saturating_sub(body.x));
        drag(app, held, row, column);
        if !(body.y..body.bottom()).contains(&mouse.row) {
            app.panes.transcript.creep(mouse.row > body.y);
        }
        return;
    }
    if app.hides_sides()
        && [layout.pinned, layout.transcript].iter().any(|side| side.contains(mouse.place()))
    {
        return on_side(app, mouse, &layout);
    }
    if layout.pinned.contains(mouse.place()) {
        match (mouse.action, &mut app.panes.pinned) {
            (MouseAction::WheelUp, Some(pinned)) => {
                return pinned.scroll(-WHEEL, &app.panes.transcript);
            }
            (MouseAction::WheelDown, Some(pinned)) => {
                return pinned.scroll(WHEEL, &app.panes.transcript);
            }
            // A click goes to it; nothing moves on the screen.
            (MouseAction::Press, Some(pinned)) if pinned.is_dialog() => {
                app.swap_pinned();
                std::mem::swap(&mut layout.pinned, &mut layout.transcript);
            }
            _ => return,
        }
    }
    let Some(pane) = layout.pane_at(mouse.column, mouse.row) else {
        return;
    };
    let body = body(layout.pane(pane));
    let row = usize::from(mouse.row.saturating_sub(body.y));
    let column = usize::from(mouse.column.saturating_sub(body.x));
    match mouse.action {
        MouseAction::WheelUp => app.panes.scroll(pane, -WHEEL),
        MouseAction::WheelDown => app.panes.scroll(pane, WHEEL),
        MouseAction::Press => {
            app.panes.focus_on(pane);
            let on_title = mouse.row < body.y;
            if on_title && pane == Focus::Details {
                tabs::click_tab(app, column);
            } else if !on_title && pane == Focus::Dialogs {
                click_dialog(app, app.panes.list.top + row);
            } else if !on_title && pane == Focus::Transcript {
                click_turn(app, row, column);
            }
        }
        MouseAction::Drag | MouseAction::Release => {}
    }
}

/// Goes to the turn clicked in a side of a pair, or scrolls; both sides do the same.
fn on_side(app: &mut App, mouse: Mouse, layout: &Layout) {
    let of_other = layout.pinned.contains(mouse.place());
    let area = body(if of_other { layout.pinned } else { layout.transcript });
    match mouse.action {
        MouseAction::WheelUp => app.panes.scroll(Focus::Transcript, -WHEEL),
        MouseAction::WheelDown => app.panes.scroll(Focus::Transcript, WHEEL),
        MouseAction::Press => {
            app.panes.focus_on(Focus::Transcript);
            let side = app.panes.pinned.as_ref().filter(|_| of_other);
            let shown = side.map_or(&app.panes.transcript, |side| &side.transcript);
            let row = mouse.row.checked_sub(area.y);
            let clicked = row.and_then(|row| shown.page.get(usize::from(row)));
            if let Some(turn) = clicked.map(ScreenRow::turn) {
                app.go_to_turn(turn);
            }
        }
        MouseAction::Drag | MouseAction::Release => {}
    }
}

/// Ends a drag.
pub fn release_mouse(app: &mut App) {
    app.panes.held = None;
    app.panes.transcript.unhold();
}

fn click_dialog(app: &mut App, row: usize) {
    if let Some(ListRow::File(file)) = app.panes.list.rows.get(row)
        && app.workspace.files.get(*file as usize).is_some_and(OpenFile::has_no_dialogs)
    {
        return app.go_to_file(*file as usize);
    }
    if row < app.panes.list.rows.len() {
        app.panes.list.cursor = row;
        if app.panes.list.chosen().is_none() && !app.panes.list.unfold(&app.workspace.files) {
            app.panes.list.fold(&app.workspace.files);
            return;
        }
        app.panes.list.skip_names(true);
    }
    app.open_chosen();
}

/// Makes the clicked turn the current one, and the segment under the mouse the current segment;
/// in span mode the caret goes to the click.
fn click_turn(app: &mut App, row: usize, column: usize) {
    let Some(shown) = app.panes.transcript.page.get(row).cloned() else {
        return;
    };
    if app.panes.transcript.turn != shown.turn() {
        app.panes.transcript.set_caret(None);
    }
    app.panes.transcript.hold(row);
    let units = app.panes.transcript.dialog.units;
    let Some(turn) = app.panes.transcript.current() else {
        return;
    };
    let on = unit_at(turn, units, shown.line(), column);
    let segment = match on {
        Some(on) => turn.shortest_around(Span { start: on.start, end: on.start }),
        None => labelled(app, turn, ink_at(shown.line(), column)),
    };
    app.panes.transcript.choose(segment);
    app.panes.held = on.map(|on| Drag { turn: shown.turn(), on });
    if let (Some(_), Some(on)) = (app.panes.transcript.caret, on) {
        let (at, anchor) = (on.start, None);
        app.panes.transcript.set_caret(Some(Caret { at, anchor }));
    }
}

/// Selects from the press to the mouse.
fn drag(app: &mut App, held: Drag, row: usize, column: usize) {
    let units = app.panes.transcript.dialog.units;
    let last = app.panes.transcript.page.len().saturating_sub(1);
    let (Some(shown), Some(turn)) = (
        app.panes.transcript.page.get(row.min(last)).cloned(),
        app.panes.transcript.dialog.turns.get(held.turn),
    ) else {
        return;
    };
    let end = |at: u32| Some(Span { start: at, end: at });
    let on = match shown.turn().cmp(&held.turn) {
        Ordering::Less => end(0),
        Ordering::Equal => unit_at(turn, units, shown.line(), column),
        Ordering::Greater => end(turn.length(units) as u32),
    };
    // A row of marks has no place in the text.
    let Some(on) = on else {
        return;
    };
    if on == held.on && app.panes.transcript.caret.is_none() {
        // The mouse moved a little during a click.
        return;
    }
    let (anchor, at) =
        if on.start < held.on.start { (held.on.end, on.start) } else { (held.on.start, on.end) };
    app.panes.transcript.go(held.turn);
    let anchor = Some(anchor);
    app.panes.transcript.set_caret(Some(Caret { at, anchor }));
}

/// Returns the character or token of `turn` in column `column` of `line`; empty after the end of the
/// line. None if the line shows no text of the turn.
fn unit_at(turn: &Turn, units: Units, line: &Line, column: usize) -> Option<Span> {
    let anchor = line.anchor?;
    let text = turn.text.get(anchor.byte..)?;
    let (mut used, mut bytes) = (anchor.column, anchor.byte..anchor.byte);
    let end = line.width();
    for grapheme in text.graphemes(true) {
        if used >= end || column < used {
            break;
        }
        used += width(&visible(grapheme));
        bytes = bytes.end..bytes.end + grapheme.len();
        if column < used {
            break;
        }
        bytes.start = bytes.end;
    }
    Some(match units {
        Units::CodePoints => {
            let start = count(&turn.text[..bytes.start]);
            let end = start + count(&turn.text[bytes]);
            Span { start: start as u32, end: end as u32 }
        }
        Units::Tokens(_) => {
            let token = |i: u32| Span { start: i, end: i + 1 };
            let (count, places) = (turn.tokens.len() as u32, turn.places(units));
            let ends_behind = |i: &u32| places.bytes_of(token(*i)).end > bytes.start;
            (0..count).find(ends_behind).map_or(Span { start: count, end: count }, token)
        }
    })
}

/// Returns the first segment whose label has this ink.
fn labelled(app: &App, turn: &Turn, ink: Option<Ink>) -> Option<usize> {
    let ink = ink.filter(|ink| matches!(ink, Ink::Label(_)))?;
    let segment_ink = |segment: &Segment| app.panes.transcript.segment_ink(segment);
    turn.segments.iter().position(|s| segment_ink(s) == ink)
}

fn ink_at(line: &Line, column: usize) -> Option<Ink> {
    let mut end = 0;
    line.runs.iter().find_map(|run| {
        end += width(&run.text);
        (column < end).then_some(run.ink)
    })
}
