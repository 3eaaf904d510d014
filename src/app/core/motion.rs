//! Motions through rows: one set of keys for panes, windows and prompts.

/// A motion through rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowMotion {
    /// To the next or previous rows, or items or choices where rows have such.
    Steps(isize),
    Pages(isize),
    First,
    Last,
    /// By rows of the mouse's wheel.
    Wheel(isize),
}

impl RowMotion {
    /// Returns the position that it leads to from `at` among `count`, of which `page` fit into a page. A turn of the wheel
    /// is a step.
    pub fn from(self, at: usize, count: usize, page: usize) -> usize {
        let last = count.saturating_sub(1);
        let by = match self {
            Self::First => return 0,
            Self::Last => return last,
            Self::Wheel(rows) => rows.signum(),
            other => other.rows(page),
        };
        at.saturating_add_signed(by).min(last)
    }

    /// Returns the rows by which it scrolls, if `page` rows are a page.
    pub fn rows(self, page: usize) -> isize {
        match self {
            Self::Steps(by) | Self::Wheel(by) => by,
            Self::Pages(by) => by.saturating_mul(page as isize),
            Self::First => isize::MIN / 2,
            Self::Last => isize::MAX / 2,
        }
    }
}
