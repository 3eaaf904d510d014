//! The option `--query` of commands that find or fix problems: it leaves the problems of the turns found.

use std::path::PathBuf;

use super::rules::project_settings;
use crate::app::settings::SavedQueries;
use crate::cli::errors::{Stop, complain};
use crate::lint::Diagnostic;
use crate::query::{Condition, Query, QueryError, Target, UNTRIED};
use crate::shell::UserFolders;
use crate::text::width;

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
    /// If it is malformed; the message shows where.
    pub fn read(&self, paths: &[PathBuf]) -> Result<Option<Query>, Stop> {
        let query = self.query.as_deref();
        query.map(|query| parsed(query, paths)).transpose()
    }
}

/// The turns of a dialog that a query finds.
pub struct FoundTurns(Vec<bool>);

impl FoundTurns {
    /// Runs `query` on a dialog, whose problems are in the order of their turns.
    /// It is reported if there may be more.
    pub fn of(query: &Query, target: &Target<'_>) -> Self {
        let matches = query.matches(target);
        if !matches.is_complete {
            complain(format_args!("{}: {UNTRIED}", target.dialog.id));
        }
        Self(matches.turns)
    }

    /// Returns for each turn whether it was found.
    pub fn each(self) -> Vec<bool> {
        self.0
    }

    /// True if no turn was found.
    pub fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }

    /// True for a problem in a turn that was found, or of a whole dialog in which one was found.
    pub fn has(&self, problem: &Diagnostic) -> bool {
        match problem.location.turn {
            Some(turn) => self.0.get(turn) == Some(&true),
            None => !self.is_empty(),
        }
    }
}

/// Reads a query about the files in `paths`, or the saved query that has this name, which is reported.
///
/// # Errors
/// If it is malformed; the message shows where.
pub fn parsed(query: &str, paths: &[PathBuf]) -> Result<Query, Stop> {
    let saved = match saved_query(query, paths) {
        Err(error) if may_be_name(query) => return Err(Stop::Say(error)),
        saved => saved.unwrap_or_default(),
    };
    if let Some(saved) = &saved {
        complain(format_args!(
            "{query} is the saved query {saved}; in quotes, it is searched for as a text"
        ));
    }
    let query = saved.as_deref().unwrap_or(query);
    query.parse().map_err(|error| Stop::Say(pointed(query, &error)))
}

/// True for words without conditions and quotation marks, which may be the name of a saved query.
fn may_be_name(query: &str) -> bool {
    let is_text = |condition: &&Condition| matches!(condition, Condition::Text(_));
    let all_are = |query: Query| query.conditions().iter().all(is_text);
    !query.contains('"') && query.parse().is_ok_and(all_are)
}

/// Returns the query that the project file or the settings save under a name.
///
/// # Errors
/// If the project file cannot be used; the message names it and the reason.
fn saved_query(name: &str, paths: &[PathBuf]) -> Result<Option<String>, String> {
    Ok(saved_queries(paths)?.of_name(name).map(str::to_owned))
}

/// Returns the queries that the settings and the project file save.
///
/// # Errors
/// If the project file cannot be used; the message names it and the reason.
pub fn saved_queries(paths: &[PathBuf]) -> Result<SavedQueries, String> {
    let mut queries = UserFolders::find().settings().0.queries;
    queries.extend(project_settings(paths)?.queries);
    Ok(queries)
}

/// Returns the error of a query, with carets under its place.
fn pointed(query: &str, error: &QueryError) -> String {
    let before = width(&query[..error.at.start]);
    let carets = "^".repeat(width(&query[error.at.clone()]).max(1));
    format!("{error}\n    {query}\n    {:before$}{carets}", "")
}
