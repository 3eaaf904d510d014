//! The layout of the panes on a screen of a given size.

use ratatui::layout::{Position, Rect, Size};

use crate::app::pane::Focus;

/// Returns the part of a pane below its first row, which holds the title.
pub fn body(pane: Rect) -> Rect {
    Rect { y: pane.y + 1, height: pane.height.saturating_sub(1), ..pane }
}

/// The panes with their title rows; hidden panes are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    pub header: Rect,
    pub dialogs: Rect,
    pub transcript: Rect,
    /// The pinned dialog, beside the transcript or above or below it.
    pub pinned: Rect,
    pub details: Rect,
    /// The row above the last one, with the question that is asked; empty without one.
    pub question: Rect,
    pub footer: Rect,
}

/// The smallest screen that the panes fit on.
pub const SMALLEST: Size = Size::new(40, 8);

/// Minimum rows of a screen with a row for the question that is asked.
const WITH_QUESTION: u16 = 12;

/// Minimum columns for showing all three panes, and for two.
pub const THREE: u16 = 110;
const TWO: u16 = 76;

/// Minimum columns of a screen with room to spare.
const WIDE: u16 = 180;

/// The most columns of the dialog list: enough for the longest ids of the Taskmaster corpora, 40 characters.
const LIST: u16 = 52;

/// The room that the list gets for each column of the user's choice, for so many of them, and how many columns
/// are left to the transcript.
const COLUMN: u16 = 10;
const MOST_COLUMNS: u16 = 3;
const TRANSCRIPT: u16 = 44;

/// Minimum columns of each of two dialogs side by side, and minimum rows of one above the other.
const BESIDE: u16 = 40;
/// Columns of each of two dialogs side by side that make lines easy to read; and the fewest of the list and of the
/// details beside them.
const COMFORTABLE: u16 = 64;
const NARROW_LIST: u16 = 24;
const NARROW_DETAILS: u16 = 32;
const ABOVE: u16 = 5;

impl Layout {
    /// Gives the room of the list to the transcript, if that is shown.
    #[must_use]
    pub fn without_list(mut self) -> Self {
        if !self.transcript.is_empty() && !self.dialogs.is_empty() {
            let end = self.transcript.right();
            self.transcript.x = self.dialogs.x;
            self.transcript.width = end - self.transcript.x;
            self.dialogs = Rect::default();
        }
        self
    }

    /// Gives the list room for columns, as far as the transcript has some left.
    #[must_use]
    pub fn with_columns(mut self, columns: usize) -> Self {
        if !self.transcript.is_empty() && !self.dialogs.is_empty() {
            let wanted = (columns as u16).min(MOST_COLUMNS) * COLUMN;
            let room = self.transcript.width.saturating_sub(TRANSCRIPT);
            let more = wanted.min(room).min(LIST.saturating_sub(self.dialogs.width));
            self.dialogs.width += more;
            (self.transcript.x, self.transcript.width) =
                (self.transcript.x + more, self.transcript.width - more);
        }
        self
    }

    /// Leaves a row below the panes to the question that is asked, unless the screen is low.
    #[must_use]
    pub fn with_question(mut self) -> Self {
        if self.footer.bottom() >= WITH_QUESTION {
            self.question = Rect { y: self.footer.y - 1, ..self.footer };
            for pane in [&mut self.dialogs, &mut self.transcript, &mut self.details] {
                pane.height = pane.height.saturating_sub(1);
            }
        }
        self
    }

    /// Leaves so many rows below the transcript to a window.
    #[must_use]
    pub fn above(mut self, rows: u16) -> Self {
        self.transcript.height = self.transcript.height.saturating_sub(rows);
        self
    }

    /// Divides the area of the transcript between that and a pinned dialog, which is `first` on the left or at
    /// the top. The panes beside it give them room. Where both have no room, the pinned one is hidden.
    #[must_use]
    pub fn with_pinned(self, first: bool) -> Self {
        let narrow = self.with_narrow_sides();
        let beside = narrow.transcript.width > 2 * BESIDE;
        if beside { narrow } else { self }.halved(first)
    }

