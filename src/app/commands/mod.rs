//! Every command, one row each: the keymaps, the help and the palette take names and descriptions from
//! here.

mod bulk_fix;
mod conditions;
mod editing;
mod find;
mod items;
mod judging;
mod moving;
pub mod palette;
mod panes;
pub mod program;
mod spans;
mod suggestions;

pub use bulk_fix::*;

pub use editing::*;

pub use find::*;

pub use judging::*;

pub use moving::*;

pub use panes::*;

pub use program::*;

pub use spans::*;

pub use suggestions::*;

pub use crate::app::core::command::{Availability, Command, CommandFn, Topic, Unavailable};

use crate::app::input::{BadKeymap, CommandNames, Keymap, name};

/// The title of the topic that the help puts first while the user judges.
pub const JUDGING: &str = "Judge";

static TOPICS: &[Topic] = &[
    topic("Move", moving::COMMANDS),
    topic("Edit spans", spans::COMMANDS),
    topic("Edit, undo, save", editing::COMMANDS),
    topic(JUDGING, judging::COMMANDS),
    topic("Find and fix problems", find::COMMANDS),
    topic("Panes and tabs", panes::COMMANDS),
    topic("Review fixes", bulk_fix::COMMANDS),
    topic("Review suggestions", suggestions::COMMANDS),
    topic("Help, copy, quit", program::COMMANDS),
];

const fn topic(title: &'static str, commands: &'static [&'static Command]) -> Topic {
    Topic { title, commands }
}

/// Every topic.
pub fn topics() -> &'static [Topic] {
    TOPICS
}

/// Every command.
pub fn all() -> impl Iterator<Item = &'static Command> {
    TOPICS.iter().flat_map(|topic| topic.commands).copied()
}

/// Former names of commands; keymaps that use them still work.
const FORMER_NAMES: &[(&str, &str)] = &[("answer_harmless", name::ANSWER_SAFE)];

/// Reads a keymap.
///
/// # Errors
/// Like [`Keymap::read`].
pub fn read_keymap(text: &str) -> Result<Keymap, BadKeymap> {
    let names = CommandNames {
        all: all().map(|command| command.name).collect(),
        former: FORMER_NAMES,
    };
    Keymap::read(text, names)
}

/// Returns the command called `name`.
pub fn named(name: &str) -> Option<&'static Command> {
    all().find(|command| command.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_everything_is_explained() {
        let mut names: Vec<_> = all().map(|command| command.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for (old, new) in FORMER_NAMES {
            assert!(named(old).is_none() && named(new).is_some(), "{old}");
        }
        for command in all() {
            assert!(
                command.doc.len() > 1 && !command.doc.ends_with('.'),
                "{command:?}"
            );
            assert!(
                command
                    .name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c == '_'),
                "{command:?}"
            );
        }
    }
}
