//! The help: an overview of the current pane or mode, the marks on the screen, the keys by topic, and the
//! manual.
//!
//! It lists only commands that can work in the current pane or mode.

mod keys;
pub mod marks;
mod overview;

pub use marks::MARKS;

use crate::app::core::app::App;
use crate::app::core::msg::Effect;
use crate::app::core::overlay::Overlay;
use crate::app::input::mouse::Mouse;
use crate::app::manual::fill::filled;
use crate::app::manual::markdown::{Page, page};
use crate::app::manual::{CHAPTERS, Chapter};
use crate::app::pane::layout::{body, window};
use crate::app::pane::line::{Ink, Line};
use crate::app::state::help::Help;

/// Returns the title of the help's window.
pub fn title(app: &App, help: &Help) -> String {
    match help.chapter {
        Some(chapter) => format!("Manual: {}", chapter.name),
        None => format!("Help: {}", overview::place(app).title),
    }
}

/// Opens the help for the current pane or mode.
pub fn open_help(app: &mut App) {
    app.overlay.open = Some(Overlay::Help(Box::new(Help {
        chapter: None,
        page: help_page(app, None),
        top: 0,
        chosen: None,
        under: None,
    })));
}

/// Returns the rows of the help's window.
pub fn help_rows(app: &App) -> usize {
    usize::from(app.panes.size.height.saturating_sub(3))
}

/// Lays the help out again after the screen was resized.
pub fn lay_out_help(app: &mut App) {
    let Some(Overlay::Help(help)) = &app.overlay.open else {
        return;
    };
    let (page, rows) = (help_page(app, help.chapter), help_rows(app));
    if let Some(Overlay::Help(help)) = &mut app.overlay.open {
        help.page = page;
        help.scroll(0, rows);
    }
}

/// Scrolls the help by lines.
pub fn scroll_help(app: &mut App, by: isize) {
    let rows = help_rows(app);
    if let Some(Overlay::Help(help)) = &mut app.overlay.open {
        help.scroll(by, rows);
    }
}

/// Moves a line down or up in the help, or to the next link.
pub fn step_help(app: &mut App, down: bool) {
    let rows = help_rows(app);
    if let Some(Overlay::Help(help)) = &mut app.overlay.open {
        help.step(down, rows);
    }
}

/// Selects the next or the previous chapter.
pub fn step_help_link(app: &mut App, by: isize) {
    let rows = help_rows(app);
    if let Some(Overlay::Help(help)) = &mut app.overlay.open {
        help.step_link(by, rows);
    }
}

/// Opens the selected chapter, or closes the help if none is selected.
pub fn open_chapter(app: &mut App) -> Vec<Effect> {
    let Some(Overlay::Help(help)) = app.overlay.open.take() else {
        return Vec::new();
    };
    if let Some((_, chapter)) = help.link() {
        app.overlay.open = Some(Overlay::Help(Box::new(Help {
            chapter: Some(chapter),
            page: help_page(app, Some(chapter)),
            top: 0,
            chosen: None,
            under: Some(help),
        })));
    }
    Vec::new()
}

/// Goes back to the page that the chapter was opened from, or closes the overview.
pub fn close_chapter(app: &mut App) -> Vec<Effect> {
    if let Some(Overlay::Help(help)) = app.overlay.open.take()
        && let Some(under) = help.under
    {
        app.overlay.open = Some(Overlay::Help(under));
        // The screen may have been resized since.
        lay_out_help(app);
    }
    Vec::new()
}

/// Handles a click: opens the chapter under it, or else goes back.
pub fn click_help(app: &mut App, mouse: Mouse) -> Vec<Effect> {
    let size = app.panes.size;
    let Some(Overlay::Help(help)) = &mut app.overlay.open else {
        return Vec::new();
    };
    let body = body(window(size, help.height()));
    let row = mouse.row.checked_sub(body.y).map(usize::from);
    let inside = row.filter(|_| body.contains(mouse.place()));
    let line = inside.map(|row| help.top + row);
    let mut links = help.page.links.iter();
    help.chosen = line.and_then(|line| links.position(|(at, _)| *at == line));
    if help.chosen.is_some() {
        open_chapter(app)
    } else {
        close_chapter(app)
    }
}

/// Lays out a chapter, or the overview.
fn help_page(app: &App, chapter: Option<&'static Chapter>) -> Page {
    let columns = app.panes.window_columns();
    if let Some(chapter) = chapter {
        let text = filled(chapter.text, &app.input.keymap);
        // The window's title shows the heading already.
        let body = text.split_once('\n').map_or("", |(_, body)| body);
        let columns = columns.saturating_sub(2);
        let mut page = page(body, columns, columns);
        for line in &mut page.lines {
            line.runs.splice(0..0, Line::of(Ink::Plain, " ").runs);
        }
        return page;
    }
    let mut lines = overview::lines(app, columns);
    lines.push(Line::new());
    lines.extend(marks::lines(app, columns));
    lines.extend(keys::lines(app, columns));
    lines.push(Line::new());
    lines.push(Line::of(Ink::Title, " The manual"));
    let first = lines.len();
    for chapter in CHAPTERS {
        let mut line = Line::of(Ink::Plain, "  ").with(Ink::Strong, chapter.name);
        line.fill(14);
        lines.push(line.with(Ink::Plain, chapter.about));
    }
    let links = CHAPTERS.iter().enumerate();
    Page {
        links: links.map(|(at, chapter)| (first + at, chapter)).collect(),
        lines,
    }
}
