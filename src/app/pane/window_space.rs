//! The place of windows over the panes: at the bottom of the screen, above its last row.

use ratatui::layout::{Rect, Size};

/// Maximum columns inside a window.
const WIDEST: u16 = 96;

/// The room for windows on a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowSpace(pub Size);

impl WindowSpace {
    /// Returns the area of a window with `lines` lines, with its border.
    pub fn frame(self, lines: usize) -> Rect {
        let Size { width: columns, height } = self.0;
        let width = columns.min(WIDEST + 2);
        let rows = (lines as u16).saturating_add(2).min(height.saturating_sub(2));
        let y = height.saturating_sub(1 + rows);
        Rect::new((columns - width) / 2, y, width, rows)
    }

    /// Returns the columns inside a window.
    pub fn columns(self) -> usize {
        self.0.width.min(WIDEST + 2).saturating_sub(2).into()
    }
}

/// Returns the area inside the border of a window.
pub fn inside(frame: Rect) -> Rect {
    let (width, height) = (frame.width.saturating_sub(2), frame.height.saturating_sub(2));
    Rect::new(frame.x + 1, frame.y + 1, width, height)
}
