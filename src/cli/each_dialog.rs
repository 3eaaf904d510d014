//! Reads the dialogs of files one after another.

mod by_id;

use std::io;

use super::CommandOutcome;
use super::errors::{Ended, complain, file_error, file_issues};
use super::scan::{broken_dialog, open_reported, open_standard_input, report_excluded, unreadable};
use super::style::shown;
use crate::corpus::{Contents, CorpusFile, ReadError};
use crate::dialog::Dialog;
use crate::format::Family;
use crate::json::Parser;
use crate::lint::{Diagnostic, DialogPlace, Linter, ParsedDialog};
use crate::query::{DialogSource, Target};
use crate::shell::{FoundPath, matched_path};
use crate::text::visible;
pub use by_id::FileById;

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
        if found.is_stdin() {
            match open_standard_input(&found.formats) {
                Ok(None) => {}
                Ok(Some(file)) => {
                    outcome = outcome.max(file_issues(path, &unreadable(&file)));
                    outcome = outcome.max(dialogs(&file, found, None, wanted, each)?);
                }
                Err(error) => {
                    file_error(path, &error);
                    outcome = CommandOutcome::Unusable;
                }
            }
        } else if let Some(opened) = open_reported(found, false, &mut outcome) {
            let earlier =
                wanted.since.map(|revision| FileById::at_revision(path, revision, &found.formats));
            match earlier.transpose() {
                Ok(earlier) => {
                    if let (Some(revision), Some(None)) = (wanted.since, &earlier) {
                        complain(format_args!(
                            "{}: not in {}, so nothing in it is compared",
                            shown(path),
                            visible(revision)
                        ));
                    }
                    let earlier = earlier.flatten();
                    outcome = outcome.max(dialogs(&opened.file, found, earlier, wanted, each)?);
                }
                Err(error) => {
                    file_error(path, &error);
                    outcome = CommandOutcome::Unusable;
                }
            }
        }
    }
    Ok(outcome)
}

fn dialogs(
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
    for position in 0..file.index().pieces.len() {
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
        // It only adds to the dialogs of another file.
        if format.is_companion() {
            continue;
        }
        let (mut dialog, issues) = format.read(tree);
        judgements.attach(&mut dialog, position);
        if excluded.has(position, &dialog.id) {
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
        each(ReadDialog { file: &name, position, before, dialog, json: &json, format, problems })?;
    }
    report_excluded(left_out);
    Ok(outcome)
}
