//! All that a report counts, as sums that add.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::sections::{
    ActSums, CallSums, FailureSums, FileSums, LabelSums, ProblemSums, QuestionSums, ShapeSums,
    TextSums, VoteSums,
};
use crate::dialog::{Counts, Dialog};
use crate::judging::Scheme;
use crate::lint::{Diagnostic, Severity};
use crate::ontology::Ontology;
use crate::page::{Report, Section};

/// A dialog with all that a report may count.
pub struct SeenDialog<'d> {
    /// The file, as the user named it or as it was found.
    pub file: &'d str,
    pub dialog: &'d Dialog,
    /// The position of the dialog in its file.
    pub position: usize,
    /// Byte offset in the file at which the dialog begins.
    pub start: u64,
    /// It is of labels, or a detector's output, for the turns of a log.
    pub is_companion: bool,
    pub problems: &'d [Diagnostic],
    pub ontology: &'d Ontology,
    /// The schemes whose questions may be answered.
    pub schemes: &'d [Scheme],
}

impl SeenDialog<'_> {
    /// Returns the name of the folder of its file; empty for a file alone.
    pub fn folder(&self) -> Cow<'_, str> {
        let folder = Path::new(self.file).parent().and_then(Path::file_name);
        folder.map(OsStr::to_string_lossy).unwrap_or_default()
    }
}

/// The facts of a file that its dialogs do not tell.
pub struct FileFacts<'f> {
    pub file: &'f str,
    pub family: &'f str,
    pub bytes: u64,
    /// XXH3 with 128 bits of its bytes, if they were hashed.
    pub hash: Option<u128>,
    /// The number of files, dialogs and members that cannot be read.
    pub issues: u64,
    pub excluded: u64,
}

/// The sums of all sections.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportSums {
    files: FileSums,
    shape: ShapeSums,
    texts: TextSums,
    labels: LabelSums,
    calls: CallSums,
    failures: FailureSums,
    acts: ActSums,
    problems: ProblemSums,
    votes: VoteSums,
    questions: QuestionSums,
}

impl ReportSums {
    /// Adds a dialog.
    pub fn add(&mut self, seen: &SeenDialog<'_>) {
        self.files.add(seen);
        self.problems.add(seen);
        if seen.is_companion {
            return;
        }
        self.shape.add(seen.dialog);
        self.texts.add(seen);
        self.labels.add(seen);
        self.calls.add(seen.dialog);
        self.failures.add(seen);
        self.acts.add(seen.dialog);
        self.votes.add(seen);
        self.questions.add(seen);
    }

    /// Adds a dialog that cannot be read.
    pub fn add_broken(&mut self, file: &str) {
        let counts = Counts { dialogs: 1, ..Counts::default() };
        self.files.add_counts(file, &counts);
    }

    /// Adds the facts of a file.
    pub fn add_file(&mut self, facts: &FileFacts<'_>) {
        self.files.add_file(facts);
    }

    /// Adds problems of a file that belong to none of its dialogs.
    pub fn add_problems(&mut self, file: &str, rule: &str, severity: Severity, problems: u64) {
        self.problems.add_problems(file, rule, severity, problems);
    }

    /// Adds the sums of another part of the corpus.
    pub fn join(&mut self, other: Self) {
        self.files.join(other.files);
        self.shape.join(other.shape);
        self.texts.join(other.texts);
        self.labels.join(other.labels);
        self.calls.join(other.calls);
        self.failures.join(other.failures);
        self.acts.join(other.acts);
        self.problems.join(other.problems);
        self.votes.join(other.votes);
        self.questions.join(other.questions);
    }

    /// Makes sums of the same contents equal, before they are compared or written.
    pub fn settle(&mut self) {
        self.texts.settle();
        self.labels.settle();
        self.calls.settle();
        self.failures.settle();
        self.acts.settle();
        self.questions.settle();
    }

    /// Returns the byte offsets in `file` of the examples whose lines are not known yet, to be changed.
    pub fn example_lines(&mut self, file: &str) -> Vec<(u64, &mut Option<u64>)> {
        let problems = self.problems.example_lines(file);
        let failures = self.failures.example_lines(file);
        let votes = self.votes.example_lines(file);
        problems.chain(failures).chain(votes).collect()
    }

    /// Returns a file that is in both sums; None if there is none.
    pub fn file_of_both(&self, other: &Self) -> Option<&str> {
        self.files.file_of_both(&other.files)
    }

    /// Leaves out the answers of all but these annotators, unless there are none.
    pub fn keep_annotators(&mut self, ids: &[String]) {
        if !ids.is_empty() {
            self.questions.keep_annotators(ids);
        }
    }

    /// Returns the report. `paths` are those that a command needs to give the same figures.
    pub fn report(&self, title: &str, paths: &str) -> Report {
        let sections: [Option<Section>; 10] = [
            Some(self.files.section(paths, &self.shape, self.problems.summary())),
            self.failures.section(&self.calls, paths, !self.questions.are_of_some()),
            self.shape.section(paths),
            self.texts.section(),
            self.labels.section(paths),
            self.calls.section(paths),
            self.acts.section(paths),
            Some(self.problems.section(paths)),
            self.votes.section(paths, &self.questions),
            Some(self.files.list(paths)),
        ];
        Report { title: title.to_owned(), sections: sections.into_iter().flatten().collect() }
    }
}
