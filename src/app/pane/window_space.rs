//! The places of windows over the panes: near the turn that they are about, and never over it.

use std::ops::Range;

use ratatui::layout::{Rect, Size};

/// Maximum columns inside a window.
const WIDEST: u16 = 96;

/// The rows of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WindowPlace {
    /// At the bottom of the screen, above its last row.
    #[default]
    Bottom,
    /// From this row on.
    From(u16),
    /// Up to this row, which it does not cover.
    UpTo(u16),
}

/// The room for windows on a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowSpace {
    pub size: Size,
    pub place: WindowPlace,
    /// The column that a window has in its middle, if the screen is wide enough.
    pub middle: u16,
}

impl WindowSpace {
    /// Returns the room at the bottom of a screen.
    pub fn at_the_bottom(size: Size) -> Self {
        Self { size, place: WindowPlace::Bottom, middle: size.width / 2 }
    }

    /// Returns the room for a window of `lines` lines about a turn on `rows` of `pane`: below the turn,
    /// else above it, else at the bottom.
    pub fn near(size: Size, lines: usize, rows: &Range<u16>, pane: Rect) -> Self {
        let height = (lines as u16).saturating_add(2);
        let place = if rows.end.saturating_add(height) <= pane.bottom() {
            WindowPlace::From(rows.end)
        } else if rows.start.saturating_sub(height) >= pane.top() {
            WindowPlace::UpTo(rows.start)
        } else {
            WindowPlace::Bottom
        };
        Self { size, place, middle: pane.x + pane.width / 2 }
    }

    /// Returns the area of a window with `lines` lines, with its border. One that does not fit in its place
    /// is at the bottom.
    pub fn frame(self, lines: usize) -> Rect {
        let width = self.size.width.min(WIDEST + 2);
        let most = self.size.height.saturating_sub(2);
        let rows = (lines as u16).saturating_add(2).min(most);
        let bottom = self.size.height.saturating_sub(1 + rows);
        let y = match self.place {
            WindowPlace::From(row) if row <= bottom => row,
            WindowPlace::UpTo(row) if row > rows && row - rows <= bottom => row - rows,
            _ => bottom,
        };
        let x = self.middle.saturating_sub(width / 2);
        Rect::new(x.min(self.size.width - width), y, width, rows)
    }

    /// Returns the number of the last rows of the screen, without the last one, that a window covers.
    pub fn rows_at_the_bottom(self, frame: Rect) -> usize {
        let is_at_the_bottom = frame.bottom() + 1 >= self.size.height;
        let covers =
            is_at_the_bottom && !matches!(self.place, WindowPlace::From(row) if row == frame.y);
        if covers { frame.height.into() } else { 0 }
    }

    /// Returns the columns inside a window.
    pub fn columns(self) -> usize {
        self.size.width.min(WIDEST + 2).saturating_sub(2).into()
    }
}

/// Returns the area inside the border of a window.
pub fn inside(frame: Rect) -> Rect {
    let (width, height) = (frame.width.saturating_sub(2), frame.height.saturating_sub(2));
    Rect::new(frame.x + 1, frame.y + 1, width, height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_near_its_turn_and_never_over_it() {
        let size = Size::new(120, 30);
        let pane = Rect::new(25, 2, 60, 27);
        for start in 2..29 {
            for height in 1..8 {
                let rows = start..(start + height).min(29);
                let space = WindowSpace::near(size, 6, &rows, pane);
                let frame = space.frame(6);
                assert_eq!(frame.height, 8);
                assert!(frame.y > 0 && frame.bottom() < size.height);
                let is_over = frame.y < rows.end && rows.start < frame.bottom();
                let is_near = frame.y == rows.end || frame.bottom() == rows.start;
                assert!(is_near || space.place == WindowPlace::Bottom);
                assert!(!is_over || space.rows_at_the_bottom(frame) == 8);
            }
        }
    }

    #[test]
    fn a_window_that_grows_beyond_its_place_is_at_the_bottom() {
        let size = Size::new(80, 24);
        let space = WindowSpace::near(size, 3, &(4..6), Rect::new(0, 2, 80, 21));
        assert_eq!(space.frame(3), Rect::new(0, 6, 80, 5));
        assert_eq!(space.frame(18).bottom(), 23);
        assert_eq!(space.frame(99), Rect::new(0, 1, 80, 22));
        assert_eq!(inside(space.frame(3)), Rect::new(1, 7, 78, 3));
        assert_eq!(space.columns(), 78);
    }
}
