//! Keys: what they mean, and those that wait for the rest of a command.

use super::key::Key;
use super::keymap::Keymap;
use super::locking::WaitingAction;

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
    /// The action that waits for edit locks.
    pub(super) waiting: WaitingAction,
}

impl Input {
    pub fn new(keymap: Keymap) -> Self {
        Self {
            keymap,
            pending: Pending::default(),
            waiting: WaitingAction::default(),
        }
    }
}
