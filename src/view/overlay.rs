//! Overlays on top of the panes: help, prompts, pickers and questions.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::bulk_fix;
use super::footer;
use super::pane::{self, draw_lines};
use super::suggestions;
use super::theme::Theme;
use crate::app::pane::{Ink, Line, wrapped};
use crate::app::{App, Overlay, Prompt, Question, long_text_frame};
use crate::text::{grouped, width};

/// Draws the open overlay, and puts the cursor into a text of several lines.
pub fn draw(app: &App, theme: &Theme, frame: &mut Frame<'_>) {
    let buffer = frame.buffer_mut();
    match &app.overlay.open {
        Some(Overlay::Help(help)) => {
            let area = window(
                app,
                help.height(),
                &crate::app::help::title(app, help),
                theme,
                buffer,
            );
            let lines: Vec<_> = help.lines().take(area.height.into()).collect();
            draw_lines(&lines, area, theme, buffer);
        }
        Some(Overlay::Prompt(prompt)) => {
            let title = prompt.kind.title(app, &prompt.input);
            match title {
                Some(title) if prompt.kind.is_long() => {
                    let cursor = long_text(app, prompt, &title, theme, buffer);
                    frame.set_cursor_position(cursor);
                }
                Some(title) if prompt.kind.explained() > 0 => {
                    let cursor = explained(app, prompt, &title, theme, buffer);
                    frame.set_cursor_position(cursor);
                }
                Some(title) => choices(app, prompt, &title, theme, buffer),
                None => {}
            }
        }
        Some(Overlay::Question(question)) => ask(app, &**question, theme, buffer),
        Some(Overlay::Review(list)) => bulk_fix::draw(app, list, theme, buffer),
        Some(Overlay::Suggestions) => suggestions::draw(app, theme, buffer),
        None => {}
    }
}

/// Draws a text of several lines while it is typed. Returns the cell of the cursor.
fn long_text(
    app: &App,
    prompt: &Prompt,
    title: &str,
    theme: &Theme,
    buffer: &mut Buffer,
) -> Position {
    let space = app.panes.window();
    let shown = prompt.long_text(space);
    let area = pane::window(long_text_frame(space, &shown), (title, ""), theme, buffer);
    draw_lines(&shown.lines, area, theme, buffer);
    let (row, column) = shown.cursor;
    Position::new(area.x + column as u16, area.y + row as u16)
}

/// Draws a prompt in a window of its own, with what explains it. Returns the cell of the cursor.
fn explained(
    app: &App,
    prompt: &Prompt,
    title: &str,
    theme: &Theme,
    buffer: &mut Buffer,
) -> Position {
    let frame = app.overlay.prompt_frame(app.panes.window());
    let area = pane::window(frame, (title, ""), theme, buffer);
    let mut rows = area.rows();
    let text = rows.next().unwrap_or(area);
    for (row, line) in rows.zip(prompt.kind.explanation(app)) {
        draw_lines(&[line], row, theme, buffer);
    }
    footer::draw_prompt(prompt, text, theme, buffer)
}

/// Draws a question with its details and answers.
fn ask(app: &App, question: &dyn Question, theme: &Theme, buffer: &mut Buffer) {
    let (asked, answers) = (question.text(app), question.keys(app));
    let mut lines = Vec::new();
    if let Some(shown) = question.details() {
        let rows = app.question_rows();
        lines.extend(shown.lines.iter().skip(shown.top).take(rows).cloned());
    }
    let mut line = Line::of(Ink::Plain, " ");
    for (key, answer) in answers {
        let room = app.panes.window().columns();
        if line.width() + width(&key) + width(answer) + 1 > room {
            lines.push(std::mem::replace(&mut line, Line::of(Ink::Plain, " ")));
        }
        line.push(Ink::Key, &key);
        line.push(Ink::Plain, &format!(" {answer}   "));
    }
    lines.push(line);
    // A long name may need more than the row of the title.
    let columns = app.panes.window().columns().saturating_sub(2);
    let mut asked = wrapped(Line::new(), Ink::Strong, &asked, columns).into_iter();
    let title = asked.next().unwrap_or_default().text();
    let rest = asked.map(|mut line| {
        line.runs
            .insert(0, Line::of(Ink::Plain, " ").runs.remove(0));
        line
    });
    lines.splice(0..0, rest);
    let area = window(app, lines.len(), &title, theme, buffer);
    draw_lines(&lines, area, theme, buffer);
}

/// Draws the choices of a prompt, around the selected one.
fn choices(app: &App, prompt: &Prompt, title: &str, theme: &Theme, buffer: &mut Buffer) {
    let selected = prompt.selected();
    let listed = prompt.listed(app.panes.size);
    let all = prompt.kind.count();
    let part = if listed.len() < all {
        format!(" {}–{} of {} ", listed.start + 1, listed.end, grouped(all))
    } else {
        String::new()
    };
    let frame = app.panes.window().frame(listed.len().max(1));
    let area = pane::window(frame, (title, &part), theme, buffer);
    if listed.is_empty() {
        draw_lines(&[prompt.kind.without_choices()], area, theme, buffer);
    }
    let lines: Vec<_> = listed
        .map(|number| {
            let is_selected = Some(number) == selected;
            let mut line = Line::of(Ink::Strong, if is_selected { "▸ " } else { "  " });
            line.runs
                .extend(prompt.kind.choice(app, number, &prompt.input).runs);
            line.selected = is_selected;
            line
        })
        .collect();
    draw_lines(&lines, area, theme, buffer);
}

/// Clears a window at the bottom for `lines` lines, with a title. Returns the area for the lines.
pub(super) fn window(
    app: &App,
    lines: usize,
    title: &str,
    theme: &Theme,
    buffer: &mut Buffer,
) -> Rect {
    pane::window(app.panes.window().frame(lines), (title, ""), theme, buffer)
}
