//! Input that is not yet a complete command, and why a command cannot run now.

use crate::app::core::App;
use crate::app::input::{Command, Key, Keymap};

/// Why a command cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// It cannot run in this place, or with these dialogs; the text says why.
    Here(&'static str),
    /// It cannot run now; if `first` is Some, it can run after that command.
    Yet { why: &'static str, first: Option<Command> },
}

impl Unavailable {
    /// Returns the message for the status line.
    pub fn text(self, app: &App) -> String {
        match self {
            Self::Here(why) | Self::Yet { why, first: None } => why.to_owned(),
            Self::Yet { why, first: Some(first) } => {
                match app.input.keymap.keys_of(first, app.scopes_under()).next() {
                    Some(key) => format!("{why} ({key})"),
                    None => format!("{why} (:{})", first.name()),
                }
            }
        }
    }
}

/// Keys that wait for the rest of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// The count typed before a command.
    pub count: Option<usize>,
    /// The keys typed so far of a longer sequence.
    pub keys: Vec<Key>,
}

/// The keymap, and the input that is not complete.
pub struct Input {
    pub keymap: Keymap,
    pub pending: Pending,
}
