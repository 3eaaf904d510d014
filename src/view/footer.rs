//! The last row: a line to type into, what was said, or the most useful keys.

use ratatui::layout::Position;
use unicode_segmentation::UnicodeSegmentation as _;

use super::paint::Painter;
use crate::app::command;
use crate::app::details::Item;
use crate::app::keymap::Scope;
use crate::app::layout::Area;
use crate::app::line::{Ink, Line, cut, wrapped};
use crate::app::{App, Focus, Overlay};
use crate::text::{counted, grouped, visible, width};

/// Commands that are hinted at, in a word or two, by pane.
const DIALOGS: &[(&str, &str)] = &[
    ("list_down", "next"),
    ("focus_transcript", "read"),
    ("filter", "filter"),
    ("sort", "sort"),
    ("goto_dialog", "go to"),
    ("search", "find"),
    ("focus_next", "pane"),
    ("help", "help"),
    ("quit", "quit"),
];
const TRANSCRIPT: &[(&str, &str)] = &[
    ("turn_next", "turn"),
    ("segment_next", "segment"),
    ("span_enter", "edit"),
    ("dialog_next", "dialog"),
    ("search", "find"),
    ("find_label", "label"),
    ("find_api", "API"),
    ("tab_next", "details"),
    ("focus_next", "pane"),
    ("help", "help"),
    ("quit", "quit"),
];
const JUDGING: &[(&str, &str)] = &[
    ("vote_o", "no breakdown"),
    ("vote_t", "possible"),
    ("vote_x", "breakdown"),
    ("vote_comment", "comment"),
    ("vote_withdraw", "withdraw"),
    ("vote_skip", "skip"),
    ("blind", "blind"),
    ("undo", "undo"),
    ("turn_next", "turn"),
    ("dialog_next", "dialog"),
    ("help", "help"),
    ("quit", "quit"),
];
const SPAN: &[(&str, &str)] = &[
    ("caret_right", "caret"),
    ("select_word_right", "select word"),
    ("end_right", "end →"),
    ("end_left", "← end"),
    ("start_left", "← start"),
    ("start_right", "start →"),
    ("add_segment", "add"),
    ("relabel", "label"),
    ("delete_segment", "delete"),
    ("undo", "undo"),
    ("help", "help"),
    ("span_leave", "done"),
];
const SEGMENT: &[(&str, &str)] = &[
    ("end_right", "end →"),
    ("end_left", "← end"),
    ("relabel", "label"),
    ("delete_segment", "delete"),
];
const ITEMS: &[(&str, &str)] = &[
    ("details_down", "choose"),
    ("item_change", "change"),
    ("item_add", "add"),
    ("item_rename", "rename"),
    ("item_delete", "delete"),
    ("undo", "undo"),
    ("tab_next", "next tab"),
    ("back", "transcript"),
    ("help", "help"),
    ("quit", "quit"),
];
const BALLOT: &[(&str, &str)] = &[
    ("details_down", "choose"),
    ("vote_o", "not a breakdown"),
    ("vote_t", "possible"),
    ("vote_x", "breakdown"),
    ("item_delete", "remove"),
    ("undo", "undo"),
    ("tab_next", "next tab"),
    ("back", "transcript"),
    ("help", "help"),
    ("quit", "quit"),
];
const MENDABLE: &[(&str, &str)] = &[
    ("fix", "fix"),
    ("ignore", "ignore"),
    ("end_right", "end →"),
    ("end_left", "← end"),
    ("relabel", "label"),
    ("delete_segment", "delete"),
];
const DETAILS: &[(&str, &str)] = &[
    ("details_down", "scroll"),
    ("tab_next", "next tab"),
    ("back", "transcript"),
    ("search", "find"),
    ("focus_next", "pane"),
    ("help", "help"),
    ("quit", "quit"),
];
const REVIEW: &[(&str, &str)] = &[
    ("review_accept", "repair"),
    ("review_tick", "tick"),
    ("review_cancel", "leave all"),
    ("review_reach", "dialog, file, all"),
    ("review_tick_all", "all, none"),
    ("review_down", "next"),
];
const SEARCH: &[(&str, &str)] = &[
    ("find_next", "next"),
    ("find_previous", "previous"),
    ("back", "end search"),
];

/// Rows that a message takes besides its own, at the most.
const MESSAGE: u16 = 4;

