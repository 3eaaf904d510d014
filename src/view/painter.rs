//! Draws text into cells.

use ratatui::style::Style;

use super::canvas::Canvas;
use super::theme::Theme;
use crate::app::layout::Area;
use crate::app::line::Line;

/// A canvas with the theme to draw with.
pub struct Painter<'c> {
    pub canvas: &'c mut Canvas,
    pub theme: &'c Theme,
}

impl Painter<'_> {
    /// Draws `text` at a cell, at most `columns` wide. Returns the column after it.
    pub fn text(&mut self, x: u16, y: u16, columns: u16, text: &str, style: Style) -> u16 {
        self.canvas.put(x, y, columns, text, style)
    }

    /// Sets the style of a stretch of a row.
    pub fn band(&mut self, x: u16, y: u16, columns: u16, style: Style) {
        self.canvas.band(x, y, columns, style);
    }

    /// Clears a row of a window that covers what was drawn before.
    pub fn window(&mut self, x: u16, y: u16, columns: u16) {
        let style = self.theme.plain().patch(self.theme.window());
        self.canvas.blank(x, y, columns, style);
    }

    /// Draws a line in a row of `area`.
    pub fn line(&mut self, area: Area, row: u16, line: &Line) {
        let y = area.y + row;
        if line.selected {
            self.band(area.x, y, area.columns, self.theme.current());
        }
        let (mut x, end) = (area.x, area.x + area.columns);
        for run in &line.runs {
            if x >= end {
                break;
            }
            let style = self.theme.run(run, line.selected);
            x = self.text(x, y, end - x, &run.text, style);
        }
    }

    /// Draws as many lines as there is room for.
    pub fn lines<'l>(&mut self, area: Area, lines: impl Iterator<Item = &'l Line>) {
        for (row, line) in lines.take(usize::from(area.rows)).enumerate() {
            self.line(area, row as u16, line);
        }
    }

    /// Draws the row above a pane: its title, or the titles of its tabs with the selected one marked.
    pub fn title(&mut self, area: Area, titles: &[(&str, bool)], focused: bool) {
        let style = self.theme.title_bar(focused);
        self.band(area.x, area.y, area.columns, style);
        let (mut x, end) = (area.x + 1, area.x + area.columns);
        for (title, shown) in titles {
            if x >= end {
                return;
            }
            let style = if *shown {
                self.theme.tab(focused)
            } else {
                style
            };
            x = self.text(x, area.y, end - x, title, style) + 2;
        }
    }

    /// Draws a line between two panes.
    pub fn edge(&mut self, x: u16, y: u16, rows: u16) {
        self.canvas.column(x, y, rows, '│', self.theme.edge());
    }
}
