//! Running commands. [`table`] has a row for each; commands that need more than a call have a function in a module here,
//! by topic.

mod conditions;
mod details;
mod find;
mod moving;
pub mod palette;
mod panes;
pub mod program;
mod spans;
pub mod table;

use crate::app::core::{App, Unavailable};
use crate::app::input::Command;

impl App {
    /// Runs a command, if it is available now.
    pub fn run(&mut self, command: Command, count: Option<usize>) {
        match self.can(command) {
            Ok(()) => self.run_now(command, count),
            Err(why) => self.say(why.text(self)),
        }
    }

    /// Checks that a command can run now.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn can(&self, command: Command) -> Result<(), Unavailable> {
        let row = command.row();
        let steps = matches!(command, Command::FindNext | Command::FindPrevious);
        let to_problems = steps && self.search.query.is_none();
        if (row.tells_side || to_problems) && self.hides_sides() {
            return Err(Unavailable::Here("this would reveal which side of the pair is which"));
        }
        (row.when)(self)
    }

    /// Runs a command that is available; `count` is the number typed before its key.
    pub fn run_now(&mut self, command: Command, count: Option<usize>) {
        self.session.ran = Some(command);
        (command.row().run)(self, count);
    }
}

/// Repeats an action as often as the count says.
fn repeat(count: Option<usize>, mut run: impl FnMut()) {
    for _ in 0..count.unwrap_or(1).min(10_000) {
        run();
    }
}
