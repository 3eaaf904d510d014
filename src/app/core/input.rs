//! The user's input: the keymap, the commands it runs, and input that is not complete.

use crate::app::core::command::{Command, Topic};
use crate::app::core::overlay::Answer;
use crate::app::input::key::Key;
use crate::app::input::keymap::{KeyLookup, Keymap, Scope};

/// Keys that wait for the rest of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// The count typed before a command.
    pub count: Option<usize>,
    /// The keys typed so far of a longer sequence.
    pub keys: Vec<Key>,
}

/// An action that waits for locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Command(&'static Command, Option<usize>),
    Answer(Answer),
    AcceptPrompt,
}

/// The action that waits, and for how many locks.
#[derive(Clone, Copy, Debug, Default)]
pub struct WaitingAction {
    pub action: Option<Action>,
    pub locks: usize,
}

/// The meaning of the keys pressed so far.
#[derive(Clone, Copy, Debug)]
pub enum PressedKeys {
    Command(&'static Command),
    /// Longer sequences begin with these keys.
    More,
    Nothing,
}

/// The keymap, and the input that is not complete.
pub struct Input {
    pub keymap: Keymap,
    /// Every command, by topic.
    pub commands: &'static [Topic],
    pub pending: Pending,
    /// The action that waits for edit locks.
    pub waiting: WaitingAction,
}

impl Input {
    pub fn new(keymap: Keymap, commands: &'static [Topic]) -> Self {
        Self {
            keymap,
            commands,
            pending: Pending::default(),
            waiting: WaitingAction::default(),
        }
    }

    /// Looks up `keys` in `scopes`, earlier scopes first.
    pub fn find(&self, scopes: &[Scope], keys: &[Key]) -> PressedKeys {
        match self.keymap.find(scopes, keys) {
            KeyLookup::Command(name) => match self.command(name) {
                Some(command) => PressedKeys::Command(command),
                None => PressedKeys::Nothing,
            },
            KeyLookup::More => PressedKeys::More,
            KeyLookup::Nothing => PressedKeys::Nothing,
        }
    }

    /// Returns the command called `name`.
    pub fn command(&self, name: &str) -> Option<&'static Command> {
        let mut all = self.commands.iter().flat_map(|topic| topic.commands);
        all.find(|command| command.name == name).copied()
    }
}
