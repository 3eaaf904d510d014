//! Fixes all dialogs of a file in memory, wherever its bytes come from.

use std::path::Path;

use super::FixRequest;
use crate::cli::CommandOutcome;
use crate::cli::errors::{file_error, file_issues};
use crate::cli::options::FoundTurns;
use crate::cli::scan::broken_dialog;
use crate::corpus::{CorpusFile, ReadError};
use crate::format::{Family, FileFormat};
use crate::json::Parser;
use crate::lint::{Diagnostic, DialogPlace, FixOptions, ParsedDialog, SkippedFix, fix};
use crate::query::{DialogSource, Query, Target};
use crate::shell::{FoundPath, JudgementsHere, matched_path};
use crate::text::{counted, grouped, visible};

/// The results of fixing a file.
#[derive(Default)]
pub struct FixReport {
    pub count: usize,
    /// Number of fixed problems that only another fix revealed.
    uncovered: usize,
    /// An outcome other than clean has been reported.
    pub outcome: CommandOutcome,
}

impl FixReport {
    /// Returns the report of a file that was not fixed for a reason that has been reported.
    pub fn refused() -> Self {
        Self { outcome: CommandOutcome::Issues, ..Self::default() }
    }

    /// Says how many problems were fixed; `done` is the word for it.
    pub fn summary(&self, done: &str) -> String {
        let message = format!("{} {done}", counted(self.count, "problem"));
        match self.uncovered {
            0 => message,
            some => format!("{message}, {} of them revealed by other fixes", grouped(some)),
        }
    }

    /// Reports a skipped fix.
    fn report_skipped(&mut self, path: &Path, dialog: usize, skipped: &SkippedFix) {
        let SkippedFix { problem, why } = skipped;
        let turn = problem.location.turn;
        let turn = turn.map_or(String::new(), |turn| format!(", turn {turn}"));
        let fix = problem.fixes.first().map_or("", |fix| fix.title.as_str());
        let rule = problem.rule.name;
        let line = format!("dialog {dialog}{turn}: not applied: {fix} [{rule}]: {why}");
        file_error(path, &visible(&line));
        self.outcome = self.outcome.max(CommandOutcome::Issues);
    }
}

/// Fixes all dialogs of a file in memory. Does not change a file that is broken as a whole.
///
/// # Errors
/// If a dialog that was fixed cannot be compared with the file.
pub fn repair(
    found: &FoundPath,
    file: &mut CorpusFile,
    request: &FixRequest,
) -> Result<FixReport, String> {
    let mut repaired = FixReport::default();
    let (path, judgements) = (found.path(), &found.judgements);
    let matched = matched_path(path);
    let Some(formats) = file.file_format().filter(|_| file.index().error.is_none()) else {
        return Ok(repaired);
    };
    for position in 0..file.index().pieces.len() {
        let looker = DialogLooker {
            request,
            path,
            matched: &matched,
            judgements,
            formats: &formats,
            position,
        };
        let text = file.text(position);
        let seen = text.and_then(|text| Ok((looker.look_at(&text)?, text)));
        let (seen, text) = match seen {
            Ok(seen) => seen,
            Err(error) => {
                let issue = broken_dialog(file, position, &error);
                let outcome = file_issues(path, &[issue]);
                repaired.outcome = repaired.outcome.max(outcome);
                continue;
            }
        };
        if seen.found.as_ref().is_some_and(FoundTurns::is_empty) {
            continue;
        }
        let with = FixOptions {
            linter: &request.chosen,
            format: seen.format,
            place: looker.place(),
            at_least: request.at_least,
            escapes: file.escapes(),
        };
        let is_wanted = |problem: &Diagnostic| {
            let rules = request.rules.as_ref();
            rules.is_none_or(|rules| rules.level(problem.rule).is_some())
                && seen.found.as_ref().is_none_or(|found| found.has(problem))
        };
        let fixed = fix(&text, &with, is_wanted);
        if let Some(text) = fixed.text {
            let put = file.replace(position, text);
            put.map_err(|error| format!("dialog {position}: {error}"))?;
        }
        repaired.count += fixed.repaired;
        repaired.uncovered += fixed.uncovered;
        for skipped in &fixed.skipped {
            repaired.report_skipped(path, position, skipped);
        }
    }
    Ok(repaired)
}

/// Finds the facts about a dialog that fixing it needs.
struct DialogLooker<'r> {
    request: &'r FixRequest,
    path: &'r Path,
    /// The path as lists of ignored problems name it.
    matched: &'r str,
    judgements: &'r JudgementsHere,
    formats: &'r FileFormat,
    position: usize,
}

/// The facts about a dialog that fixing it needs.
struct SeenDialog {
    format: &'static Family,
    /// The turns that the query finds, if there is a query.
    found: Option<FoundTurns>,
}

impl<'r> DialogLooker<'r> {
    fn place(&self) -> DialogPlace<'r> {
        DialogPlace { file: self.matched, position: self.position }
    }

    fn look_at(&self, text: &str) -> Result<SeenDialog, ReadError> {
        let mut parser = Parser::new();
        let tree = parser.parse_piece_str(text)?;
        let format = self.formats.of(tree.root());
        // The dialog is dropped here: `fix` reads the text itself.
        let (mut dialog, issues) = format.read(tree);
        self.judgements.attach(&mut dialog, self.position);
        let read = ParsedDialog { dialog: &dialog, issues: &issues, format, tree };
        let query = self.request.query.as_ref();
        let found = query.map(|query| self.found(query, read));
        Ok(SeenDialog { format, found })
    }

    fn found(&self, query: &Query, read: ParsedDialog<'_>) -> FoundTurns {
        let mut problems = Vec::new();
        if query.needs_problems() {
            problems = self.request.chosen.problems(read, self.place());
        }
        let source = DialogSource {
            file: &self.path.to_string_lossy(),
            family: read.format.name(),
            ..DialogSource::default()
        };
        let target = Target { source, ..Target::new(read.dialog, &problems) };
        FoundTurns::of(query, &target)
    }
}
