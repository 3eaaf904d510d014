//! The list of dialogs.

use compact_str::{ToCompactString as _, format_compact};
use ratatui::style::Style;

use super::painter::Painter;
use crate::app::layout::Area;
use crate::app::line::{Ink, elided, path_end, truncated};
use crate::app::list::{ListRow, SortOrder};
use crate::app::{App, Focus, command};
use crate::text::{grouped, width};
use crate::workspace::{DialogId, LoadState};

pub fn draw(app: &App, area: Area, painter: &mut Painter<'_>) {
    let room = usize::from(area.columns).saturating_sub(1);
    let title = title(app, room);
    let title = truncated(&title, room);
    painter.title(area, &[(&title, true)], app.focus == Focus::Dialogs);
    let body = area.body();
    let rows = app
        .list
        .rows
        .iter()
        .enumerate()
        .skip(app.list.top)
        .take(body.rows.into());
    for (line, (number, row)) in rows.enumerate() {
        let y = body.y + line as u16;
        let chosen = number == app.list.cursor;
        let style = if chosen {
            painter.theme.plain().patch(painter.theme.current())
        } else {
            painter.theme.plain()
        };
        if chosen {
            painter.band(body.x, y, body.columns, style);
        }
        match row {
            ListRow::File(file) => file_row(app, *file, Area { y, rows: 1, ..body }, painter),
            ListRow::Dialog(at) => dialog_row(
                app,
                *at,
                chosen,
                Area { y, rows: 1, ..body },
                style,
                painter,
            ),
        }
    }
    if app.list.rows.is_empty() && !app.list.filter.is_empty() {
        let [filter, cancel] =
            [&command::FILTER, &command::CANCEL].map(|command| app.keymap.shown(command));
        let ends = format!("{filter} {cancel}: show all");
        for (y, said) in (body.y..).zip(["no id contains this", &ends]) {
            if y < body.y + body.rows {
                painter.text(body.x + 1, y, body.columns - 1, said, painter.theme.dim());
            }
        }
    }
}

/// The listed part of all dialogs and its order, shortened to `room` columns.
fn title(app: &App, room: usize) -> String {
    let list = &app.list;
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

fn file_row(app: &App, file: u32, area: Area, painter: &mut Painter<'_>) {
    let Some(open) = app.files.get(file as usize) else {
        return;
    };
    let (ink, note) = match &open.state {
        LoadState::Failed(reason) => (Ink::Error, format!("▲ {reason}")),
        LoadState::Ontology(_) => (Ink::Dim, "ontology".to_owned()),
        LoadState::Reading { .. } => (Ink::Title, format!("{} …", grouped(open.dialogs()))),
        _ if app.files.is_broken(file as usize) => {
            (Ink::Error, format!("▲ {}", grouped(open.dialogs())))
        }
        _ => (Ink::Title, grouped(open.dialogs())),
    };
    let room = usize::from(area.columns);
    let name = path_end(
        &open.name,
        room.saturating_sub(2 + width(&note).min(room / 2)),
    );
    let x = painter.text(area.x, area.y, area.columns, &name, painter.theme.ink(ink));
    let left = (area.x + area.columns).saturating_sub(x + 2);
    if left > 0 {
        let note = truncated(&note, left.into());
        painter.text(x + 2, area.y, left, &note, painter.theme.dim());
    }
}

fn dialog_row(
    app: &App,
    at: DialogId,
    chosen: bool,
    area: Area,
    style: Style,
    painter: &mut Painter<'_>,
) {
    let Some(outline) = app.files.summary(at) else {
        return;
    };
    let theme = painter.theme;
    let paint = |ink: Ink| {
        style.patch(theme.ink(ink)).patch(if chosen {
            Style {
                fg: None,
                ..theme.current()
            }
        } else {
            Style::new()
        })
    };
    if chosen {
        painter.text(area.x, area.y, 1, "▸", paint(Ink::Strong));
    }
    let turns = outline.turns.to_compact_string();
    // Right-aligned: the marks, and before them the number of turns.
    let marks = 5;
    let right = marks + 4;
    let room = usize::from(area.columns).saturating_sub(right + 3);
    let name = if outline.broken {
        &format_compact!("{} unreadable", at.dialog)
    } else if outline.id.is_empty() {
        &format_compact!("dialog {}", at.dialog)
    } else {
        outline.id.as_str()
    };
    if app.files.is_changed(at) {
        painter.text(area.x + 1, area.y, 1, "●", paint(Ink::Warning));
    }
    let ink = if outline.broken {
        Ink::Error
    } else {
        Ink::Plain
    };
    painter.text(
        area.x + 2,
        area.y,
        room as u16,
        &elided(name, room),
        paint(ink),
    );
    let end = area.x + area.columns;
    let x = end.saturating_sub((marks + width(&turns)) as u16);
    painter.text(x, area.y, end - x, &turns, paint(Ink::Dim));
    if outline.problems > 0 {
        // A truncated number would be wrong.
        let problems = match outline.problems {
            few @ ..1000 => format_compact!("▲{few}"),
            many => format_compact!("▲{}k", (many / 1000).min(99)),
        };
        let x = end.saturating_sub(4);
        painter.text(x, area.y, 4, &problems, paint(Ink::Error));
    }
}