/// Paints the row; answers with the cell of the cursor of a line that is typed into.
pub fn draw(app: &App, area: Area, painter: &mut Painter<'_>) -> Option<Position> {
    let theme = painter.theme;
    if let Some(Overlay::Prompt(prompt)) = &app.overlay
        && prompt.purpose.is_long()
    {
        let said = "Enter takes it · Alt-Enter a new line · Esc leaves it as it was";
        painter.text(area.x + 1, area.y, area.columns, said, theme.dim());
        return None;
    }
    if let Some(Overlay::Prompt(prompt)) = &app.overlay {
        let sign = prompt.purpose.sign();
        let x = painter.text(area.x, area.y, area.columns, sign, theme.ink(Ink::Key));
        let text = prompt.field.text();
        let room = usize::from((area.x + area.columns).saturating_sub(x + 1));
        let before: String = text.chars().take(prompt.field.cursor().1).collect();
        // Of a long line the end is seen.
        let hidden = width(&visible(&before)).saturating_sub(room);
        let visible_text = visible(&text);
        let (mut shown, mut skipped) = (visible_text.as_ref(), 0);
        for grapheme in visible_text.graphemes(true) {
            if skipped >= hidden {
                break;
            }
            skipped += width(grapheme);
            shown = &shown[grapheme.len()..];
        }
        if text.is_empty() {
            painter.text(
                x,
                area.y,
                room as u16,
                &cut(prompt.purpose.hint(), room),
                theme.dim(),
            );
        } else {
            painter.text(x, area.y, room as u16, shown, theme.plain());
        }
        return Some(Position::new(
            x + width(&visible(&before)).saturating_sub(skipped) as u16,
            area.y,
        ));
    }
    let mut right = String::new();
    if let Some(count) = app.pending.count {
        right = format!(" {count}");
    }
    for key in &app.pending.keys {
        right = format!("{right} {}", key.shown(app.keymap.names));
    }
    if let Some(query) = &app.search.query {
        let state = if app.search.done {
            String::new()
        } else {
            format!(" · {} searched", grouped(app.search.searched))
        };
        let found = format!(
            "{} in {}",
            grouped(app.search.count()),
            counted(app.search.dialogs(), "dialog")
        );
        let query = query.to_string();
        right = format!("{right} {}: {found}{state}", query.trim_end_matches(':'));
    }
    let right = cut(&right, usize::from(area.columns) / 2);
    let room = area.columns.saturating_sub(width(&right) as u16 + 1);
    if app.status.text.is_empty() {
        hints(
            app,
            Area {
                columns: room,
                ..area
            },
            painter,
        );
    } else {
        let ink = if app.status.bad {
            Ink::Error
        } else {
            Ink::Plain
        };
        status(
            &app.status.text,
            ink,
            Area {
                columns: room,
                ..area
            },
            painter,
        );
    }
    let x = area.x + area.columns - width(&right) as u16;
    painter.text(x, area.y, area.columns, &right, theme.dim());
    None
}

/// What was said; where one row is too short for it, over what is above.
fn status(text: &str, ink: Ink, area: Area, painter: &mut Painter<'_>) {
    let room = usize::from(area.columns).saturating_sub(2);
    let lines = wrapped(Line::of(ink, " "), ink, text, room);
    let more = (lines.len().saturating_sub(1) as u16)
        .min(area.y.saturating_sub(2))
        .min(MESSAGE);
    for y in area.y - more..area.y {
        painter.window(area.x, y, painter.canvas.size().columns);
    }
    let area = Area {
        y: area.y - more,
        rows: more + 1,
        ..area
    };
    painter.lines(area, lines.iter());
}

/// The most useful keys here, as many as there is room for; the last two always.
fn hints(app: &App, area: Area, painter: &mut Painter<'_>) {
    let table: &[(&str, &'static str)] = match (&app.overlay, app.focus) {
        (Some(Overlay::Question(_)), _) => &[],
        (Some(Overlay::Review(_)), _) => REVIEW,
        (Some(Overlay::Help { .. }), _) => &[("help_down", "scroll"), ("help_close", "close")],
        (_, Focus::Dialogs) => DIALOGS,
        (_, Focus::Transcript) if app.span.is_some() => SPAN,
        (_, Focus::Transcript) if app.judges() => JUDGING,
        (_, Focus::Transcript) => TRANSCRIPT,
        (_, Focus::Details) if matches!(app.details.item(), Some(Item::Vote { .. })) => BALLOT,
        (_, Focus::Details) if app.details.has_items() => ITEMS,
        (_, Focus::Details) => DETAILS,
    };
    let searching = app.search.query.is_some() && app.overlay.is_none() && app.span.is_none();
    let segment = app.transcript.segment.is_some()
        && app.overlay.is_none()
        && app.scopes() == [Scope::Transcript, Scope::Everywhere];
    let wrong =
        app.overlay.is_none() && app.focus == Focus::Transcript && !app.problems_here().is_empty();
    let fixable = wrong && app.problems_here().iter().any(|d| !d.fixes.is_empty());
    let found: &[(&str, &'static str)] = match (segment, searching) {
        (true, _) if fixable => MENDABLE,
        (true, _) if wrong => &MENDABLE[1..],
        (false, false) if fixable => &MENDABLE[..2],
        (false, false) if wrong => &MENDABLE[1..2],
        (true, _) => SEGMENT,
        (false, true) => SEARCH,
        (false, false) => &[],
    };
    let always = if app.overlay.is_none() { 2 } else { 0 };
    let (some, last) = table.split_at(table.len() - always);
    let keys = |name: &str| {
        let command = command::named(name).filter(|command| (command.can)(app).is_ok())?;
        app.keymap.key_of(command, app.scopes())
    };
    let hint = |(name, word): &(&str, &'static str)| Some((keys(name)?, *word));
    let wide = |(key, word): &(String, &str)| width(key) + width(word) + 3;
    let last: Vec<_> = last.iter().filter_map(hint).collect();
    let mut left =
        usize::from(area.columns).saturating_sub(last.iter().map(wide).sum::<usize>() + 1);
    let mut shown = Vec::new();
    for hint in found.iter().chain(some).filter_map(hint) {
        if wide(&hint) > left {
            break;
        }
        left -= wide(&hint);
        shown.push(hint);
    }
    let mut x = area.x + 1;
    let end = area.x + area.columns;
    for (key, word) in shown.into_iter().chain(last) {
        if x >= end {
            return;
        }
        x = painter.text(x, area.y, end - x, &key, painter.theme.ink(Ink::Key));
        x = painter.text(
            (x + 1).min(end),
            area.y,
            end.saturating_sub(x + 1),
            word,
            painter.theme.dim(),
        ) + 2;
    }
}
