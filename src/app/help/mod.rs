//! The help: an overview of the current pane or mode, the marks on the screen, the keys by topic, and the
//! manual.
//!
//! It lists only commands that can work in the current pane or mode.

mod keys;
pub mod marks;
mod overview;
mod tables;

pub use tables::filled;

use crate::app::core::{App, Overlay};
use crate::app::manual::markdown::{Page, page};
use crate::app::manual::{CHAPTERS, Chapter};
use crate::app::pane::{Ink, Line};
use crate::app::state::Help;

/// Returns the title of the help's window.
pub fn title(app: &App, help: &Help) -> String {
    match help.chapter {
        Some(chapter) => format!("Manual: {}", chapter.name),
        None => format!("Help: {}", overview::place(app).title),
    }
}

/// Lays the help out if another page is open, or the screen has another size.
pub fn lay_out(app: &mut App) {
    let Some(Overlay::Help(help)) = &app.overlay.open else {
        return;
    };
    if help.is_laid_out {
        return;
    }
    let (page, rows) = (help_page(app, help.chapter), app.panes.help_rows());
    if let Some(Overlay::Help(help)) = &mut app.overlay.open {
        (help.page, help.is_laid_out) = (page, true);
        help.scroll(0, rows);
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
