//! The panes, and which of them are shown and focused.

pub mod caret;
pub mod details;
pub mod difference;
mod folders;
mod found;
mod headings;
pub mod item;
pub mod label_colours;
pub mod layout;
pub mod line;
pub mod list;
pub mod long_text;
pub mod parts;
pub mod pinned;
pub mod scrolling;
pub mod transcript;
pub mod window_space;

pub use caret::Caret;
pub use details::Details;
pub use found::mark_found;
pub use item::Item;
pub use layout::{Layout, body};
pub use line::{
    Ink, Line, TextRun, elided, elided_left, problem_ink, problem_sign, truncated, wrapped,
    wrapped_name,
};
pub use list::{ListRow, SortOrder};
pub use pinned::{Pinned, PinnedContent};
pub use window_space::WindowSpace;

use ratatui::layout::Size;

use crate::app::input::Scope;
use crate::app::pane::list::DialogList;
use crate::app::pane::transcript::Transcript;
use crate::dialog::Span;
use crate::text::Direction;

/// The focused pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Focus {
    Dialogs,
    #[default]
    Transcript,
    Details,
}

impl Focus {
    /// All panes, from left to right.
    pub const ALL: [Self; 3] = [Self::Dialogs, Self::Transcript, Self::Details];

    /// Returns the scopes of its keys, the most specific first.
    pub fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Dialogs => &[Scope::Dialogs, Scope::Everywhere],
            Self::Transcript => &[Scope::Transcript, Scope::Everywhere],
            Self::Details => &[Scope::Details, Scope::Everywhere],
        }
    }
}

/// Minimum columns of a screen that shows details beside a session.
const WITH_DETAILS: u16 = 160;

/// The panes.
pub struct Panes {
    pub size: Size,
    pub list: DialogList,
    pub transcript: Transcript,
    /// A second dialog beside the transcript.
    pub pinned: Option<Pinned>,
    /// The dialog that is pinned again once no conflict is reviewed.
    pub aside: Option<Pinned>,
    pub details: Details,
    pub focus: Focus,
    /// The pane beside the transcript where there is room for only one.
    pub side: Focus,
    /// True if the details are shown beside the transcript; None if the user has not chosen.
    pub with_details: Option<bool>,
    /// Sessions of agents are open: rows of calls need room, and one session needs no list.
    pub of_sessions: bool,
    /// True if the focused pane fills the screen.
    pub fills_screen: bool,
    /// The mouse button that was pressed on a turn's text and is still down.
    pub held: Option<Drag>,
    /// Rows of the window that is under the two sides of a conflict.
    pub below: u16,
    /// True if the question that is asked has a row.
    pub with_question: bool,
}

impl Default for Panes {
    fn default() -> Self {
        Self {
            size: Size::default(),
            list: DialogList::default(),
            transcript: Transcript::default(),
            pinned: None,
            aside: None,
            details: Details::default(),
            focus: Focus::default(),
            side: Focus::Dialogs,
            with_details: None,
            of_sessions: false,
            fills_screen: false,
            held: None,
            below: 0,
            with_question: false,
        }
    }
}

impl Panes {
    /// True if the details are to be shown beside the transcript: if the user has not chosen, always but for sessions on
    /// a screen that is not wide. One with room for a single pane beside the transcript shows the list there.
    pub fn shows_details(&self) -> bool {
        let is_tight = (layout::THREE..WITH_DETAILS).contains(&self.size.width);
        self.with_details.unwrap_or(!(self.of_sessions && is_tight))
    }

    /// Returns the areas of the panes; None if the screen is too small.
    pub fn layout(&self) -> Option<Layout> {
        let layout = if self.fills_screen {
            Layout::alone(self.size, self.focus)
        } else {
            Layout::new(self.size, self.focus, self.side, self.shows_details())
        };
        let mut layout = layout.map(|layout| {
            // Files that cannot be read have rows, too.
            let is_alone = self.list.rows.len() < 2 && !self.list.is_narrowed();
            if self.of_sessions && is_alone && self.focus != Focus::Dialogs {
                layout.without_list()
            } else {
                layout.with_columns(self.list.columns.len())
            }
        });
        if self.with_question {
            layout = layout.map(Layout::with_question);
        }
        match &self.pinned {
            Some(pinned) if pinned.is_of_conflict() => {
                layout.map(|layout| layout.above(self.below).with_pinned(pinned.first))
            }
            Some(pinned) => layout.map(|layout| layout.with_pinned(pinned.first)),
            None => layout,
        }
    }

    /// Returns the dialogs on the screen: the one with the focus, and the pinned one.
    pub fn transcripts_mut(&mut self) -> impl Iterator<Item = &mut Transcript> {
        let pinned = self.pinned.as_mut().map(|pinned| &mut pinned.transcript);
        std::iter::once(&mut self.transcript).chain(pinned)
    }

    /// Returns the other side of the open dialog, if it is shown.
    pub fn side_mut(&mut self) -> Option<&mut Pinned> {
        self.pinned.as_mut().filter(|pinned| pinned.is_side())
    }

    /// Scrolls within the current turn, and within that of the other side; false if there is nothing to scroll.
    pub fn scroll_within(&mut self, direction: Direction) -> bool {
        let scrolls = self.transcript.scroll_within(direction);
        let side = self.side_mut();
        side.is_some_and(|side| side.scroll_along_within(direction)) || scrolls
    }

    /// Notes that the pinned dialog may have changed.
    pub fn outdate_pinned(&mut self) {
        if let Some(pinned) = &mut self.pinned {
            pinned.stale = true;
        }
    }

    /// Returns the room for a window.
    pub fn window(&self) -> WindowSpace {
        WindowSpace(self.size)
    }

    /// Returns the columns of a line in a window.
    pub fn window_columns(&self) -> usize {
        self.window().columns().saturating_sub(1)
    }

    /// Returns the number of fixes that fit on the screen, with the text before and after each.
    pub fn review_rows(&self) -> usize {
        (usize::from(self.size.height).saturating_sub(4) / 3).max(1)
    }

    /// Returns how many suggestions are listed at once; the rest of the screen shows their turns.
    pub fn suggestion_rows(&self) -> usize {
        // Two dialogs need more of it.
        let is_of_conflict = self.pinned.as_ref().is_some_and(Pinned::is_of_conflict);
        let share = if is_of_conflict { 8 } else { 4 };
        usize::from(self.size.height / share).clamp(3, 12)
    }

    /// Returns the rows of the help's window.
    pub fn help_rows(&self) -> usize {
        usize::from(self.size.height.saturating_sub(4))
    }

    /// Scrolls a pane by a number of rows.
    pub fn scroll(&mut self, pane: Focus, by: isize) {
        match pane {
            Focus::Dialogs => self.list.scroll(by),
            Focus::Transcript => {
                self.transcript.scroll(by);
                if let Some(side) = self.side_mut() {
                    side.scroll_along(by);
                }
            }
            Focus::Details => self.details.scroll(by),
        }
    }

    /// Focuses a pane.
    pub fn focus_on(&mut self, focus: Focus) {
        self.focus = focus;
        if focus != Focus::Transcript {
            self.side = focus;
        }
        if focus == Focus::Details {
            self.with_details = Some(true);
        }
    }
}

/// The press of a button that is still down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drag {
    pub turn: usize,
    /// The character or token under the press; empty after the end of a row.
    pub on: Span,
}
