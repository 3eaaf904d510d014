//! What lies over the panes: the help, and the commands of the palette.

use super::paint::Painter;
use crate::app::layout::Area;
use crate::app::line::{Ink, Line};
use crate::app::{App, Overlay, Purpose};

/// Widest window.
const WIDEST: u16 = 96;

pub fn draw(app: &App, painter: &mut Painter<'_>) {
    match &app.overlay {
        Some(Overlay::Help { top }) => {
            let lines = app.help_lines();
            let area = window(app, lines.len(), "Keys", painter);
            painter.lines(area, lines.iter().skip(*top));
        }
        Some(Overlay::Prompt(prompt)) if prompt.purpose == Purpose::Palette => {
            let room = usize::from(app.size.rows).saturating_sub(4).min(14);
            let first = prompt.chosen.saturating_sub(room.saturating_sub(1));
            let lines = prompt
                .commands
                .iter()
                .enumerate()
                .skip(first)
                .take(room)
                .map(|(i, command)| {
                    let mut line =
                        Line::of(Ink::Strong, if i == prompt.chosen { "▸ " } else { "  " });
                    line.push(Ink::Key, command.name);
                    line.fill(24);
                    line.push(Ink::Plain, command.doc);
                    let keys = app.keymap.keys_of(command, app.scopes_under());
                    if let Some(key) = keys.first() {
                        line.push(Ink::Dim, &format!("  {key}"));
                    }
                    line.selected = i == prompt.chosen;
                    line
                });
            let lines: Vec<_> = lines.collect();
            let area = window(app, lines.len().max(1), "Commands", painter);
            if lines.is_empty() {
                painter.text(
                    area.x + 1,
                    area.y,
                    area.columns - 1,
                    "no command is called so",
                    painter.theme.dim(),
                );
            }
            painter.lines(area, lines.iter());
        }
        _ => {}
    }
}

/// Clears a window at the bottom for `lines` lines, with a title; the area for the lines.
fn window(app: &App, lines: usize, title: &str, painter: &mut Painter<'_>) -> Area {
    let columns = app.size.columns.min(WIDEST);
    let rows = (lines as u16 + 1).min(app.size.rows.saturating_sub(2));
    let area = Area {
        x: (app.size.columns - columns) / 2,
        y: app.size.rows - 1 - rows,
        columns,
        rows,
    };
    for row in area.y..area.y + area.rows {
        let blank = " ".repeat(columns.into());
        painter.text(area.x, row, columns, &blank, painter.theme.window());
    }
    painter.title(area, &[(title, true)], true);
    area.body()
}
