//! The open help: a page, its links, and the first visible line.

use ratatui::layout::Size;

use super::{click_help, help_page, overview, scroll_help};
use crate::app::core::{App, Window, WindowContent};
use crate::app::input::{CommandHint, Mouse, Scope, places};
use crate::app::manual::Chapter;
use crate::app::manual::markdown::Page;
use crate::app::pane::Line;

/// The open help.
#[derive(Clone, Debug, Default)]
pub struct Help {
    /// The open chapter of the manual; None for the overview.
    pub chapter: Option<&'static Chapter>,
    pub page: Page,
    /// The size of the screen that the page is laid out for.
    pub laid_out: Option<Size>,
    /// The first visible line.
    pub top: usize,
    /// Position of the selected link of the page.
    pub chosen: Option<usize>,
    /// The line that was searched for.
    pub found: Option<usize>,
    /// The page to go back to.
    pub under: Option<Box<Help>>,
}

impl Window for Help {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Help]
    }

    fn content(&self, app: &App) -> Option<WindowContent> {
        let title = match self.chapter {
            Some(chapter) => format!("Manual: {}", chapter.name),
            None => format!("Help: {}", overview::place(app).map_or("", |place| place.title)),
        };
        let lines = self.lines().take(app.panes.size.height.into());
        Some(WindowContent::new(app, self.height(), title, lines.collect()))
    }

    fn hints(&self, _: &App) -> &'static [CommandHint] {
        match (self.chosen, self.chapter) {
            (Some(_), _) => places::offers_of("link"),
            (None, Some(_)) => places::offers_of("chapter"),
            (None, None) => places::offers_of("help"),
        }
    }

    fn lay_out(&mut self, app: &App) {
        if self.laid_out != Some(app.panes.size) {
            self.page = help_page(app, self.chapter);
            self.laid_out = Some(app.panes.size);
            self.scroll(0, app.panes.help_rows());
        }
    }

    fn on_click(&self) -> fn(&mut App, Mouse) {
        click_help
    }

    fn on_scroll(&self) -> fn(&mut App, isize) {
        scroll_help
    }
}

impl Help {
    /// Returns the number of lines.
    pub fn height(&self) -> usize {
        self.page.lines.len()
    }

    /// Returns the lines from the first visible one on.
    pub fn lines(&self) -> impl Iterator<Item = Line> {
        let chosen = self.link().map(|(line, _)| line);
        let shown = self.page.lines.iter().enumerate().skip(self.top);
        shown.map(move |(number, line)| {
            let mut line = line.clone();
            if chosen == Some(number) || chosen.is_none() && self.found == Some(number) {
                line.selected = true;
                line.point_at();
            }
            line
        })
    }

    pub fn link(&self) -> Option<(usize, &'static Chapter)> {
        self.page.links.get(self.chosen?).copied()
    }

    /// Scrolls, and deselects a link that is then out of sight.
    pub fn scroll(&mut self, by: isize, rows: usize) {
        let last = self.height().saturating_sub(rows);
        self.top = self.top.saturating_add_signed(by).min(last);
        let seen = self.top..self.top + rows;
        if self.link().is_some_and(|(line, _)| !seen.contains(&line)) {
            self.chosen = None;
        }
    }

    /// Moves a line down or up; with a link selected, or at the end of the page, to the next visible link.
    pub fn step(&mut self, down: bool, rows: usize) {
        let seen = self.top..self.top + rows;
        let is_end = down && self.top + rows >= self.height();
        let next = match (self.chosen, down) {
            (Some(chosen), true) => Some(chosen + 1),
            (Some(chosen), false) => chosen.checked_sub(1),
            (None, true) if is_end => {
                let mut links = self.page.links.iter();
                links.position(|(line, _)| seen.contains(line))
            }
            (None, _) => None,
        };
        let line = next.and_then(|next| self.page.links.get(next));
        if line.is_some_and(|(line, _)| seen.contains(line)) {
            self.chosen = next;
        } else if !(is_end && self.chosen.is_some()) {
            self.scroll(if down { 1 } else { -1 }, rows);
        }
    }

    /// Selects the next or the previous link, and scrolls to it.
    pub fn step_link(&mut self, by: isize, rows: usize) {
        let Some(last) = self.page.links.len().checked_sub(1) else {
            return;
        };
        let chosen = match self.chosen {
            Some(chosen) => chosen.saturating_add_signed(by).min(last),
            None if by < 0 => last,
            None => {
                let below = |(line, _): &(usize, _)| *line >= self.top;
                self.page.links.iter().position(below).unwrap_or(last)
            }
        };
        self.chosen = Some(chosen);
        let Some((line, _)) = self.link() else {
            return;
        };
        if !(self.top..self.top + rows).contains(&line) {
            // Show the lines after it too, as far as there is room.
            self.top = line.saturating_sub(1);
            self.top = self.top.min(self.height().saturating_sub(rows));
        }
    }
}
