//! The parts that panes and windows are made of: title rows, edges, cleared areas and lines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Tabs, Widget as _};

use super::theme::Theme;
use crate::app::pane::window_space::inside;
use crate::app::pane::{Ink, line};
use crate::text::{is_plain, width};

/// Draws the row above a pane: its title, or the titles of its tabs with the selected one marked.
pub fn title_row(
    titles: &[(&str, bool)],
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
        .divider("  ")
        .render(indented, buffer);
}

/// Draws the edge to the right of a pane.
pub fn edge(pane: Rect, theme: &Theme, buffer: &mut Buffer) {
    let edge = Rect { x: pane.right(), width: 1, ..pane };
    let block = Block::new().borders(Borders::LEFT);
    block.border_style(theme.edge()).render(edge, buffer);
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

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use ratatui::buffer::Cell;

    use super::*;
    use crate::view::Colours;

    fn theme() -> Theme {
        Theme::read("error = \"red\"\ncurrent = \"on blue\"", Colours::True).expect("good")
    }

    fn drawn(line: &line::Line, columns: u16) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, 1));
        draw_lines([line], buffer.area, &theme(), &mut buffer);
        buffer
    }

    fn text(buffer: &Buffer) -> String {
        buffer.content.iter().map(Cell::symbol).collect()
    }

    #[test]
    fn wide_characters_are_never_cut_in_half() {
        let line = line::Line::of(Ink::Error, "aé映").with(Ink::Plain, "e\u{301}👨‍👩‍👧!");
        assert_eq!(text(&drawn(&line, 9)), "aé映 e\u{301}👨‍👩‍👧 ! ");
        assert_eq!(text(&drawn(&line, 6)), "aé映 e\u{301}…");
        assert_eq!(text(&drawn(&line, 4)), "aé …");
        assert_eq!(text(&drawn(&line, 3)), "aé…");
        assert_eq!(text(&drawn(&line::Line::of(Ink::Plain, "ab   "), 3)), "ab ");
    }

    #[test]
    fn nothing_that_terminals_obey_gets_into_a_cell() {
        let line = line::Line::of(Ink::Plain, "\u{1b}[31m\u{202e}\u{7}\u{9b}x");
        let drawn = text(&drawn(&line, 40));
        assert_eq!(drawn.trim_end(), "␛[31m⟨U+202E⟩␇⟨U+009B⟩x");
    }

    #[test]
    fn current_lines_are_marked_from_edge_to_edge() {
        let mut line = line::Line::of(Ink::Error, "ab");
        line.selected = true;
        let cells = drawn(&line, 4).content;
        assert!(cells.iter().all(|cell| cell.bg == Color::Blue));
        assert_eq!((cells[0].fg, cells[3].fg), (Color::Red, Color::Reset));
    }

    #[test]
    fn the_title_of_a_window_is_not_as_faint_as_its_border() {
        let theme = Theme::read("edge = \"#444444\"\nstrong = \"bold\"", Colours::True);
        let theme = theme.expect("good");
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 3));
        window(buffer.area, "Query", "", &theme, &mut buffer);
        let ink = |text: &str| {
            let cell = buffer.content.iter().find(|cell| cell.symbol() == text);
            cell.map(|cell| cell.fg)
        };
        assert_eq!(ink("Q"), Some(Color::Reset));
        assert_eq!(ink("┌"), theme.edge().fg);
    }

    #[test]
    fn windows_hide_all_that_is_under_them() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
        let line = line::Line::of(Ink::Error, "ab映映映映c");
        draw_lines([&line], buffer.area, &theme(), &mut buffer);
        window(Rect::new(5, 0, 5, 1), "", "", &theme(), &mut buffer);
        assert_eq!(text(&buffer), "ab映  ┌  ─┐c ");
    }
}
