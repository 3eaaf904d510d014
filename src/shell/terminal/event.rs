//! Events for the main loop: messages, and news of the terminal and the system.

use crate::app::Msg;

/// An event for the main loop.
pub enum RuntimeEvent {
    Msg(Msg),
    /// The terminal can no longer be read.
    Lost(String),
    /// The system asks the program to end.
    End,
    /// The program was suspended and is running again.
    Resumed,
}

impl RuntimeEvent {
    /// True for a report of background work.
    pub fn is_news(&self) -> bool {
        matches!(self, Self::Msg(msg) if msg.is_news())
    }
}
