//! Every command: one row each, from which the keymaps, the help and the palette take names and words.

mod bulk_fix;
mod editing;
mod find;
mod judging;
mod moving;
mod panes;
mod program;
mod spans;

// Each is named here, so that what speaks of a command does not compile without it.
pub use bulk_fix::*;
pub use editing::*;
pub use find::*;
pub use judging::*;
pub use moving::*;
pub use panes::*;
pub use program::*;
pub use spans::*;

use super::{App, Effect};
use crate::dialog::EditKind;

/// Does a command; `count` is the number typed before it.
pub type CommandFn = fn(&mut App, Option<usize>) -> Vec<Effect>;

/// Something the user can do.
pub struct Command {
    /// As keymaps and the palette name it.
    pub name: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
    /// Whether it can run now; if not, why.
    pub can: fn(&App) -> Result<(), Unavailable>,
    pub run: CommandFn,
    /// It makes sense in the palette, where no line is typed into and no help is open.
    pub in_palette: bool,
    /// What its key does with a number before it, where that is another command: a number is a turn's
    /// wherever one reads or judges.
    pub with_count: Option<&'static Command>,
    pub availability: Availability,
}

/// Why a command cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// It never does here: the dialogs have nothing it could be about, or the reader is somewhere else.
    Here(&'static str),
    /// It does once the command `first` has run, if that is named.
    Yet {
        why: &'static str,
        first: Option<&'static Command>,
    },
}

impl Unavailable {
    /// What the reader is told.
    pub fn text(self, app: &App) -> String {
        match self {
            Self::Here(why) | Self::Yet { why, first: None } => why.to_owned(),
            Self::Yet {
                why,
                first: Some(first),
            } => match app.keymap.hint(first, app.scopes_under()) {
                Some(key) => format!("{why} ({key})"),
                None => format!("{why} (:{})", first.name),
            },
        }
    }
}

/// Where a command works besides where its key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Availability {
    /// Nowhere else.
    Normal,
    /// On a screen that is too small, as it closes what is open and changes nothing.
    ClosesOverlay,
    /// On a screen that is too small.
    TinyScreen,
    /// There, and whatever is open: it is about the terminal.
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

/// Commands that belong together, as the help lists them.
pub struct Topic {
    pub title: &'static str,
    pub commands: &'static [&'static Command],
}

/// The title of the topic that comes first while one judges.
pub const JUDGING: &str = "Judge";

static TOPICS: &[Topic] = &[
    topic("Move", moving::COMMANDS),
    topic("Edit spans", spans::COMMANDS),
    topic("Edit, undo, save", editing::COMMANDS),
    topic(JUDGING, judging::COMMANDS),
    topic("Find, and fix problems", find::COMMANDS),
    topic("Panes and tabs", panes::COMMANDS),
    topic("Review fixes", bulk_fix::COMMANDS),
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

/// Names that commands had before; keymaps that use them still work.
pub(super) const OLD_NAMES: &[(&str, &Command)] = &[("answer_harmless", &ANSWER_SAFE)];

/// The command that was called `name` before.
pub fn renamed(name: &str) -> Option<&'static Command> {
    let found = OLD_NAMES.iter().find(|(old, _)| *old == name);
    found.map(|(_, command)| *command)
}

/// The command called `name`.
pub fn named(name: &str) -> Option<&'static Command> {
    all().find(|command| command.name == name)
}

/// Where dialogs may have segments.
fn segments(app: &App) -> Result<(), Unavailable> {
    if app.transcript.is_empty() {
        Err(Unavailable::Here("no dialog is open"))
    } else if app.holds(EditKind::Segments) {
        Ok(())
    } else {
        Err(Unavailable::Here("these dialogs have no segments"))
    }
}

/// A command that can always be done.
const fn command(name: &'static str, doc: &'static str, run: CommandFn) -> Command {
    Command {
        name,
        doc,
        can: |_| Ok(()),
        run,
        in_palette: true,
        with_count: None,
        availability: Availability::Normal,
    }
}

impl Command {
    /// With a condition.
    const fn if_can(self, can: fn(&App) -> Result<(), Unavailable>) -> Self {
        Self { can, ..self }
    }

    /// With a number before its key, `other` runs instead.
    const fn with_a_number(self, other: &'static Command) -> Self {
        Self {
            with_count: Some(other),
            ..self
        }
    }

    /// It works elsewhere too.
    const fn availability(self, availability: Availability) -> Self {
        Self {
            availability,
            ..self
        }
    }

    /// Left out of the palette.
    const fn by_key_only(self) -> Self {
        Self {
            in_palette: false,
            ..self
        }
    }
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
