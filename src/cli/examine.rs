//! Reading every dialog of files and folders over all cores: what `check`, `votes` and others that
//! look at whole corpora have in common.
//!
//! A file that cannot be read, or a dialog in it, is an issue with its place. Everything else is for
//! a [`Gather`] to take in.

mod file;
mod issue;
mod progress;

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::Outcome;
use crate::dialog::Dialog;
use crate::shell::{Found, find_files, open, open_source};
use file::{examine_file, unreadable};

pub use file::batches;
pub use issue::{Located, print_issue, tell_issues};
pub use progress::Progress;

/// What somebody wants to know of the dialogs of a file.
///
/// A file is read in parts, on several cores; each part is gathered by itself and then joined with
/// the one before it.
pub trait Gather: Send {
    /// Takes in the dialog at `position` of its file.
    fn dialog(&mut self, position: usize, dialog: Dialog);

    /// Takes in that a dialog cannot be read.
    fn broken(&mut self) {}

    /// Takes in what was gathered from the dialogs behind those of this part.
    fn join(&mut self, later: Self);
}

/// What was found in one file.
pub struct Report<G> {
    /// Its path, as it was named or found, in messages.
    pub file: String,
    pub path: PathBuf,
    /// The folder it was found in, if it was not named itself.
    pub below: Option<PathBuf>,
    pub family: Option<&'static str>,
    /// What the file is, if it is no corpus and nothing is wrong with that.
    pub note: Option<&'static str>,
    pub gathered: G,
    pub issues: Vec<Located>,
    pub outcome: Outcome,
}

impl<G> Report<G> {
    /// The report of a file of which nothing is known yet.
    fn new(found: &Found, gathered: G) -> Self {
        let (path, below) = match found {
            Found::File { path, below } => (path, below.clone()),
            Found::Problem { path, .. } => (path, None),
        };
        Self {
            file: path.display().to_string(),
            path: path.clone(),
            below,
            family: None,
            note: None,
            gathered,
            issues: Vec::new(),
            outcome: Outcome::Clean,
        }
    }
}

/// Examines all files that `paths` stand for, each with what `start` makes, in their order. Tells how
/// far it is on standard error if that takes a while.
pub fn examine<G: Gather>(paths: &[PathBuf], start: impl Fn() -> G + Sync) -> Vec<Report<G>> {
    let found = find_files(paths);
    let progress = Progress::over(&found);
    let reports = found
        .par_iter()
        .map(|found| report(found, &start, &progress))
        .collect();
    progress.finish();
    reports
}

/// The worst outcome of any of `reports`.
pub fn worst<'r, G: 'r>(reports: impl IntoIterator<Item = &'r Report<G>>) -> Outcome {
    let outcomes = reports.into_iter().map(|report| report.outcome);
    outcomes.max().unwrap_or_default()
}

fn report<G: Gather>(
    found: &Found,
    start: &(impl Fn() -> G + Sync),
    progress: &Progress,
) -> Report<G> {
    let clean = Report::new(found, start());
    let path = &clean.path;
    let read = match found {
        Found::Problem { error, .. } => return unreadable(clean, error.to_string()),
        Found::File { .. } if path == Path::new("-") => standard_input()
            .map_err(|error| error.to_string())
            .and_then(|bytes| open_source(bytes, false).map_err(|error| error.to_string()))
            .map(|file| examine_file(found, &file, start, progress)),
        Found::File { .. } => open(path, false)
            .map_err(|error| error.to_string())
            .map(|opened| examine_file(found, &opened.file, start, progress)),
    };
    read.unwrap_or_else(|error| unreadable(clean, error))
}

/// All of standard input.
///
/// # Errors
/// If it cannot be read.
pub fn standard_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
