//! The caret of span editing.

use crate::dialog::{Span, Turn};
use crate::text::{Direction, Motion, Units, boundary};

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

/// Returns the offset `step` after or before `at` in `turn`.
pub fn stepped(turn: &Turn, units: Units, at: u32, step: Motion, direction: Direction) -> u32 {
    let length = turn.length(units) as u32;
    let at = at.min(length);
    match (units, step) {
        (Units::CodePoints, _) => boundary(&turn.text, at as usize, step, direction) as u32,
        (Units::Tokens(_), Motion::All) => {
            if direction.is_forward() {
                length
            } else {
                0
            }
        }
        (Units::Tokens(_), _) => {
            if direction.is_forward() {
                (at + 1).min(length)
            } else {
                at.saturating_sub(1)
            }
        }
    }
}