    /// Takes room from the list and the details, as far as two dialogs side by side need it.
    fn with_narrow_sides(mut self) -> Self {
        if self.transcript.width == 0 {
            return self;
        }
        let lacking = (2 * COMFORTABLE + 1).saturating_sub(self.transcript.width);
        let list = lacking.min(self.dialogs.width.saturating_sub(NARROW_LIST));
        let details = (lacking - list).min(self.details.width.saturating_sub(NARROW_DETAILS));
        self.dialogs.width -= list;
        self.transcript.x -= list;
        self.transcript.width += list + details;
        self.details.x += details;
        self.details.width -= details;
        self
    }

    fn halved(mut self, first: bool) -> Self {
        let all = self.transcript;
        let halves = if all.width > 2 * BESIDE {
            let width = (all.width - 1) / 2;
            let x = all.x + width + 1;
            let right = Rect { x, width: all.right() - x, ..all };
            Some([Rect { width, ..all }, right])
        } else if all.width > 0 && all.height >= 2 * ABOVE {
            let height = all.height.div_ceil(2);
            let bottom = Rect { y: all.y + height, height: all.height - height, ..all };
            Some([Rect { height, ..all }, bottom])
        } else {
            None
        };
        match halves {
            Some([one, other]) if first => (self.pinned, self.transcript) = (one, other),
            Some([one, other]) => (self.transcript, self.pinned) = (one, other),
            None => {}
        }
        self
    }

    /// Gives the whole screen to one pane. None if the screen is smaller than [`SMALLEST`].
    pub fn alone(size: Size, pane: Focus) -> Option<Self> {
        let (mut layout, body) = Self::without_panes(size)?;
        match pane {
            Focus::Dialogs => layout.dialogs = body,
            Focus::Transcript => layout.transcript = body,
            Focus::Details => layout.details = body,
        }
        Some(layout)
    }

    /// Lays out the panes for a screen; the pane with the `focus` is always shown. None if the screen is
    /// smaller than [`SMALLEST`].
    pub fn new(size: Size, focus: Focus, side: Focus, with_side: bool) -> Option<Self> {
        let (mut layout, body) = Self::without_panes(size)?;
        let columns = size.width;
        let pane = |x: u16, width: u16| Rect { x, width, ..body };
        if columns >= THREE {
            // On a wide screen, ids are whole, and the transcript still has room for long lines.
            let share = if columns >= WIDE { 26 } else { 20 };
            let dialogs = (columns * share / 100).clamp(24, LIST);
            let details = if with_side { (columns * 3 / 10).clamp(32, 64) } else { 0 };
            let gap = u16::from(details > 0);
            layout.dialogs = pane(0, dialogs);
            layout.transcript = pane(dialogs + 1, columns - dialogs - 1 - details - gap);
            if details > 0 {
                layout.details = pane(columns - details, details);
            }
        } else if columns >= TWO && (with_side || focus != Focus::Transcript) {
            match side {
                Focus::Dialogs => {
                    layout.dialogs = pane(0, 26);
                    layout.transcript = pane(27, columns - 27);
                }
                _ => {
                    let details = columns * 2 / 5;
                    layout.transcript = pane(0, columns - details - 1);
                    layout.details = pane(columns - details, details);
                }
            }
        } else {
            return Self::alone(size, focus);
        }
        Some(layout)
    }

    /// Lays out the first and the last row; returns the area between them too.
    fn without_panes(size: Size) -> Option<(Self, Rect)> {
        if size.width < SMALLEST.width || size.height < SMALLEST.height {
            return None;
        }
        let row = |y, rows| Rect::new(0, y, size.width, rows);
        let layout = Self { header: row(0, 1), footer: row(size.height - 1, 1), ..Self::default() };
        Some((layout, row(1, size.height - 2)))
    }

    pub fn pane(&self, focus: Focus) -> Rect {
        match focus {
            Focus::Dialogs => self.dialogs,
            Focus::Transcript => self.transcript,
            Focus::Details => self.details,
        }
    }

    /// Returns the pane at a cell.
    pub fn pane_at(&self, column: u16, row: u16) -> Option<Focus> {
        Focus::ALL.into_iter().find(|pane| self.pane(*pane).contains(Position::new(column, row)))
    }
}
