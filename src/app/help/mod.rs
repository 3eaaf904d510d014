//! The help: an overview of the current pane or mode, the marks on the screen, the keys by topic, and the
//! manual.
//!
//! It lists only commands that can work in the current pane or mode.

mod keys;
pub mod marks;
mod overview;
mod tables;

pub use tables::filled;

use crate::app::core::{App, Pager};
use crate::app::manual::markdown::{Page, indented};
use crate::app::manual::{CHAPTERS, Chapter};
use crate::app::pane::{Ink, Line, wrapped};

/// Opens the help for the current pane or mode.
pub fn open_help(app: &mut App) {
    let title = format!("Help: {}", overview::place(app).map_or("", |place| place.title));
    app.windows.open(Pager::new(title, "help", contents));
}

/// Opens the selected chapter, or closes the help if none is selected.
pub fn open_chapter(app: &mut App) {
    let link = app.windows.get::<Pager>().and_then(Pager::link);
    let Some((_, chapter)) = link else {
        return app.windows.close_all();
    };
    let title = format!("Manual: {}", chapter.name);
    app.windows
        .open(Pager::new(title, "chapter", |app, columns| of_chapter(app, chapter, columns)));
}

/// Lays out a chapter.
fn of_chapter(app: &App, chapter: &Chapter, columns: usize) -> Page {
    let text = filled(chapter.text, &app.input.keymap);
    // The window's title shows the heading already.
    let body = text.split_once('\n').map_or("", |(_, body)| body);
    indented(body, columns.saturating_sub(1))
}

/// Lists what cannot be used in this run, and why.
fn unusable(app: &App, columns: usize) -> Vec<Line> {
    let all = &app.session.unusable;
    if all.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::of(Ink::Title, " Cannot be used")];
    for why in all {
        lines.extend(wrapped(Line::of(Ink::Error, "  ▲ "), Ink::Plain, why, columns));
    }
    lines.push(Line::new());
    lines
}

/// Lays out the overview.
fn contents(app: &App, columns: usize) -> Page {
    let mut lines = unusable(app, columns);
    lines.extend(keys::answers(app, columns));
    lines.extend(overview::lines(app, columns));
    lines.push(Line::new());
    lines.extend(marks::lines(app, columns));
    lines.extend(keys::lines(app, columns));
    lines.push(Line::new());
    lines.push(Line::of(Ink::Title, " The manual"));
    let first = lines.len();
    for chapter in CHAPTERS {
        let mut line = Line::of(Ink::Plain, "  ").with(Ink::Strong, chapter.name);
        line.fill(18);
        lines.push(line.with(Ink::Plain, chapter.about));
    }
    let links = CHAPTERS.iter().enumerate();
    Page { links: links.map(|(at, chapter)| (first + at, chapter)).collect(), lines }
}
