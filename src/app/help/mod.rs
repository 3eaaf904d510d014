//! The help: an overview of the current pane or mode, the marks on the screen, the keys by topic, and the
//! manual.
//!
//! It lists only commands that can work in the current pane or mode.

mod keys;
mod marks;
mod overview;

pub use marks::MARKS;

use super::layout::{body, window};
use super::line::{Ink, Line};
use super::manual::{CHAPTERS, Chapter, Page, filled, page};
use super::{App, Effect, Mouse, Overlay};

/// The open help.
#[derive(Clone, Debug)]
pub struct Help {
    /// The open chapter of the manual; None for the overview.
    pub chapter: Option<&'static Chapter>,
    page: Page,
    /// The first visible line.
    top: usize,
    /// Position of the selected link of the page.
    chosen: Option<usize>,
    /// The page to go back to.
    under: Option<Box<Help>>,
}

impl Help {
    /// Returns the title of the window.
    pub fn title(&self, app: &App) -> String {
        match self.chapter {
            Some(chapter) => format!("Manual: {}", chapter.name),
            None => format!("Help: {}", overview::place(app).title),
        }
    }

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
            if chosen == Some(number) {
                line.selected = true;
                line.point_at();
            }
            line
        })
    }

    /// Returns whether a link to a chapter is selected.
    pub fn has_chosen(&self) -> bool {
        self.chosen.is_some()
    }

    fn link(&self) -> Option<(usize, &'static Chapter)> {
        self.page.links.get(self.chosen?).copied()
    }

    /// Scrolls, and deselects a link that is then out of sight.
    fn scroll(&mut self, by: isize, rows: usize) {
        let last = self.height().saturating_sub(rows);
        self.top = self.top.saturating_add_signed(by).min(last);
        let seen = self.top..self.top + rows;
        if self.link().is_some_and(|(line, _)| !seen.contains(&line)) {
            self.chosen = None;
        }
    }

    /// Moves a line down or up; with a link selected, or at the end of the page, to the next visible link.
    fn step(&mut self, down: bool, rows: usize) {
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
    fn step_link(&mut self, by: isize, rows: usize) {
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

impl App {
    /// Opens the help for the current pane or mode.
    pub(super) fn open_help(&mut self) {
        self.overlay.open = Some(Overlay::Help(Box::new(Help {
            chapter: None,
            page: self.help_page(None),
            top: 0,
            chosen: None,
            under: None,
        })));
    }

    /// Returns the rows of the help's window.
    pub(super) fn help_rows(&self) -> usize {
        usize::from(self.panes.size.height.saturating_sub(3))
    }

    /// Lays the help out again after the screen was resized.
    pub(super) fn lay_out_help(&mut self) {
        let Some(Overlay::Help(help)) = &self.overlay.open else {
            return;
        };
        let (page, rows) = (self.help_page(help.chapter), self.help_rows());
        if let Some(Overlay::Help(help)) = &mut self.overlay.open {
            help.page = page;
            help.scroll(0, rows);
        }
    }

    /// Scrolls the help by lines.
    pub(super) fn scroll_help(&mut self, by: isize) {
        let rows = self.help_rows();
        if let Some(Overlay::Help(help)) = &mut self.overlay.open {
            help.scroll(by, rows);
        }
    }

    /// Moves a line down or up in the help, or to the next link.
    pub(super) fn step_help(&mut self, down: bool) {
        let rows = self.help_rows();
        if let Some(Overlay::Help(help)) = &mut self.overlay.open {
            help.step(down, rows);
        }
    }

    /// Selects the next or the previous chapter.
    pub(super) fn step_help_link(&mut self, by: isize) {
        let rows = self.help_rows();
        if let Some(Overlay::Help(help)) = &mut self.overlay.open {
            help.step_link(by, rows);
        }
    }

    /// Opens the selected chapter, or closes the help if none is selected.
    pub(super) fn open_chapter(&mut self) -> Vec<Effect> {
        let Some(Overlay::Help(help)) = self.overlay.open.take() else {
            return Vec::new();
        };
        if let Some((_, chapter)) = help.link() {
            self.overlay.open = Some(Overlay::Help(Box::new(Help {
                chapter: Some(chapter),
                page: self.help_page(Some(chapter)),
                top: 0,
                chosen: None,
                under: Some(help),
            })));
        }
        Vec::new()
    }

    /// Goes back to the page that the chapter was opened from, or closes the overview.
    pub(super) fn close_chapter(&mut self) -> Vec<Effect> {
        if let Some(Overlay::Help(help)) = self.overlay.open.take()
            && let Some(under) = help.under
        {
            self.overlay.open = Some(Overlay::Help(under));
            // The screen may have been resized since.
            self.lay_out_help();
        }
        Vec::new()
    }

    /// Handles a click: opens the chapter under it, or else goes back.
    pub(super) fn click_help(&mut self, mouse: Mouse) -> Vec<Effect> {
        let size = self.panes.size;
        let Some(Overlay::Help(help)) = &mut self.overlay.open else {
            return Vec::new();
        };
        let body = body(window(size, help.height()));
        let row = mouse.row.checked_sub(body.y).map(usize::from);
        let inside = row.filter(|_| body.contains(mouse.place()));
        let line = inside.map(|row| help.top + row);
        let mut links = help.page.links.iter();
        help.chosen = line.and_then(|line| links.position(|(at, _)| *at == line));
        if help.chosen.is_some() {
            self.open_chapter()
        } else {
            self.close_chapter()
        }
    }

    /// Lays out a chapter, or the overview.
    fn help_page(&self, chapter: Option<&'static Chapter>) -> Page {
        let columns = self.window_columns();
        if let Some(chapter) = chapter {
            let text = filled(chapter.text, &self.input.keymap);
            // The window's title shows the heading already.
            let body = text.split_once('\n').map_or("", |(_, body)| body);
            let columns = columns.saturating_sub(2);
            let mut page = page(body, columns, columns);
            for line in &mut page.lines {
                line.runs.splice(0..0, Line::of(Ink::Plain, " ").runs);
            }
            return page;
        }
        let mut lines = overview::lines(self, columns);
        lines.push(Line::new());
        lines.extend(marks::lines(self, columns));
        lines.extend(keys::lines(self, columns));
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
}
