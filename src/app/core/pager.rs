//! A window that only shows a page of lines: the help, a chapter of the manual, the guideline, figures.

use std::fmt;

use ratatui::layout::Size;

use crate::app::core::{App, Picker, RowMotion, Window, WindowContent};
use crate::app::input::{Command, CommandHint, Mouse, Scope, places};
use crate::app::manual::{Chapter, Page};
use crate::app::pane::Line;
use crate::app::pane::window_space::inside;

/// Lines of the page that stay visible above the one that was found.
const ABOVE: usize = 2;

/// Makes a page for a number of columns.
type MakePage = Box<dyn Fn(&App, usize) -> Page>;

/// An open page.
pub struct Pager {
    title: String,
    make: MakePage,
    /// The offers of commands in the last row, if no link is selected.
    offers: &'static str,
    page: Page,
    /// The size of the screen that the page is made for.
    made_for: Option<Size>,
    /// The first visible line.
    top: usize,
    /// Position of the selected link of the page.
    chosen: Option<usize>,
    /// The line that was searched for.
    found: Option<usize>,
    /// It opens again where it was left.
    keeps_place: bool,
    /// The number of the background job that makes its text; 0 for none.
    pub job: u64,
}

impl Pager {
    /// Returns a page that `make` makes for the columns of the window.
    pub fn new(
        title: impl Into<String>,
        offers: &'static str,
        make: impl Fn(&App, usize) -> Page + 'static,
    ) -> Self {
        Self {
            title: title.into(),
            make: Box::new(make),
            offers,
            page: Page::default(),
            made_for: None,
            top: 0,
            chosen: None,
            found: None,
            keeps_place: false,
            job: 0,
        }
    }

    /// Opens it again where it was left.
    #[must_use]
    pub fn where_left(mut self, app: &App) -> Self {
        self.keeps_place = true;
        self.top = app.windows.left.get(&self.title).copied().unwrap_or_default();
        self
    }

    /// Shows another text, from the line after `first` others on.
    pub fn show(&mut self, make: impl Fn(&App, usize) -> Page + 'static, first: usize) {
        (self.make, self.made_for, self.top) = (Box::new(make), None, first);
    }

    /// Returns the lines from the first visible one on.
    fn lines(&self) -> impl Iterator<Item = Line> {
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

    /// Returns the selected link.
    pub fn link(&self) -> Option<(usize, &'static Chapter)> {
        self.page.links.get(self.chosen?).copied()
    }

    /// Scrolls, and deselects a link that is then out of sight.
    fn scroll(&mut self, by: isize, rows: usize) {
        let last = self.page.lines.len().saturating_sub(rows);
        self.top = self.top.saturating_add_signed(by).min(last);
        let seen = self.top..self.top + rows;
        if self.link().is_some_and(|(line, _)| !seen.contains(&line)) {
            self.chosen = None;
        }
    }

    /// Moves a line down or up; with a link selected, or at the end of the page, to the next visible link.
    fn step(&mut self, down: bool, rows: usize) {
        let seen = self.top..self.top + rows;
        let is_end = down && self.top + rows >= self.page.lines.len();
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
            self.top = self.top.min(self.page.lines.len().saturating_sub(rows));
        }
    }
}

impl fmt::Debug for Pager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title)
    }
}

impl Window for Pager {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Help]
    }

    fn content(&self, app: &App) -> Option<WindowContent> {
        let lines = self.lines().take(app.panes.size.height.into());
        let height = self.page.lines.len();
        Some(WindowContent::new(app, height, self.title.clone(), lines.collect()))
    }

    fn hints(&self, _: &App) -> &'static [CommandHint] {
        places::offers_of(if self.chosen.is_some() { "link" } else { self.offers })
    }

    fn lay_out(&mut self, app: &App) {
        if self.made_for != Some(app.panes.size) {
            self.page = (self.make)(app, app.panes.window_columns());
            self.made_for = Some(app.panes.size);
            self.scroll(0, app.panes.help_rows());
        }
    }

    fn on_click(&self) -> fn(&mut App, Mouse) {
        App::click_pager
    }

    fn on_motion(&self) -> fn(&mut App, RowMotion) {
        |app, motion| {
            app.with_pager(|pager, rows| match motion {
                RowMotion::Steps(by) => pager.step(by > 0, rows),
                _ => pager.scroll(motion.rows(rows.max(1)), rows),
            });
        }
    }
}

impl App {
    /// Changes the open page, if one is open; `change` gets the rows of its window too.
    fn with_pager(&mut self, change: impl FnOnce(&mut Pager, usize)) {
        let rows = self.panes.help_rows();
        if let Some(pager) = self.windows.get_mut::<Pager>() {
            change(pager, rows);
            if pager.keeps_place {
                let (title, top) = (pager.title.clone(), pager.top);
                self.windows.left.insert(title, top);
            }
        }
    }

    /// Selects the next or the previous link of the open page.
    pub fn step_link(&mut self, by: isize) {
        self.with_pager(|pager, rows| pager.step_link(by, rows));
    }

    /// Asks for a part of a line of the open page, and goes to it.
    pub fn search_pager(&mut self) {
        let Some(pager) = self.windows.get::<Pager>() else {
            return;
        };
        let lines = pager.page.lines.iter().cloned().enumerate();
        let lines: Vec<_> = lines.filter(|(_, line)| !line.text().trim().is_empty()).collect();
        let find = move |_: &App, text: &str| {
            let text = text.to_lowercase();
            let has = |line: &Line| line.text().to_lowercase().contains(&text);
            lines.iter().filter(|(_, line)| has(line)).cloned().collect()
        };
        let line = |_: &App, (_, line): &(usize, Line)| line.clone();
        let show = |app: &mut App, found: Option<(usize, Line)>, typed: &str| match found {
            Some((line, _)) => app.with_pager(|pager, rows| {
                (pager.top, pager.found, pager.chosen) =
                    (line.saturating_sub(ABOVE), Some(line), None);
                pager.scroll(0, rows);
            }),
            None => app.say(format!("no line contains {typed}")),
        };
        let picker = Picker::new("find ", "Lines of this page", find, line, show);
        self.ask(picker.hint("part of a line"), "");
    }

    /// Handles a click: opens the chapter under it, or else goes back.
    fn click_pager(&mut self, mouse: Mouse) {
        let space = self.panes.window();
        let Some(pager) = self.windows.get_mut::<Pager>() else {
            return;
        };
        let area = inside(space.frame(pager.page.lines.len()));
        let row = mouse.row.checked_sub(area.y).map(usize::from);
        let line = row.filter(|_| area.contains(mouse.place())).map(|row| pager.top + row);
        let mut links = pager.page.links.iter();
        pager.chosen = line.and_then(|line| links.position(|(at, _)| *at == line));
        if pager.chosen.is_some() {
            self.run_now(Command::HelpOpen, None);
        } else {
            self.windows.close();
        }
    }
}
