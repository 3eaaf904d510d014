//! The place of something in a dialog.

use crate::dialog::Extent;

/// The place of a problem in a dialog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Position of the turn; None if the problem concerns the whole dialog.
    pub turn: Option<usize>,
    /// Position of the segment in the turn, if the problem concerns one.
    pub segment: Option<usize>,
    /// Byte range in the text of the dialog. Extents always compare as equal, see [`Extent`].
    pub at: Extent,
}
