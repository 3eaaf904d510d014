//! Reports on the status line.

use crate::app::core::App;
use crate::app::state::{Status, Subject};
use crate::text::Direction;

/// Returns the report that a step forward went from the last hit or problem to the first, or one back from the
/// first to the last.
pub fn wrapped_around(direction: Direction) -> &'static str {
    if direction.is_forward() { "from the top again" } else { "from the end again" }
}

impl App {
    /// Reports something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.say_about(Subject::Other, text);
    }

    pub fn say_about(&mut self, subject: Subject, text: impl Into<String>) {
        self.status = Status::new(subject, text.into());
    }

    /// Adds a report after those already on the status line.
    pub fn say_also(&mut self, text: impl Into<String>) {
        self.status = self.status.beside(&Status::new(Subject::Other, text.into()));
    }

    /// Adds a report before those already on the status line.
    pub fn say_first(&mut self, text: impl Into<String>) {
        self.status = Status::new(Subject::Other, text.into()).beside(&self.status);
    }

    /// Reports an error.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.say(text);
        self.status.bad = true;
    }

    /// Reports settings or another file that cannot be used in this run: the header and the help say so as long as it lasts.
    pub fn cannot_use(&mut self, why: String) {
        self.session.unusable.insert(0, why.clone());
        self.complain(why);
    }
}
