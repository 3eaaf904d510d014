//! An issue in a file, printed as `file:line:column: message`.

use std::io::{self, Write as _};

use crate::cli::printer::Printer;
use crate::cli::{CommandOutcome, style};
use crate::dialog::Short;
use crate::json::Position;
use crate::text::{visible, width};

/// An issue and its position.
#[derive(Debug)]
pub struct LocatedIssue {
    /// Byte offset in the file, with its line and column once these are counted. None if the file as a whole cannot be read.
    pub place: Option<(u64, Position)>,
    pub dialog: Option<usize>,
    /// The id of the dialog, if it has one that can be read.
    pub dialog_id: Option<Short>,
    pub turn: Option<usize>,
    /// A short, stable name for this kind of issue.
    pub code: &'static str,
    pub message: String,
    /// For syntax errors: the line, split at the position.
    pub excerpt: Option<(String, String)>,
}

/// Codes of unreadable content: a file, its JSON, its format, a part of a compressed file.
pub const UNREADABLE: &str = "unreadable";
pub const SYNTAX: &str = "syntax";
pub const UNKNOWN: &str = "unknown";
pub const DAMAGED: &str = "damaged";

impl LocatedIssue {
    /// Returns the issue of a file that cannot be read.
    pub fn unreadable(message: String) -> Self {
        Self {
            place: None,
            dialog: None,
            dialog_id: None,
            turn: None,
            code: UNREADABLE,
            message,
            excerpt: None,
        }
    }

    /// Returns the issue at a byte offset of a file, before lines are counted.
    pub fn at(offset: u64, code: &'static str, message: String) -> Self {
        let place = Some((offset, Position::default()));
        Self { place, code, ..Self::unreadable(message) }
    }

    pub fn offset(&self) -> u64 {
        self.place.map_or(0, |(offset, _)| offset)
    }

    pub fn position(&self) -> Option<Position> {
        self.place.map(|(_, position)| position)
    }

    /// Returns true if it is broken JSON.
    pub fn is_syntax(&self) -> bool {
        self.code == SYNTAX
    }

    /// Returns true if something cannot be read, unlike what is read and is not as the format has it.
    pub fn is_about_reading(&self) -> bool {
        self.code == DAMAGED || self.outcome() == CommandOutcome::Unusable
    }

    /// Returns the outcome of a command that meets this issue.
    pub fn outcome(&self) -> CommandOutcome {
        match self.code {
            UNREADABLE | SYNTAX | UNKNOWN => CommandOutcome::Unusable,
            _ => CommandOutcome::Issues,
        }
    }
}

/// Returns the worst outcome of `issues`.
pub fn worst(issues: &[LocatedIssue]) -> CommandOutcome {
    let outcomes = issues.iter().map(LocatedIssue::outcome);
    outcomes.max().unwrap_or_default()
}

/// Prints an issue of `file` on one line; for a syntax error, also the line of the file with a caret.
pub fn print_issue(file: &str, issue: &LocatedIssue, out: &mut Printer) -> io::Result<()> {
    let (place, dim) = (out.style(style::PLACE), out.style(style::DIM));
    let error = out.style(style::ERROR);
    let position = issue.position().map(|position| format!(":{position}")).unwrap_or_default();
    let dialog = issue.dialog.map(|dialog| format!("dialog {dialog}")).unwrap_or_default();
    let turn = issue.turn.map(|turn| format!(", turn {turn}")).unwrap_or_default();
    let whose = if dialog.is_empty() { String::new() } else { format!("{dialog}{turn}: ") };
    let message = visible(&issue.message);
    writeln!(
        out,
        "{place}{}{position}:{place:#} {whose}{message} {dim}[{}]{dim:#}",
        visible(file),
        issue.code
    )?;
    if let Some((before, after)) = &issue.excerpt {
        let (before, after) = (visible(before), visible(after));
        writeln!(out, "    {before}{after}")?;
        writeln!(out, "    {:1$}{error}^{error:#}", "", width(&before))?;
    }
    Ok(())
}
