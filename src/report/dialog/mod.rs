//! A dialog as HTML, for a page of examples.

mod parts;
pub mod webpage;

use crate::dialog::Dialog;
use crate::lint::Diagnostic;

/// A dialog to draw.
pub struct DrawnDialog<'d> {
    pub dialog: &'d Dialog,
    /// Its position in its file.
    pub position: usize,
    pub family: &'d str,
    /// The number shown for each turn.
    pub numbers: &'d [usize],
    /// The only turn to draw, by its number; None for all.
    pub turn: Option<usize>,
    pub problems: &'d [Diagnostic],
}

impl DrawnDialog<'_> {
    /// Returns the turns to draw, with their positions.
    fn turns(&self) -> impl Iterator<Item = (usize, &crate::dialog::Turn)> {
        let turns = self.dialog.turns.iter().enumerate();
        turns.filter(|(place, _)| self.turn.is_none_or(|turn| self.numbers[*place] == turn))
    }
}
