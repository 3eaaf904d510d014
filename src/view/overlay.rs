//! Overlays on top of the panes: help, prompts, pickers and questions.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;
use tui_textarea::WrapMode;

use super::bulk_fix;
use super::painter::Painter;
use crate::app::command::{self, Command};
use crate::app::files::LoadState;
use crate::app::layout::{self, Area, WIDEST};
use crate::app::line::{Ink, Line, label_ink, wrapped};
use crate::app::{App, Overlay, Prompt, PromptChoice, PromptKind, Question};
use crate::lint::Applicability;
use crate::query::NameKind;
use crate::text::{counted, grouped, width};

pub fn draw(app: &App, painter: &mut Painter<'_>) {
    match &app.overlay {
        Some(Overlay::Help(help)) => {
            let area = window(app, help.height(), &help.title(app), painter);
            let lines: Vec<_> = help.lines().take(area.rows.into()).collect();
            painter.lines(area, lines.iter());
        }
        Some(Overlay::Prompt(prompt)) if prompt.purpose == PromptKind::Palette => {
            let row = |_: usize, choice: &PromptChoice| match choice {
                PromptChoice::Command(command) => command_line(app, command),
                PromptChoice::Name(name) => Line::of(Ink::Plain, name),
                PromptChoice::Fix { fix, .. } => Line::of(Ink::Plain, &fix.title),
                PromptChoice::Problem(problem) => Line::of(Ink::Plain, &problem.message),
                PromptChoice::Dialog(_, id) => Line::of(Ink::Plain, id),
                PromptChoice::File(file) => Line::of(Ink::Plain, app.files.name(*file as usize)),
            };
            choices(app, prompt, "Commands", row, painter);
        }
        Some(Overlay::Prompt(prompt))
            if prompt.purpose == PromptKind::Goto && !prompt.field.text().is_empty() =>
        {
            let row = |_: usize, choice: &PromptChoice| {
                let PromptChoice::Dialog(at, id) = choice else {
                    return Line::new();
                };
                let name = app.files.name(at.file as usize);
                let line = Line::of(Ink::Plain, id);
                line.with(Ink::Dim, &format!("  {name}, dialog {}", at.dialog))
            };
            choices(app, prompt, "Dialogs", row, painter);
        }
        Some(Overlay::Prompt(prompt)) if prompt.purpose == PromptKind::File => {
            let row = |_: usize, choice: &PromptChoice| match choice {
                PromptChoice::File(file) => file_line(app, *file as usize),
                _ => Line::new(),
            };
            choices(app, prompt, "Files", row, painter);
        }
        Some(Overlay::Prompt(prompt))
            if matches!(prompt.purpose, PromptKind::Fix | PromptKind::Ignore) =>
        {
            problems(app, prompt, painter);
        }
        Some(Overlay::Prompt(prompt)) if named(prompt).is_some() => {
            let (kind, title) = named(prompt).unwrap_or((NameKind::Label, ""));
            let digits = prompt.field.text().is_empty();
            let row = |i: usize, choice: &PromptChoice| {
                let PromptChoice::Name(name) = choice else {
                    return Line::new();
                };
                let digit = if digits && i < 9 {
                    format!("{} ", i + 1)
                } else {
                    "  ".to_owned()
                };
                let ink = match kind {
                    NameKind::Label => label_ink(name),
                    _ => Ink::Plain,
                };
                let line = Line::of(Ink::Key, &digit).with(ink, name);
                if app.is_new(kind, name) {
                    line.with(Ink::Warning, "  new name")
                } else {
                    line
                }
            };
            choices(app, prompt, title, row, painter);
        }
        Some(Overlay::Prompt(prompt))
            if prompt.purpose == PromptKind::Search && !prompt.choices.is_empty() =>
        {
            let row = |_: usize, choice: &PromptChoice| match choice {
                PromptChoice::Name(name) => Line::of(Ink::Plain, name),
                _ => Line::new(),
            };
            let key = app.keymap.shown(&command::CHOICE_NEXT);
            choices(
                app,
                prompt,
                &format!("Known names   {key} to select"),
                row,
                painter,
            );
        }
        Some(Overlay::Prompt(prompt)) if typed(prompt, app).is_some() => {
            let title = typed(prompt, app).unwrap_or_default();
            let area = window(app, 8, &title, painter);
            let mut text = prompt.field.area().clone();
            text.set_wrap_mode(WrapMode::WordOrGlyph);
            text.set_cursor_line_style(Style::new());
            let rect = Rect::new(area.x, area.y, area.columns, area.rows);
            painter
                .canvas
                .draw(rect, |buffer| Widget::render(&text, rect, buffer));
        }
        Some(Overlay::Question(question)) => ask(app, question, painter),
        Some(Overlay::Review(list)) => bulk_fix::draw(app, list, painter),
        _ => {}
    }
}

