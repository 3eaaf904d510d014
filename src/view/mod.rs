//! Draws the state as cells of a screen.
//!
//! [`draw`] shows what [`App`] holds and changes nothing. It does not know terminals: the shell writes the
//! cells there. The layers below decide what is where; this layer adds the style.

mod ascii;
mod bulk_fix;
mod canvas;
mod cell_style;
mod dialogs;
mod footer;
mod header;
mod overlay;
mod painter;
pub mod theme;

pub use ascii::to_ascii;
pub use canvas::{Canvas, PackedCell};
pub use cell_style::PackedStyle;
pub use theme::{Colours, Theme};

use ratatui::layout::Position;

use crate::app::layout::{Area, SMALLEST, Size};
use crate::app::line::{Ink, Line, wrapped};
use crate::app::transcript::ScreenRow;
use crate::app::{App, Focus, details};
use crate::text::grouped;
use crate::workspace::LoadState;
use painter::Painter;

/// Draws the whole screen. Returns the cell of the cursor if there is one.
pub fn draw(app: &App, theme: &Theme, canvas: &mut Canvas) -> Option<Position> {
    canvas.clear(theme.plain());
    let mut painter = Painter { canvas, theme };
    let Some(layout) = app.layout() else {
        let wish = format!(
            "turnwise needs {} columns and {} rows",
            SMALLEST.columns, SMALLEST.rows
        );
        let columns = usize::from(app.size.columns);
        let mut lines = wrapped(Line::new(), Ink::Plain, &wish, columns);
        if app.status.bad {
            let said = wrapped(Line::new(), Ink::Error, &app.status.text(), columns);
            lines.extend(said);
        }
        let Size { columns, rows } = app.size;
        let all = Area {
            columns,
            rows,
            ..Area::default()
        };
        painter.lines(all, lines.iter());
        return None;
    };
    header::draw(app, layout.header, &mut painter);
    if !layout.dialogs.is_empty() {
        dialogs::draw(app, layout.dialogs, &mut painter);
    }
    if !layout.transcript.is_empty() {
        transcript(app, layout.transcript, &mut painter);
    }
    if !layout.details.is_empty() {
        details_pane(app, layout.details, &mut painter);
    }
    for pane in [layout.dialogs, layout.transcript] {
        let edge = pane.x + pane.columns;
        if !pane.is_empty() && edge < app.size.columns {
            painter.edge(edge, pane.y, pane.rows);
        }
    }
    let cursor = footer::draw(app, layout.footer, &mut painter);
    overlay::draw(app, &mut painter);
    cursor
}

fn transcript(app: &App, area: Area, painter: &mut Painter<'_>) {
    let t = &app.transcript;
    let last = t.len().saturating_sub(1);
    let title = if t.is_empty() {
        "Transcript".to_owned()
    } else {
        format!(
            "Transcript  turn {} of 0–{}",
            grouped(t.turn),
            grouped(last)
        )
    };
    painter.title(area, &[(&title, true)], app.focus == Focus::Transcript);
    let body = area.body();
    if let Some(error) = &t.error {
        let head = Line::of(Ink::Error, " ▲ ");
        let lines = wrapped(head, Ink::Error, error, body.columns.into());
        painter.lines(body, lines.iter());
        return;
    }
    if t.is_empty() {
        let why = if t.at.is_some() {
            "this dialog has no turns"
        } else if app.files.progress().is_some() {
            "reading …"
        } else {
            nothing_to_read(app, body, painter);
            return;
        };
        painter.text(
            body.x + 1,
            body.y,
            body.columns.saturating_sub(1),
            why,
            painter.theme.dim(),
        );
        return;
    }
    painter.lines(body, t.page.iter().map(ScreenRow::line));
}

/// Draws the reasons why no file has a dialog.
fn nothing_to_read(app: &App, area: Area, painter: &mut Painter<'_>) {
    let mut lines = vec![Line::of(Ink::Plain, " there are no dialogs here")];
    for file in app.files.all() {
        if let LoadState::Failed(reason) = &file.state {
            let head = Line::of(Ink::Error, " ▲ ")
                .with(Ink::Strong, &file.name)
                .with(Ink::Plain, "  ");
            lines.push(Line::new());
            lines.extend(wrapped(head, Ink::Plain, reason, area.columns.into()));
        }
        if let LoadState::Ontology(name) = &file.state {
            let said = format!("{}  {name}: contains no dialogs", file.name);
            let head = Line::of(Ink::Dim, "   ");
            lines.push(Line::new());
            lines.extend(wrapped(head, Ink::Dim, &said, area.columns.into()));
        }
    }
    painter.lines(area, lines.iter());
}

fn details_pane(app: &App, area: Area, painter: &mut Painter<'_>) {
    let titles = details::titles(app, area.columns.into());
    painter.title(area, &titles, app.focus == Focus::Details);
    let (lines, more) = (app.details.lines.iter(), app.details.more);
    if more == 0 || area.rows <= 2 {
        painter.lines(area.body(), lines);
    } else {
        let rows = usize::from(area.body().rows) - 1;
        painter.lines(area.body(), lines.take(rows));
        let text = format!(" {} more ↓ ", grouped(more));
        let width = crate::text::width(&text) as u16;
        let x = area.x + area.columns.saturating_sub(width);
        painter.text(x, area.y + area.rows - 1, width, &text, painter.theme.dim());
    }
}
