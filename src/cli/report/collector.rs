//! Counts the dialogs of a file for a report.

use std::io;
use std::path::Path;

use crate::cli::scan::{Collector, ScanReport, ScannedDialog};
use crate::corpus::{CorpusFile, positions};
use crate::judging::Scheme;
use crate::lint::{DialogPlace, Linter, named};
use crate::report::{FileFacts, ReportSums, SeenDialog};
use crate::shell::matched_path;

/// Counts dialogs.
pub struct ReportCollector<'c> {
    linter: &'c Linter,
    schemes: &'c [Scheme],
    /// The path, as it is shown.
    file: String,
    /// The path as ignores files match it.
    name: String,
    sums: ReportSums,
    bytes: u64,
    hash: Option<u128>,
}

impl<'c> ReportCollector<'c> {
    pub fn new(linter: &'c Linter, schemes: &'c [Scheme], path: &Path) -> Self {
        Self {
            linter,
            schemes,
            file: path.display().to_string(),
            name: matched_path(path),
            sums: ReportSums::default(),
            bytes: 0,
            hash: None,
        }
    }

    /// Takes the sums of a file that was read, with the facts of the file.
    pub fn take_sums(report: &mut ScanReport<Self>) -> ReportSums {
        let mut sums = std::mem::take(&mut report.gathered.sums);
        let gathered = &report.gathered;
        let syntax = report.issues.iter().filter(|issue| issue.is_syntax());
        if let Some(rule) = named("json-syntax")
            && let Some(severity) = gathered.linter.selection.level(rule)
        {
            sums.add_problems(&report.file, rule.name, severity, syntax.count() as u64);
        }
        sums.add_file(&FileFacts {
            file: &report.file,
            family: report.note.or(report.family).unwrap_or_default(),
            bytes: gathered.bytes,
            hash: gathered.hash,
            issues: report.issues.len() as u64,
            excluded: report.excluded as u64,
        });
        sums
    }
}

impl Collector for ReportCollector<'_> {
    const HASHES: bool = true;

    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        let place = DialogPlace { file: &self.name, position: read.position };
        let problems = self.linter.problems(read.parsed(), place);
        self.sums.add(&SeenDialog {
            file: &self.file,
            dialog: &read.dialog,
            position: read.position,
            start: read.start,
            is_companion: read.format.is_companion(),
            problems: &problems,
            ontology: self.linter.ontology(read.format, &read.dialog),
            schemes: self.schemes,
        });
    }

    fn broken(&mut self) {
        self.sums.add_broken(&self.file);
    }

    fn join(&mut self, later: Self) {
        self.sums.join(later.sums);
    }

    fn end_of_file(&mut self, file: &CorpusFile) -> io::Result<()> {
        self.bytes = file.source().len();
        self.hash = file.index().hash;
        let mut examples = self.sums.example_lines(&self.file);
        examples.sort_by_key(|(offset, _)| *offset);
        let offsets: Vec<_> = examples.iter().map(|(offset, _)| *offset).collect();
        for (position, (_, line)) in positions(file.source(), &offsets)?.iter().zip(examples) {
            *line = Some(position.line);
        }
        Ok(())
    }
}
