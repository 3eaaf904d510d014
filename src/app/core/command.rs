//! The type of commands, and input that is not yet a complete command. [`commands`](crate::app::commands)
//! lists the commands themselves.

use crate::app::core::{Answer, App};
use crate::app::input::{Key, KeyLookup, Keymap, Scope};

/// The function that runs a command; `count` is the number typed before its key.
pub type CommandFn = fn(&mut App, Option<usize>);

/// Returns the files that a command edits; `count` is the number typed before its key.
pub type EditedFiles = fn(&mut App, Option<usize>) -> Vec<usize>;

/// Something the user can do.
pub struct Command {
    /// The name in keymaps and in the palette.
    pub name: &'static str,
    /// The description in the help and the palette, one line.
    pub doc: &'static str,
    /// Other words by which the palette finds it.
    pub words: &'static [&'static str],
    /// Checks that it can run now.
    pub can: fn(&App) -> Result<(), Unavailable>,
    pub run: CommandFn,
    /// Returns the files that it edits, which are locked first.
    pub edits: EditedFiles,
    /// Listed in the palette. Commands that need an open prompt, help or list are not.
    pub in_palette: bool,
    /// The command that runs instead when a number precedes the key: while reading or judging, a number
    /// means a turn.
    pub with_count: Option<&'static Command>,
    pub availability: Availability,
}

/// Why a command cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// It cannot run in this place, or with these dialogs; the text says why.
    Here(&'static str),
    /// It cannot run now; if `first` is Some, it can run after that command.
    Yet {
        why: &'static str,
        first: Option<&'static Command>,
    },
}

impl Unavailable {
    /// The message for the status line.
    pub fn text(self, app: &App) -> String {
        match self {
            Self::Here(why) | Self::Yet { why, first: None } => why.to_owned(),
            Self::Yet {
                why,
                first: Some(first),
            } => match app.input.keymap.hint(first.name, app.scopes_under()) {
                Some(key) => format!("{why} ({key})"),
                None => format!("{why} (:{})", first.name),
            },
        }
    }
}

/// The states in which a command works besides the normal one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Availability {
    /// No other state.
    Normal,
    /// Also on a screen that is too small, because it only closes an overlay.
    ClosesOverlay,
    /// Also on a screen that is too small.
    TinyScreen,
    /// Also on a screen that is too small, and under any overlay, because it concerns the terminal.
    Always,
}

impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Command {}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A group of commands under one title of the help.
pub struct Topic {
    pub title: &'static str,
    pub commands: &'static [&'static Command],
}

/// Makes a command that can always run and is listed in the palette.
pub const fn command(name: &'static str, doc: &'static str, run: CommandFn) -> Command {
    Command {
        name,
        doc,
        words: &[],
        can: |_| Ok(()),
        run,
        edits: |_, _| Vec::new(),
        in_palette: true,
        with_count: None,
        availability: Availability::Normal,
    }
}

impl Command {
    /// Makes the command available only while `can` succeeds.
    #[must_use]
    pub const fn if_can(self, can: fn(&App) -> Result<(), Unavailable>) -> Self {
        Self { can, ..self }
    }

    /// Lets the palette find the command by other words that people use.
    #[must_use]
    pub const fn also_called(self, words: &'static [&'static str]) -> Self {
        Self { words, ..self }
    }

    /// Makes it wait for the locks of the files that it edits.
    #[must_use]
    pub const fn edits(self, edits: EditedFiles) -> Self {
        Self { edits, ..self }
    }

    /// Runs `other` instead when a number precedes the key.
    #[must_use]
    pub const fn with_a_number(self, other: &'static Command) -> Self {
        Self {
            with_count: Some(other),
            ..self
        }
    }

    /// Makes the command available in more states.
    #[must_use]
    pub const fn availability(self, availability: Availability) -> Self {
        Self {
            availability,
            ..self
        }
    }

    /// Leaves the command out of the palette.
    #[must_use]
    pub const fn by_key_only(self) -> Self {
        Self {
            in_palette: false,
            ..self
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
