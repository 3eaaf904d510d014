//! Reading corpus files: what all commands that do so have in common.
//!
//! [`examine`] reads every dialog of many files over all cores, and a [`Collector`] takes in what a command
//! wants to know of them. [`open_reported`] opens one file for a command that goes its own way through
//! it. To both, the same things cannot be read, and they are reported with the same words and places.

mod file;
mod issue;
mod lines;
mod progress;
mod unreadable;

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{CommandOutcome, errors};
use crate::corpus::{CorpusFile, Source};
use crate::dialog::{Dialog, Issue};
use crate::format::Format;
use crate::json::Tree;
use crate::shell::{FoundPath, OpenError, open, open_source};
use file::examine_file;
use progress::ByteProgress;

pub use issue::{LocatedIssue, print_issue};
pub use lines::LineCounter;
pub use unreadable::{broken_dialog, open_reported, unreadable};

/// What somebody wants to know of the dialogs of a file.
///
/// A file is read in parts, on several cores; each part is gathered by itself and then joined with
/// the one before it.
pub trait Collector: Send {
    /// Whether what is wrong with the form of dialogs is wanted among the issues.
    const FORM: bool = true;

    /// Takes in a dialog.
    fn dialog(&mut self, read: ScannedDialog<'_, '_>);

    /// Takes in that a dialog cannot be read.
    fn broken(&mut self) {}

    /// Takes in that the part is read.
    fn end_of_part(&mut self, _: &mut LineCounter<'_>) {}

    /// Takes in what was gathered from the dialogs behind those of this part.
    fn join(&mut self, later: Self);

    /// Takes in that all parts of `file` are read and joined.
    ///
    /// # Errors
    /// If something more of the file is wanted and cannot be read.
    fn end_of_file<S: Source>(&mut self, _: &CorpusFile<S>) -> io::Result<()> {
        Ok(())
    }
}

/// A dialog that was read.
pub struct ScannedDialog<'r, 'b> {
    /// Its position in its file.
    pub position: usize,
    /// The byte of the file at which it begins.
    pub start: u64,
    pub dialog: Dialog,
    /// What is wrong with its form.
    pub issues: &'r [Issue],
    pub tree: Tree<'r>,
    pub format: &'static dyn Format,
    pub lines: &'r mut LineCounter<'b>,
}

/// What was found in one file.
pub struct ScanReport<G> {
    /// Its path, as it was named or found, in messages.
    pub file: String,
    pub path: PathBuf,
    /// The folder it was found in, if it was not named itself.
    pub below: Option<PathBuf>,
    pub family: Option<&'static str>,
    /// What the file is, if it is no corpus and nothing is wrong with that.
    pub note: Option<&'static str>,
    pub gathered: G,
    pub issues: Vec<LocatedIssue>,
    pub outcome: CommandOutcome,
}

impl<G> ScanReport<G> {
    /// The report of a file of which nothing is known yet.
    fn new(found: &FoundPath, gathered: G) -> Self {
        let (path, below) = match found {
            FoundPath::File { path, below } => (path, below.clone()),
            FoundPath::Problem { path, .. } => (path, None),
        };
        Self {
            file: path.display().to_string(),
            path: path.clone(),
            below,
            family: None,
            note: None,
            gathered,
            issues: Vec::new(),
            outcome: CommandOutcome::Clean,
        }
    }

    fn with(self, issues: Vec<LocatedIssue>) -> Self {
        Self {
            outcome: issue::worst(&issues),
            issues,
            ..self
        }
    }
}

/// Examines files, each with what `start` makes for its path, in their order. Shows on standard error
/// how far it is if that takes a while.
pub fn examine<G: Collector>(
    found: &[FoundPath],
    start: impl Fn(&Path) -> G + Sync,
) -> Vec<ScanReport<G>> {
    let progress = ByteProgress::over(found);
    let reports = found
        .par_iter()
        .map(|found| report(found, &start, &progress))
        .collect();
    progress.finish();
    reports
}

/// The worst outcome of any of `reports`.
pub fn worst<'r, G: 'r>(reports: impl IntoIterator<Item = &'r ScanReport<G>>) -> CommandOutcome {
    let outcomes = reports.into_iter().map(|report| report.outcome);
    outcomes.max().unwrap_or_default()
}

/// Reports what is wrong with files; the worst of it.
pub fn report_issues<G>(reports: &[ScanReport<G>]) -> CommandOutcome {
    for report in reports {
        errors::file_issues(&report.path, &report.issues);
    }
    worst(reports)
}

fn report<G: Collector>(
    found: &FoundPath,
    start: &(impl Fn(&Path) -> G + Sync),
    progress: &ByteProgress,
) -> ScanReport<G> {
    let path = found.path();
    let read = match found {
        FoundPath::Problem { error, .. } => Err(error.to_string()),
        FoundPath::File { .. } if is_stdin(path) => open_standard_input()
            .map_err(|error| error.to_string())
            .and_then(|file| examine_file(found, &file, start, progress)),
        FoundPath::File { .. } => open(path, false)
            .map_err(|error| error.to_string())
            .and_then(|opened| examine_file(found, &opened.file, start, progress)),
    };
    read.unwrap_or_else(|why| {
        ScanReport::new(found, start(path)).with(vec![LocatedIssue::unreadable(why)])
    })
}

pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// All of standard input as a file.
///
/// # Errors
/// If it cannot be read.
pub fn open_standard_input() -> Result<CorpusFile<Vec<u8>>, OpenError> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    read.map_err(OpenError::Read)?;
    open_source(bytes, false)
}
