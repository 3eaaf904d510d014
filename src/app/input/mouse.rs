//! Mouse events.

use ratatui::layout::Position;

/// A mouse event, and its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mouse {
    pub action: MouseAction,
    pub column: u16,
    pub row: u16,
}

impl Mouse {
    pub fn place(self) -> Position {
        Position::new(self.column, self.row)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseAction {
    Press,
    Drag,
    Release,
    WheelUp,
    WheelDown,
}
