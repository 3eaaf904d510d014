//! The option `--query` of commands that find or fix problems: it leaves the problems of the turns found.

use std::path::PathBuf;

use super::CommandOutcome;
use super::find::parsed;
use crate::lint::Diagnostic;
use crate::query::{Query, Target};

/// Flags that choose dialogs and turns by a query.
#[derive(clap::Args)]
pub struct QueryOptions {
    /// Only problems in turns that this query finds, and those of whole dialogs with such a turn
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    query: Option<String>,
}

impl QueryOptions {
    /// Reads the query about the files in `paths`, if there is one.
    ///
    /// # Errors
    /// If it is malformed. The place of the error is reported.
    pub fn read(&self, paths: &[PathBuf]) -> Result<Option<Query>, CommandOutcome> {
        let query = self.query.as_deref();
        query.map(|query| parsed(query, paths)).transpose()
    }
}

/// The turns of a dialog that a query finds.
pub struct FoundTurns(Vec<bool>);

impl FoundTurns {
    /// Runs `query` on a dialog, whose problems are in the order of their turns.
    pub fn of(query: &Query, target: &Target<'_>) -> Self {
        Self(query.matches(target))
    }

    /// True if no turn was found.
    pub fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }

    /// True for a problem in a turn that was found, or of a whole dialog in which one was found.
    pub fn has(&self, problem: &Diagnostic) -> bool {
        match problem.spot.turn {
            Some(turn) => self.0.get(turn) == Some(&true),
            None => !self.is_empty(),
        }
    }
}
