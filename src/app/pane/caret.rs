//! The caret of span editing.

use crate::dialog::Span;

/// A caret in the current turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caret {
    pub at: u32,
    /// The other end of the selection.
    pub anchor: Option<u32>,
}

impl Caret {
    /// Returns the selection, if any.
    pub fn selection(self) -> Option<Span> {
        let anchor = self.anchor.filter(|anchor| *anchor != self.at)?;
        let (start, end) = (anchor.min(self.at), anchor.max(self.at));
        Some(Span { start, end })
    }
}
