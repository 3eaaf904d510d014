//! Windows over the panes: the help, prompts, questions, lists to review. Each is a type in the folder of its
//! feature.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use ratatui::layout::Rect;

use crate::app::core::{App, Pager, Question, QuestionWindow, RowMotion};
use crate::app::input::{CommandHint, Mouse, Scope};
use crate::app::pane::Line;
use crate::app::pane::window_space::WindowSpace;
use crate::app::state::Status;

/// A kind of window.
pub trait Window: Any + fmt::Debug {
    /// Returns the scopes whose keys work in it, the most specific first.
    fn scopes(&self) -> &'static [Scope];

    /// Returns what it shows; None for a prompt that is in the last row of the screen only.
    fn content(&self, app: &App) -> Option<WindowContent>;

    /// Returns the commands that the last row offers, the most useful first.
    fn hints(&self, _app: &App) -> &'static [CommandHint] {
        &[]
    }

    /// Returns the area that the current turn scrolls away from; empty if it may cover the turn.
    fn frame_below_turn(&self, _app: &App, _space: WindowSpace) -> Rect {
        Rect::default()
    }

    /// Prepares it for the screen, after each message.
    fn lay_out(&mut self, _app: &App) {}

    /// Returns what a click does.
    fn on_click(&self) -> fn(&mut App, Mouse) {
        |_, _| {}
    }

    /// Returns what a motion through its rows does.
    fn on_motion(&self) -> fn(&mut App, RowMotion);
}

/// The content of a window.
#[derive(Clone, Debug, Default)]
pub struct WindowContent {
    /// With the border.
    pub frame: Rect,
    pub title: String,
    /// A note at the right of the title.
    pub note: String,
    /// As many as fit are drawn.
    pub lines: Vec<Line>,
    /// The row and the column of the cursor inside the border.
    pub cursor: Option<(usize, usize)>,
}

impl WindowContent {
    /// Returns a window with room for `rows` lines.
    pub fn new(app: &App, rows: usize, title: String, lines: Vec<Line>) -> Self {
        Self { frame: app.panes.window().frame(rows), title, lines, ..Self::default() }
    }
}

/// The open window, and what comes after it.
#[derive(Debug, Default)]
pub struct Windows {
    pub open: Option<Box<dyn Window>>,
    /// Pages that the open window covers, the last one directly; they are seen again when it is closed.
    covered_pages: Vec<Box<dyn Window>>,
    /// The first visible lines of pages that open again where they were left, by their titles.
    pub left: BTreeMap<String, usize>,
    /// Questions to ask as soon as nothing else is open.
    pub questions: VecDeque<Box<dyn Question>>,
    /// The reports that a question covers; shown again after the answer, until the next key.
    pub covered: Status,
    /// Number of lists and pages opened so far that background jobs fill.
    pub lists: u64,
}

impl Windows {
    /// Opens a window in place of the open one, or over it if that is a page.
    pub fn open(&mut self, window: impl Window) {
        self.put_back(Box::new(window));
    }

    /// As [`Windows::open`], for a window that was taken.
    pub fn put_back(&mut self, window: Box<dyn Window>) {
        let is_page = self.is::<Pager>();
        self.covered_pages.extend(self.open.replace(window).filter(|_| is_page));
    }

    /// Closes the open window; a page that it covers is open then.
    pub fn close(&mut self) {
        self.open = self.covered_pages.pop();
    }

    pub fn close_all(&mut self) {
        self.covered_pages.clear();
        self.open = None;
    }

    /// Returns the open window if it is of this type.
    pub fn get<W: Window>(&self) -> Option<&W> {
        (self.open.as_deref()? as &dyn Any).downcast_ref()
    }

    pub fn get_mut<W: Window>(&mut self) -> Option<&mut W> {
        (self.open.as_deref_mut()? as &mut dyn Any).downcast_mut()
    }

    /// Closes the open window if it is of this type, and returns it.
    pub fn take<W: Window>(&mut self) -> Option<Box<W>> {
        self.get::<W>()?;
        let window: Box<dyn Any> = self.open.take()?;
        self.close();
        window.downcast().ok()
    }

    /// True if the open window is of this type.
    pub fn is<W: Window>(&self) -> bool {
        self.get::<W>().is_some()
    }

    /// Withdraws the questions of this type for which `is_it` is true.
    pub fn withdraw<Q: Question>(&mut self, is_it: impl Fn(&Q) -> bool) {
        self.questions.retain(|asked| !asked.as_type().is_some_and(&is_it));
        if self.question().is_some_and(is_it) {
            self.close();
        }
    }

    /// Returns the open question if it is of this type.
    pub fn question<Q: Question>(&self) -> Option<&Q> {
        self.get::<QuestionWindow>()?.question.as_type()
    }
}
