//! The last row: a prompt, or a message and the most useful keys. Above it, the question that is asked.

use super::pane::{clear, draw_lines};
use super::theme::Theme;
use crate::app::hints::Hint;
use crate::app::input::{Code, Command, Key, KeyLookup, Keymap, Scope};
use crate::app::pane::{Ink, Layout, line, wrapped};
use crate::app::{App, Prompt, QuestionWindow, ReviewWindow, hints};
use crate::text::width;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

/// The most additional rows for a message.
const MESSAGE: u16 = 4;

/// Draws the row, and puts the cursor into it if it is a prompt; and the question that is asked above it.
pub fn draw(app: &App, layout: &Layout, theme: &Theme, frame: &mut Frame<'_>) {
    let (area, question) = (layout.footer, layout.question);
    let buffer = frame.buffer_mut();
    if !question.is_empty() {
        let line = hints::question(app, question.width.into());
        draw_lines([&line], question, theme, buffer);
    }
    if let Some(prompt) = app.windows.get::<Prompt>() {
        if prompt.is_in_last_row() {
            let (line, cursor) = prompt.line(area.width.into());
            draw_lines([&line], area, theme, buffer);
            frame.set_cursor_position((area.x + cursor as u16, area.y));
        } else if app.status.bad {
            draw_status(app, area, true, theme, buffer);
        } else {
            let mut keys = format!(" {}", long_text_keys(&app.input.keymap, true));
            if width(&keys) > area.width.into() {
                keys = format!(" {}", long_text_keys(&app.input.keymap, false));
            }
            Span::styled(keys, theme.dim()).render(area, buffer);
        }
        return;
    }
    let right = hints::position_hint(app);
    let is_above = hints::message_is_above(app);
    let room = area.width.saturating_sub(width(&right) as u16 + 1);
    let left = Rect { width: room, ..area };
    if !app.status.is_empty() {
        // A question covers all but the last row of a message, which would make no sense alone.
        let covered = app.windows.is::<QuestionWindow>();
        if !is_above {
            draw_status(app, left, covered, theme, buffer);
        } else if !covered {
            draw_above(app, layout, theme, buffer);
        }
    }
    for Hint { x, key, word, .. } in hints::hints(app) {
        let end = put(key, theme.ink(Ink::Key), x, left, buffer);
        put(&word, theme.dim(), end + 1, left, buffer);
    }
    let right = Line::from(Span::styled(right, theme.dim()));
    right.right_aligned().render(area, buffer);
}

/// Returns the keys of a prompt for a text of several lines; all of them if `in_full`, or else only those that
/// end it.
fn long_text_keys(keymap: &Keymap, in_full: bool) -> String {
    let [accept, cancel] = [Command::Accept, Command::Cancel].map(|name| keymap.shown(name));
    let enter = Key::plain(Code::Enter);
    let alt_enter = Key { alt: true, ..enter };
    // No command inserts a line break: the text field takes these keys where they are not bound.
    let is_free = |key: &Key| matches!(keymap.find(&[Scope::Prompt], &[*key]), KeyLookup::Nothing);
    let new_line = [enter, alt_enter].into_iter().find(is_free);
    let new_line = new_line.filter(|_| in_full);
    let new_line =
        new_line.map_or_else(String::new, |key| format!("{} new line · ", key.shown(keymap.names)));
    format!("{accept} saves · {new_line}{cancel} cancels")
}

/// Puts a text into the row at column `x`. Returns the column after it.
fn put(text: &str, style: Style, x: u16, row: Rect, buffer: &mut Buffer) -> u16 {
    let room = row.right().saturating_sub(x);
    buffer.set_stringn(x, row.y, text, room.into(), style).0
}

/// Draws the message above the row of the keys and the question, in as many rows as it needs; a very long one is cut.
fn draw_above(app: &App, layout: &Layout, theme: &Theme, buffer: &mut Buffer) {
    let bottom = layout.footer.y - layout.question.height;
    let columns = usize::from(buffer.area.width).saturating_sub(2);
    let most = usize::from(MESSAGE.min(bottom.saturating_sub(2)).max(1));
    let ink = if app.status.bad { Ink::Error } else { Ink::Plain };
    let head = line::Line::of(ink, " ");
    let mut lines = wrapped(head, ink, &app.status.text(), columns);
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            last.push(ink, "…");
        }
    }
    let rows = lines.len() as u16;
    let above =
        Rect { x: 0, y: bottom.saturating_sub(rows), width: buffer.area.width, height: rows };
    clear(above, theme, buffer);
    draw_lines(&lines, above, theme, buffer);
}

/// Draws a message over the window above the last row: why what was typed into a prompt in that row is refused, or what a
/// key has done in a review.
pub fn draw_over(app: &App, layout: &Layout, theme: &Theme, buffer: &mut Buffer) {
    let prompt = app.windows.get::<Prompt>();
    let is_refused = app.status.bad && prompt.is_some_and(Prompt::is_in_last_row);
    let is_hidden = app.windows.is::<ReviewWindow>() && hints::message_is_above(app);
    if is_refused || is_hidden {
        draw_above(app, layout, theme, buffer);
    }
}

/// Draws the message. If one row is too short, it extends over the rows above, or is hidden if those are
/// `covered`.
fn draw_status(app: &App, area: Rect, covered: bool, theme: &Theme, buffer: &mut Buffer) {
    let ink = if app.status.bad { Ink::Error } else { Ink::Plain };
    let room = usize::from(area.width).saturating_sub(2);
    let head = line::Line::of(ink, " ");
    let lines = wrapped(head, ink, &app.status.text(), room);
    if covered && lines.len() > 1 {
        return;
    }
    let more = (lines.len().saturating_sub(1) as u16).min(area.y.saturating_sub(2)).min(MESSAGE);
    let above = Rect { x: 0, y: area.y - more, width: buffer.area.width, height: more };
    clear(above, theme, buffer);
    let area = Rect { y: area.y - more, height: more + 1, ..area };
    draw_lines(&lines, area, theme, buffer);
}
