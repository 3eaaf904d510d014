//! Reads the dialogs of files one after another.

use std::io;
use std::path::Path;

use super::CommandOutcome;
use super::errors::{Ended, OrStop as _, complain, file_issues};
use super::scan::{broken_dialog, open_reported, report_excluded};
use super::style::shown;
use crate::corpus::{Contents, CorpusFile, DialogRef, IdLookup, ReadError};
use crate::dialog::{Dialog, Issue};
use crate::format::{Family, Formats};
use crate::json::Parser;
use crate::lint::{Diagnostic, DialogPlace, Linter, ParsedDialog};
use crate::query::{DialogSource, Target};
use crate::shell::{FoundPath, at_revision, matched_path, open_source};
use crate::text::visible;

/// A dialog and its place.
pub struct ReadDialog<'r> {
    /// Path of its file, for people.
    pub file: &'r str,
    pub position: usize,
    pub dialog: Dialog,
    /// The dialog in the earlier revision.
    pub before: Option<Dialog>,
    /// Its text in the file.
    pub json: &'r str,
    pub format: &'static Family,
    /// Format issues.
    pub issues: &'r [Issue],
    /// Problems that the selected rules find.
    pub problems: Vec<Diagnostic>,
}

impl ReadDialog<'_> {
    /// Returns the dialog, for a query.
    pub fn target(&self) -> Target<'_> {
        Target {
            dialog: &self.dialog,
            problems: &self.problems,
            source: DialogSource {
                file: self.file,
                family: self.format.name(),
                ..DialogSource::default()
            },
        }
    }
}

type Use<'u> = dyn FnMut(ReadDialog<'_>) -> io::Result<()> + 'u;

/// Additions to the dialogs.
#[derive(Clone, Copy, Default)]
pub struct Wanted<'w> {
    /// The rules whose problems are wanted, if any.
    pub rules: Option<&'w Linter>,
    /// The Git revision whose dialogs are wanted, if any.
    pub since: Option<&'w str>,
    /// True if dialogs are wanted that only add to those of another file, too.
    pub companions: bool,
    /// The position of the only dialog that is wanted, also if it is excluded; None if all are.
    pub only: Option<usize>,
}

/// Passes every dialog of `found` to `each`, with what is `wanted` besides. Reports files and dialogs that
/// cannot be read; returns the worst outcome.
///
/// # Errors
/// Those of `each`.
pub fn all(found: &[FoundPath], wanted: Wanted<'_>, each: &mut Use<'_>) -> Ended {
    let mut outcome = CommandOutcome::Clean;
    for found in found {
        let path = found.path();
        let Some(opened) = open_reported(found, false, &mut outcome) else {
            continue;
        };
        let earlier =
            wanted.since.map(|revision| FileById::at_revision(path, revision, &found.formats));
        let Some(earlier) = earlier.transpose().or_report(path, &mut outcome) else {
            continue;
        };
        if let (Some(revision), Some(None)) = (wanted.since, &earlier) {
            complain(format_args!(
                "{}: not compared, because it is not in {}",
                shown(path),
                visible(revision)
            ));
        }
        outcome = outcome.max(of_file(&opened.file, found, earlier.flatten(), wanted, each)?);
    }
    Ok(outcome)
}

/// As [`all`], for a file that is open already, with its copy in an `earlier` revision.
///
/// # Errors
/// Those of `each`.
pub fn of_file(
    file: &CorpusFile,
    found: &FoundPath,
    mut earlier: Option<FileById>,
    wanted: Wanted<'_>,
    each: &mut Use<'_>,
) -> Ended {
    let Contents::Dialogs(_) = &file.index().contents else {
        return Ok(CommandOutcome::Clean);
    };
    let Some(formats) = file.file_format() else {
        return Ok(CommandOutcome::Clean);
    };
    let (path, excluded, judgements) = (found.path(), &found.excluded, &found.judgements);
    let mut left_out = 0;
    let (name, matched) = (path.display().to_string(), matched_path(path));
    let mut outcome = CommandOutcome::Clean;
    let mut parser = Parser::new();
    let positions = wanted.only.map_or(0..file.index().pieces.len(), |only| only..only + 1);
    for position in positions {
        let mut broken = |error: &ReadError| {
            let issue = broken_dialog(file, position, error);
            outcome = outcome.max(file_issues(path, &[issue]));
        };
        let json = match file.text(position) {
            Ok(json) => json,
            Err(error) => {
                broken(&error);
                continue;
            }
        };
        let tree = match parser.parse_piece_str(&json) {
            Ok(tree) => tree,
            Err(error) => {
                broken(&ReadError::Syntax(error));
                continue;
            }
        };
        let format = formats.of(tree.root());
        if format.is_companion() && !wanted.companions {
            continue;
        }
        let (mut dialog, issues) = format.read(tree);
        judgements.attach(&mut dialog, position);
        if wanted.only.is_none() && excluded.has(position, &dialog.id) {
            left_out += 1;
            continue;
        }
        let mut problems = Vec::new();
        if let Some(rules) = wanted.rules {
            let read = ParsedDialog { dialog: &dialog, issues: &issues, format, tree };
            let file = &matched;
            problems = rules.problems(read, DialogPlace { file, position });
        }
        let before = earlier.as_mut();
        let before = before.and_then(|file| file.dialog(&dialog.id, position));
        each(ReadDialog {
            file: &name,
            position,
            before,
            dialog,
            json: &json,
            format,
            issues: &issues,
            problems,
        })?;
    }
    report_excluded(left_out);
    Ok(outcome)
}

/// A file whose dialogs are asked for by id.
pub struct FileById {
    file: CorpusFile,
    /// The position after the last dialog that was found.
    next: usize,
}

impl FileById {
    pub fn new(file: CorpusFile) -> Self {
        Self { file, next: 0 }
    }

    /// Returns the file at `path` in a Git revision; None if the revision does not have it.
    ///
    /// # Errors
    /// If the revision is not known, or the file in it cannot be read.
    pub fn at_revision(path: &Path, revision: &str, formats: &Formats) -> io::Result<Option<Self>> {
        let text = at_revision(path, revision)?;
        let file = text.map(|text| open_source(text, formats, false).map_err(io::Error::other));
        Ok(file.transpose()?.map(Self::new))
    }

    /// Returns the dialog with this id, or, without an id, at this position. None if there is none that can be read.
    pub fn dialog(&mut self, id: &str, position: usize) -> Option<Dialog> {
        if id.is_empty() {
            return self.file.dialog_at(position).filter(|dialog| dialog.id.is_empty());
        }
        let here = self.file.dialog_at(self.next).filter(|dialog| dialog.id == id);
        if let Some(dialog) = here {
            self.next += 1;
            return Some(dialog);
        }
        // Some were added, removed or moved.
        let found = self.file.find(&DialogRef::Id(id.to_owned())).ok()?;
        let IdLookup::Found(position) = found else {
            return None;
        };
        self.next = position + 1;
        self.file.dialog_at(position)
    }
}
