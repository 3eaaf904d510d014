//! The parts that panes and windows are made of: title rows, edges, cleared areas and lines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Tabs, Widget as _};

use super::theme::Theme;
use crate::app::pane::window_space::inside;
use crate::app::pane::{Ink, line};
use crate::text::{is_plain, width};

/// Draws the row above a pane: its title, or the titles of its tabs, `gap` columns apart, with the selected one marked.
pub fn title_row(
    titles: &[(&str, bool)],
    gap: usize,
    focused: bool,
    pane: Rect,
    theme: &Theme,
    buffer: &mut Buffer,
) {
    let row = Rect { height: 1, ..pane };
    let indented = Rect { x: row.x + 1, width: row.width.saturating_sub(1), ..row };
    buffer.set_style(row, theme.title_bar(focused));
    Tabs::new(titles.iter().map(|(title, _)| *title))
        .select(titles.iter().position(|(_, shown)| *shown))
        .style(theme.title_bar(focused))
        .highlight_style(theme.tab(focused))
        .padding("", "")
        .divider(" ".repeat(gap))
        .render(indented, buffer);
}

/// Draws the edge to the right of a pane; a bright one beside the pane in focus.
pub fn edge(pane: Rect, is_bright: bool, theme: &Theme, buffer: &mut Buffer) {
    let edge = Rect { x: pane.right(), width: 1, ..pane };
    let block = Block::new().borders(Borders::LEFT);
    let bright = Style { bg: None, ..theme.tab(true) };
    let bright = bright.remove_modifier(Modifier::UNDERLINED | Modifier::REVERSED);
    let style = if is_bright { bright } else { theme.edge() };
    block.border_style(style).render(edge, buffer);
}

/// Clears an area over the panes for a message.
pub fn clear(area: Rect, theme: &Theme, buffer: &mut Buffer) {
    Clear.render(area, buffer);
    buffer.set_style(area, theme.plain().patch(theme.window()));
}

/// Clears the area of a window and draws its border with a title, and a note on the right. Returns the area
/// inside.
pub fn window(frame: Rect, title: &str, note: &str, theme: &Theme, buffer: &mut Buffer) -> Rect {
    // A wide character whose second half is under the window would stay in front of its border.
    let before = Rect { x: frame.x.saturating_sub(1), width: frame.x.min(1), ..frame };
    for row in before.rows() {
        if width(buffer[(row.x, row.y)].symbol()) > 1 {
            buffer[(row.x, row.y)].set_symbol(" ");
        }
    }
    clear(frame, theme, buffer);
    let block = Block::bordered().border_style(theme.edge());
    let room = usize::from(frame.width).saturating_sub(4 + width(note));
    let title = format!(" {} ", line::truncated(title, room));
    // The title lies on the border, but is text.
    let text = Style::new().fg(theme.plain().fg.unwrap_or_default());
    let block = block.title(Span::styled(title, text.patch(theme.ink(Ink::Strong))));
    let note = Line::styled(note, theme.edge());
    block.title(note.right_aligned()).render(frame, buffer);
    inside(frame)
}

/// Draws as many lines as there is room for.
pub fn draw_lines<'l>(
    lines: impl IntoIterator<Item = &'l line::Line>,
    area: Rect,
    theme: &Theme,
    buffer: &mut Buffer,
) {
    for (row, line) in area.rows().zip(lines) {
        if line.selected {
            buffer.set_style(row, theme.current());
        }
        draw_line(line, row, theme, buffer);
    }
}

/// Draws a line in a row; a line that is too long ends in `…`.
fn draw_line(line: &line::Line, mut row: Rect, theme: &Theme, buffer: &mut Buffer) {
    for run in &line.runs {
        let (style, columns) = (theme.run(run, line.selected), width(&run.text) as u16);
        if !is_plain(&run.text) {
            Span::styled(run.text.as_str(), style).render(row, buffer);
        } else if !row.is_empty() {
            // Most text is of characters that fill a cell each, and the widget's search for graphemes
            // takes half of the time of a frame.
            let start = buffer.index_of(row.x, row.y);
            let cells = &mut buffer.content[start..start + usize::from(row.width)];
            for (cell, char) in cells.iter_mut().zip(run.text.chars()) {
                cell.set_char(char).set_style(style);
            }
        }
        if columns > row.width && width(run.text.trim_end()) > usize::from(row.width) {
            return draw_ellipsis(row, theme, buffer);
        }
        let columns = columns.min(row.width);
        (row.x, row.width) = (row.x + columns, row.width - columns);
    }
}

/// Marks the end of a row as cut off. A wide character there goes as a whole.
fn draw_ellipsis(row: Rect, theme: &Theme, buffer: &mut Buffer) {
    let column = |back: u16| row.right().checked_sub(back);
    if let Some(cell) = column(2).and_then(|x| buffer.cell_mut((x, row.y)))
        && width(cell.symbol()) > 1
    {
        cell.set_symbol(" ");
    }
    if let Some(cell) = column(1).and_then(|x| buffer.cell_mut((x, row.y))) {
        cell.set_symbol("…").set_style(theme.dim());
    }
}
