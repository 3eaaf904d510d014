//! The help: opening it, scrolling, and following its links. Its pages are laid out by
//! [`help`](crate::app::help).

use crate::app::core::{App, Overlay};
use crate::app::input::Mouse;
use crate::app::pane::window_space::inside;
use crate::app::state::Help;

/// Opens the help for the current pane or mode.
pub fn open_help(app: &mut App) {
    app.overlay.open = Some(Overlay::Help(Box::default()));
}

/// Scrolls the help by lines.
pub fn scroll_help(app: &mut App, by: isize) {
    let rows = app.panes.help_rows();
    if let Some(Overlay::Help(help)) = &mut app.overlay.open {
        help.scroll(by, rows);
    }
}

/// Moves a line down or up in the help, or to the next link.
pub fn step_help(app: &mut App, down: bool) {
    let rows = app.panes.help_rows();
    if let Some(Overlay::Help(help)) = &mut app.overlay.open {
        help.step(down, rows);
    }
}

/// Selects the next or the previous chapter.
pub fn step_help_link(app: &mut App, by: isize) {
    let rows = app.panes.help_rows();
    if let Some(Overlay::Help(help)) = &mut app.overlay.open {
        help.step_link(by, rows);
    }
}

/// Opens the selected chapter, or closes the help if none is selected.
pub fn open_chapter(app: &mut App) {
    let Some(Overlay::Help(help)) = app.overlay.open.take() else {
        return;
    };
    if let Some((_, chapter)) = help.link() {
        app.overlay.open = Some(Overlay::Help(Box::new(Help {
            chapter: Some(chapter),
            under: Some(help),
            ..Help::default()
        })));
    }
}

/// Goes back to the page that the chapter was opened from, or closes the overview.
pub fn close_chapter(app: &mut App) {
    if let Some(Overlay::Help(help)) = app.overlay.open.take()
        && let Some(mut under) = help.under
    {
        // The screen may have been resized since.
        under.is_laid_out = false;
        app.overlay.open = Some(Overlay::Help(under));
    }
}

/// Handles a click: opens the chapter under it, or else goes back.
pub fn click_help(app: &mut App, mouse: Mouse) {
    let space = app.panes.window();
    let Some(Overlay::Help(help)) = &mut app.overlay.open else {
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
