//! The list of dialogs.

use compact_str::{ToCompactString as _, format_compact};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::pane::{draw_lines, title_row};
use super::theme::Theme;
use crate::app::pane::line::path_end;
use crate::app::pane::{Ink, Line, ListRow, SortOrder, body, elided, truncated};
use crate::app::{App, Focus, commands};
use crate::text::{grouped, width};
use crate::workspace::{DialogId, LoadState};

pub fn draw(app: &App, area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let room = usize::from(area.width).saturating_sub(1);
    let title = truncated(&title(app, room), room);
    let focused = app.panes.focus == Focus::Dialogs;
    title_row(&[(&title, true)], focused, area, theme, buffer);
    let body = body(area);
    let list = &app.panes.list;
    let columns = usize::from(body.width);
    let shown = list.rows.iter().enumerate().skip(list.top);
    let lines = shown.take(body.height.into()).map(|(number, row)| {
        let chosen = number == list.cursor;
        let mut line = match row {
            ListRow::File(file) => file_line(app, *file, columns),
            ListRow::Dialog(at) => dialog_line(app, *at, chosen, columns),
        };
        line.selected = chosen;
        line
    });
    draw_lines(&lines.collect::<Vec<_>>(), body, theme, buffer);
    if list.rows.is_empty() && !list.filter.is_empty() {
        let [filter, cancel] =
            [commands::FILTER.name, commands::CANCEL.name].map(|name| app.input.keymap.shown(name));
        let ends = format!(" {filter}, then {cancel}: show all");
        let lines = [" no id contains this", &ends].map(|said| Line::of(Ink::Dim, said));
        draw_lines(&lines, body, theme, buffer);
    }
}

/// The title: the selected dialog's place, the number of dialogs, the filter and the order, shortened to
/// `room` columns.
fn title(app: &App, room: usize) -> String {
    let list = &app.panes.list;
    let mut count = grouped(list.dialogs());
    if let Some(place) = list.place() {
        count = format!("{} of {count}", grouped(place));
    }
    if !list.filter.is_empty() {
        count = format!("{count} · {}", list.filter);
    }
    let plain = format!("Dialogs  {count}");
    if list.sort == SortOrder::File {
        return plain;
    }
    let (name, short) = (list.sort.name(), list.sort.short());
    let fits = |title: &String| width(title) <= room;
    let sorted = [
        format!("{plain} · {name}"),
        format!("{plain} {short}"),
        format!("{count} {short}"),
    ];
    sorted.into_iter().find(fits).unwrap_or(plain)
}

fn file_line(app: &App, file: u32, columns: usize) -> Line {
    let Some(open) = app.workspace.files.get(file as usize) else {
        return Line::new();
    };
    let (ink, note) = match &open.state {
        LoadState::Failed(reason) => (Ink::Error, format!("▲ {reason}")),
        LoadState::Ontology(_) => (Ink::Dim, "ontology".to_owned()),
        LoadState::Reading { .. } => (Ink::Title, format!("{} …", grouped(open.dialogs()))),
        _ if app.workspace.files.is_broken(file as usize) => {
            (Ink::Error, format!("▲ {}", grouped(open.dialogs())))
        }
        _ => (Ink::Title, grouped(open.dialogs())),
    };
    let name = path_end(
        &open.name,
        columns.saturating_sub(2 + width(&note).min(columns / 2)),
    );
    let note = truncated(&note, columns.saturating_sub(width(&name) + 2));
    Line::of(ink, &name)
        .with(Ink::Plain, "  ")
        .with(Ink::Dim, &note)
}

fn dialog_line(app: &App, at: DialogId, chosen: bool, columns: usize) -> Line {
    let Some(outline) = app.workspace.files.summary(at) else {
        return Line::new();
    };
    let (name, ink) = if outline.broken {
        (&format_compact!("{} unreadable", at.dialog), Ink::Error)
    } else if outline.id.is_empty() {
        (&format_compact!("dialog {}", at.dialog), Ink::Plain)
    } else {
        (&outline.id, Ink::Plain)
    };
    // A truncated number would be wrong.
    let problems = match outline.problems {
        0 => format_compact!(""),
        few @ ..1000 => format_compact!("▲{few}"),
        many => format_compact!("▲{}k", (many / 1000).min(99)),
    };
    let mark = |mark, ink, is_shown| {
        if is_shown {
            (mark, ink)
        } else {
            (" ", Ink::Plain)
        }
    };
    let (cursor, cursor_ink) = mark("▸", Ink::Strong, chosen);
    let (dot, dot_ink) = mark("●", Ink::Warning, app.workspace.files.is_changed(at));
    let mut line = Line::of(cursor_ink, cursor)
        .with(dot_ink, dot)
        .with(ink, &elided(name, columns.saturating_sub(12)));
    let turns = outline.turns.to_compact_string();
    // The problems have the last four columns.
    line.fill(columns.saturating_sub(5 + turns.len()));
    line.with(Ink::Dim, &turns)
        .with(Ink::Plain, " ")
        .with(Ink::Error, &problems)
}
