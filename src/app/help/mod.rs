//! The help: an overview of the current pane or mode, the marks on the screen, the keys by topic, and the
//! manual.
//!
//! It lists only commands that can work in the current pane or mode.

mod keys;
pub mod marks;
mod overview;
mod search;
mod tables;
mod window;

pub use search::search_help;
pub use tables::filled;
pub use window::Help;

use crate::app::core::{App, Window};
use crate::app::input::Mouse;
use crate::app::manual::markdown::{Page, page};
use crate::app::manual::{CHAPTERS, Chapter};
use crate::app::pane::window_space::inside;
use crate::app::pane::{Ink, Line};

/// Opens the help for the current pane or mode.
pub fn open_help(app: &mut App) {
    app.windows.open(Help::default());
}

/// Scrolls the help by lines.
pub fn scroll_help(app: &mut App, by: isize) {
    let rows = app.panes.help_rows();
    if let Some(help) = app.windows.get_mut::<Help>() {
        help.scroll(by, rows);
    }
}

/// Moves a line down or up in the help, or to the next link.
pub fn step_help(app: &mut App, down: bool) {
    let rows = app.panes.help_rows();
    if let Some(help) = app.windows.get_mut::<Help>() {
        help.step(down, rows);
    }
}

/// Selects the next or the previous chapter.
pub fn step_help_link(app: &mut App, by: isize) {
    let rows = app.panes.help_rows();
    if let Some(help) = app.windows.get_mut::<Help>() {
        help.step_link(by, rows);
    }
}

/// Opens the selected chapter, or closes the help if none is selected.
pub fn open_chapter(app: &mut App) {
    let Some(help) = app.windows.take::<Help>() else {
        return;
    };
    if let Some((_, chapter)) = help.link() {
        app.windows.open(Help { chapter: Some(chapter), under: Some(help), ..Help::default() });
    }
}

/// Goes back to the page that the chapter was opened from, or closes the overview, or another window with the
/// keys of the help.
pub fn close_chapter(app: &mut App) {
    match app.windows.take::<Help>() {
        Some(help) => app.windows.open = help.under.map(|under| under as Box<dyn Window>),
        None => app.windows.close(),
    }
}

/// Handles a click: opens the chapter under it, or else goes back.
pub fn click_help(app: &mut App, mouse: Mouse) {
    let space = app.panes.window();
    let Some(help) = app.windows.get_mut::<Help>() else {
        return;
    };
    let area = inside(space.frame(help.height()));
    let row = mouse.row.checked_sub(area.y).map(usize::from);
    let row = row.filter(|_| area.contains(mouse.place()));
    let line = row.map(|row| help.top + row);
    let mut links = help.page.links.iter();
    help.chosen = line.and_then(|line| links.position(|(at, _)| *at == line));
    if help.chosen.is_some() {
        open_chapter(app);
    } else {
        close_chapter(app);
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
    let mut lines = keys::answers(app, columns);
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
