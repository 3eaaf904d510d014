//! Overlays on top of the panes: help, prompts, pickers and questions.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;
use tui_textarea::WrapMode;

use super::bulk_fix;
use super::painter::Painter;
use crate::app::layout::{self, Area, WIDEST};
use crate::app::line::{Ink, Line, wrapped};
use crate::app::{App, Overlay, Prompt, Question};
use crate::text::{grouped, width};

pub fn draw(app: &App, painter: &mut Painter<'_>) {
    match &app.overlay {
        Some(Overlay::Help(help)) => {
            let area = window(app, help.height(), &help.title(app), painter);
            let lines: Vec<_> = help.lines().take(area.rows.into()).collect();
            painter.lines(area, lines.iter());
        }
        Some(Overlay::Prompt(prompt)) => {
            let title = prompt.kind.title(app, &prompt.input);
            match title {
                Some(title) if prompt.kind.is_long() => long_text(app, prompt, &title, painter),
                Some(title) => choices(app, prompt, &title, painter),
                None => {}
            }
        }
        Some(Overlay::Question(question)) => ask(app, &**question, painter),
        Some(Overlay::Review(list)) => bulk_fix::draw(app, list, painter),
        None => {}
    }
}

/// Draws the window for typing a long text.
fn long_text(app: &App, prompt: &Prompt, title: &str, painter: &mut Painter<'_>) {
    let area = window(app, 8, title, painter);
    let mut text = prompt.input.field.area().clone();
    text.set_wrap_mode(WrapMode::WordOrGlyph);
    text.set_cursor_line_style(Style::new());
    let rect = Rect::new(area.x, area.y, area.columns, area.rows);
    painter
        .canvas
        .draw(rect, |buffer| Widget::render(&text, rect, buffer));
}

/// Draws a question with its details and answers.
fn ask(app: &App, question: &dyn Question, painter: &mut Painter<'_>) {
    let (asked, answers) = (question.text(app), question.keys(app));
    let mut lines = Vec::new();
    if let Some(shown) = question.details() {
        let rows = app.question_rows();
        lines.extend(shown.lines.iter().skip(shown.top).take(rows).cloned());
    }
    let mut line = Line::of(Ink::Plain, " ");
    for (key, answer) in answers {
        let room = usize::from(app.size.columns.min(WIDEST));
        if line.width() + width(&key) + width(answer) + 1 > room {
            lines.push(std::mem::replace(&mut line, Line::of(Ink::Plain, " ")));
        }
        line.push(Ink::Key, &key);
        line.push(Ink::Plain, &format!(" {answer}   "));
    }
    lines.push(line);
    // A long name may need more than the row of the title.
    let columns = usize::from(app.size.columns.min(WIDEST)).saturating_sub(2);
    let mut asked = wrapped(Line::new(), Ink::Strong, &asked, columns).into_iter();
    let title = asked.next().unwrap_or_default().text();
    let rest = asked.map(|mut line| {
        line.runs
            .insert(0, Line::of(Ink::Plain, " ").runs.remove(0));
        line
    });
    lines.splice(0..0, rest);
    let area = window(app, lines.len(), &title, painter);
    painter.lines(area, lines.iter());
}

/// The choices of a prompt, around the selected one.
fn choices(app: &App, prompt: &Prompt, title: &str, painter: &mut Painter<'_>) {
    let selected = prompt.selected();
    let listed = prompt.listed(app.size);
    let (all, first) = (prompt.kind.count(), listed.start);
    let line = |number: usize| {
        let is_selected = Some(number) == selected;
        let mut line = Line::of(Ink::Strong, if is_selected { "▸ " } else { "  " });
        line.runs
            .extend(prompt.kind.choice(app, number, &prompt.input).runs);
        line.selected = is_selected;
        line
    };
    let lines: Vec<_> = listed.clone().map(line).collect();
    let area = window(app, lines.len().max(1), title, painter);
    if listed.len() < all {
        let part = format!("{}–{} of {}", first + 1, listed.end, grouped(all));
        let columns = (width(&part) as u16 + 1).min(area.columns);
        let x = area.x + area.columns - columns;
        painter.text(x, area.y - 1, columns, &part, painter.theme.title_bar(true));
    }
    if lines.is_empty() {
        painter.text(
            area.x + 1,
            area.y,
            area.columns - 1,
            "no matching entry",
            painter.theme.dim(),
        );
    }
    painter.lines(area, lines.iter());
}

/// Clears a window at the bottom for `lines` lines, with a title. Returns the area for the lines.
pub(super) fn window(app: &App, lines: usize, title: &str, painter: &mut Painter<'_>) -> Area {
    let area = layout::window(app.size, lines);
    let (left, right) = (area.x.checked_sub(1), area.x + area.columns);
    for row in area.y..area.y + area.rows {
        painter.window(area.x, row, area.columns);
        // Without colours, only spaces separate it from the text next to it.
        for x in left.into_iter().chain([right]) {
            painter.canvas.blank(x, row, 1, painter.theme.plain());
        }
    }
    painter.title(area, &[(title, true)], true);
    area.body()
}
