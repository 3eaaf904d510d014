//! The list of dialogs.

use compact_str::{ToCompactString as _, format_compact};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::pane::title_row;
use super::theme::Theme;
use crate::app::layout::body;
use crate::app::line::{Ink, elided, path_end, truncated};
use crate::app::list::{ListRow, SortOrder};
use crate::app::{App, Focus, command};
use crate::text::{grouped, width};
use crate::workspace::{DialogId, LoadState};

pub fn draw(app: &App, area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let room = usize::from(area.width).saturating_sub(1);
    let title = truncated(&title(app, room), room);
    let focused = app.panes.focus == Focus::Dialogs;
    title_row(&[(&title, true)], focused, area, theme, buffer);
    let body = body(area);
    let listed = app
        .panes
        .list
        .rows
        .iter()
        .enumerate()
        .skip(app.panes.list.top);
    for (row, (number, listed)) in body.rows().zip(listed) {
        let chosen = number == app.panes.list.cursor;
        if chosen {
            buffer.set_style(row, theme.current());
        }
        match listed {
            ListRow::File(file) => file_row(app, *file, row, theme, buffer),
            ListRow::Dialog(at) => dialog_row(app, *at, chosen, row, theme, buffer),
        }
    }
    if app.panes.list.rows.is_empty() && !app.panes.list.filter.is_empty() {
        let [filter, cancel] =
            [&command::FILTER, &command::CANCEL].map(|command| app.input.keymap.shown(command));
        let ends = format!(" {filter} {cancel}: show all");
        for (row, said) in body.rows().zip([" no id contains this", &ends]) {
            Span::styled(said, theme.dim()).render(row, buffer);
        }
    }
}

/// The listed part of all dialogs and its order, shortened to `room` columns.
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

fn file_row(app: &App, file: u32, row: Rect, theme: &Theme, buffer: &mut Buffer) {
    let Some(open) = app.workspace.files.get(file as usize) else {
        return;
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
    let room = usize::from(row.width);
    let name = path_end(
        &open.name,
        room.saturating_sub(2 + width(&note).min(room / 2)),
    );
    let note = truncated(&note, room.saturating_sub(width(&name) + 2));
    let name = Span::styled(name, theme.ink(ink));
    let note = Span::styled(note, theme.dim());
    Line::from_iter([name, Span::raw("  "), note]).render(row, buffer);
}

fn dialog_row(
    app: &App,
    at: DialogId,
    chosen: bool,
    row: Rect,
    theme: &Theme,
    buffer: &mut Buffer,
) {
    let Some(outline) = app.workspace.files.summary(at) else {
        return;
    };
    let ink = |ink: Ink| {
        if chosen {
            theme.ink_on_current(ink)
        } else {
            theme.ink(ink)
        }
    };
    let room = usize::from(row.width).saturating_sub(12);
    let (name, ink_of_name) = if outline.broken {
        (&format_compact!("{} unreadable", at.dialog), Ink::Error)
    } else if outline.id.is_empty() {
        (&format_compact!("dialog {}", at.dialog), Ink::Plain)
    } else {
        (&outline.id, Ink::Plain)
    };
    let mark = |mark, is_shown, of| {
        if is_shown {
            Span::styled(mark, ink(of))
        } else {
            Span::raw(" ")
        }
    };
    let left = Line::from_iter([
        mark("▸", chosen, Ink::Strong),
        mark("●", app.workspace.files.is_changed(at), Ink::Warning),
        Span::styled(elided(name, room), ink(ink_of_name)),
    ]);
    left.render(row, buffer);
    // The problems have the last four columns; before them comes the number of turns.
    let (counts, problems) = (row.width.saturating_sub(5), row.width.saturating_sub(4));
    let counts = Rect {
        width: counts,
        ..row
    };
    let turns = Span::styled(outline.turns.to_compact_string(), ink(Ink::Dim));
    Line::from(turns).right_aligned().render(counts, buffer);
    let problems = Rect {
        x: row.x + problems,
        width: row.width - problems,
        ..row
    };
    // A truncated number would be wrong.
    let number = match outline.problems {
        0 => return,
        few @ ..1000 => format_compact!("▲{few}"),
        many => format_compact!("▲{}k", (many / 1000).min(99)),
    };
    Span::styled(number, ink(Ink::Error)).render(problems, buffer);
}