/// The fixes of the problems here, or the problems themselves.
fn problems(app: &App, prompt: &Prompt, painter: &mut Painter<'_>) {
    let row = |i: usize, choice: &PromptChoice| match choice {
        PromptChoice::Fix { problem, fix } => {
            let line = Line::of(Ink::Key, &format!("{} ", i + 1)).with(Ink::Plain, &fix.title);
            let applicability = match fix.applicability {
                Applicability::Safe => "safe",
                Applicability::Unsafe => "unsafe",
                Applicability::Display => "manual",
            };
            line.with(
                Ink::Dim,
                &format!("  {applicability} · {}", problem.rule.name),
            )
        }
        PromptChoice::Problem(problem) => Line::of(Ink::Plain, &problem.message)
            .with(Ink::Dim, &format!("  {}", problem.rule.name)),
        _ => Line::new(),
    };
    let title = match (prompt.choices.get(prompt.chosen), prompt.choices.len()) {
        (Some(PromptChoice::Fix { problem, .. }), _) => problem.message.clone(),
        (_, 1) => "Ignore this problem".to_owned(),
        _ => {
            let next = app.keymap.shown(&command::CHOICE_NEXT);
            format!("Ignore one of these problems: {next} to select")
        }
    };
    choices(app, prompt, &title, row, painter);
}

/// Draws a question with its details and answers.
fn ask(app: &App, question: &Question, painter: &mut Painter<'_>) {
    let (asked, answers) = question.text(app);
    let mut lines = Vec::new();
    if let Some(shown) = question.shown() {
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

/// The kind of name that a picker is for, and its title.
fn named(prompt: &Prompt) -> Option<(NameKind, &'static str)> {
    let kind = match prompt.purpose {
        PromptKind::Label(_) => NameKind::Label,
        PromptKind::Name(wanted) => wanted.kind(),
        _ => return None,
    };
    let title = match kind {
        NameKind::Label => "Labels",
        NameKind::Api => "APIs",
        NameKind::Argument => "Names",
        NameKind::Act => "Acts",
        NameKind::Intent => "Intents",
        NameKind::Slot => "Slots",
    };
    Some((kind, title))
}

/// The title of a window for typing a long text, with the turn.
fn typed(prompt: &Prompt, app: &App) -> Option<String> {
    let turn = app.transcript.turn;
    match (prompt.purpose, &prompt.target) {
        (PromptKind::Text, _) => Some(format!("Text of turn {turn}")),
        (PromptKind::Comment, _) => Some(format!("Your comment on turn {turn}")),
        (PromptKind::Value, Some(target)) => Some(target.title()),
        _ => None,
    }
}

/// A file and its contents.
fn file_line(app: &App, file: usize) -> Line {
    let Some(open) = app.files.get(file) else {
        return Line::new();
    };
    let line = Line::of(Ink::Plain, &open.name).with(Ink::Plain, "  ");
    let dialogs = counted(open.dialogs(), "dialog");
    match &open.state {
        LoadState::Failed(reason) => line.with(Ink::Error, &format!("▲ {reason}")),
        LoadState::Ontology(what) => line.with(Ink::Dim, what),
        _ if app.files.is_broken(file) => {
            line.with(Ink::Error, &format!("▲ broken, {dialogs} can be read"))
        }
        LoadState::Waiting | LoadState::Reading { .. } => {
            line.with(Ink::Dim, &format!("{dialogs} …"))
        }
        LoadState::Ready | LoadState::Saving => {
            let name = open.format().map_or("", |format| format.title());
            line.with(Ink::Dim, &format!("{dialogs} · {name}"))
        }
    }
}

fn command_line(app: &App, command: &Command) -> Line {
    let mut line = Line::of(Ink::Key, command.name);
    line.fill(22);
    line.push(Ink::Plain, command.doc);
    let key = app.keymap.key_of(command, app.scopes_under());
    match key {
        Some(key) => line.with(Ink::Dim, &format!("  {key}")),
        None => line,
    }
}

/// The choices of a prompt, around the selected one.
fn choices(
    app: &App,
    prompt: &Prompt,
    title: &str,
    row: impl Fn(usize, &PromptChoice) -> Line,
    painter: &mut Painter<'_>,
) {
    let marked = prompt.marked();
    let listed = prompt.listed(app.size);
    let (all, first) = (prompt.choices.len(), listed.start);
    let shown = prompt
        .choices
        .iter()
        .enumerate()
        .skip(first)
        .take(listed.len());
    let lines: Vec<_> = shown
        .map(|(i, choice)| {
            let sign = if Some(i) == marked { "▸ " } else { "  " };
            let mut line = Line::of(Ink::Strong, sign);
            line.runs.extend(row(i, choice).runs);
            line.selected = Some(i) == marked;
            line
        })
        .collect();
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
