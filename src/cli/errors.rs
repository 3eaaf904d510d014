//! Prints errors to standard error, most of them about files, in one form and free of terminal control
//! characters.

use std::fmt::{Arguments, Display};
use std::io::{self, Write as _};
use std::path::Path;

use super::CommandOutcome;
use super::printer::Printer;
use super::scan::{LocatedIssue, print_issue};
use super::style::{self, shown};
use crate::text::visible;

/// Why a command ends before its end.
#[derive(Debug)]
pub enum Stop {
    /// For a reason that is reported already.
    Told(CommandOutcome),
    /// Something cannot be used or written: the message to report.
    Say(String),
    /// Its output cannot be written.
    Printing(io::Error),
}

/// The end of a command.
pub type Ended = Result<CommandOutcome, Stop>;

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Printing(error)
    }
}

impl From<CommandOutcome> for Stop {
    fn from(outcome: CommandOutcome) -> Self {
        Self::Told(outcome)
    }
}

impl Stop {
    /// Returns the end of a command for a reason.
    pub fn say(why: impl Display) -> Self {
        Self::Say(why.to_string())
    }

    /// As [`Self::say`], about a file.
    pub fn at(path: &Path, why: impl Display) -> Self {
        Self::Say(format!("{}: {why}", shown(path)))
    }
}

/// Ends a command with what is wrong, or goes on without it.
pub trait OrStop<T> {
    /// # Errors
    /// The reason as a message.
    fn or_stop(self) -> Result<T, Stop>;

    /// # Errors
    /// The reason as a message about a file.
    fn or_stop_at(self, path: &Path) -> Result<T, Stop>;

    /// Reports what is wrong with a file, which makes the `outcome` unusable.
    fn or_report(self, path: &Path, outcome: &mut CommandOutcome) -> Option<T>;
}

impl<T, E: Display> OrStop<T> for Result<T, E> {
    fn or_stop(self) -> Result<T, Stop> {
        self.map_err(Stop::say)
    }

    fn or_stop_at(self, path: &Path) -> Result<T, Stop> {
        self.map_err(|why| Stop::at(path, why))
    }

    fn or_report(self, path: &Path, outcome: &mut CommandOutcome) -> Option<T> {
        self.inspect_err(|why| {
            file_error(path, why);
            *outcome = CommandOutcome::Unusable;
        })
        .ok()
    }
}

/// Writes `turnwise: MESSAGE`. A message may have several lines.
pub fn complain(message: Arguments<'_>) {
    let message = message.to_string();
    let lines: Vec<_> = message.lines().map(visible).collect();
    let lines = lines.join("\n");
    print(|stderr| writeln!(stderr, "{lines}"));
}

/// Writes `turnwise: PATH: WHY`.
pub fn file_error(path: &Path, why: &dyn Display) {
    complain(format_args!("{}: {why}", shown(path)));
}

/// Writes `turnwise: PATH:LINE: WHY`.
pub fn line_error(path: &Path, line: usize, why: &dyn Display) {
    complain(format_args!("{}:{line}: {why}", shown(path)));
}

/// Writes the issues of a file with their positions; returns the worst outcome.
pub fn file_issues(path: &Path, issues: &[LocatedIssue]) -> CommandOutcome {
    for issue in issues {
        print(|stderr| print_issue(&path.to_string_lossy(), issue, stderr));
    }
    issues.iter().map(LocatedIssue::outcome).max().unwrap_or_default()
}

/// Writes a message as one piece, so that messages of several threads do not mix.
fn print(message: impl FnOnce(&mut Printer) -> io::Result<()>) {
    let mut stderr = Printer::stderr();
    let error = stderr.style(style::ERROR);
    // If standard error fails as well, there is nowhere to report it.
    let _ = write!(stderr, "{error}turnwise:{error:#} ")
        .and_then(|()| message(&mut stderr))
        .and_then(|()| stderr.flush());
}
