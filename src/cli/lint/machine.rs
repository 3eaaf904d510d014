//! Prints problems for programs: as JSON, JSON Lines, or GitHub annotations.

use std::io::{self, Write as _};

use serde::Serialize;

use super::text::RuleCount;
use super::{LintReport, LocatedProblem};
use crate::cli::printer::Printer;
use crate::corpus::{DialogRef, Origin, Record};
use crate::lint::Severity;

/// A problem in machine-readable output. Positions count from 0, lines and columns from 1.
#[derive(Serialize)]
struct ProblemRecord<'p> {
    file: &'p str,
    line: u64,
    column: u64,
    rule: &'static str,
    severity: &'static str,
    dialog: Option<usize>,
    /// None if the dialog has no id.
    dialog_id: Option<&'p str>,
    turn: Option<usize>,
    segment: Option<usize>,
    /// The text that the problem is about.
    quote: Option<&'p str>,
    message: &'p str,
    fixes: Vec<FixRecord<'p>>,
}

#[derive(Serialize)]
struct FixRecord<'p> {
    title: &'p str,
    applicability: &'static str,
    /// In the form that `turnwise apply` reads.
    edits: Vec<Record>,
}

impl<'p> ProblemRecord<'p> {
    fn of(file: &'p str, problem: &'p LocatedProblem) -> Self {
        let found = &problem.found;
        let id = problem.known_id();
        let record = |edit: &crate::dialog::Edit| Record {
            file: Some(file.to_owned()),
            dialog: DialogRef::Number(problem.dialog.unwrap_or_default()),
            dialog_id: id.map(str::to_owned),
            edit: edit.clone(),
            on: None,
            origin: Origin::default(),
        };
        let fixes = found.fixes.iter().map(|fix| FixRecord {
            title: &fix.title,
            applicability: fix.applicability.name(),
            edits: fix.edits.iter().map(record).collect(),
        });
        Self {
            file,
            line: problem.position.line,
            column: problem.position.column,
            rule: found.rule.name,
            severity: found.severity.machine_name(),
            dialog: problem.dialog,
            dialog_id: id,
            turn: found.location.turn,
            segment: found.location.segment,
            quote: problem.quote(),
            message: &found.message,
            fixes: fixes.collect(),
        }
    }
}

fn all(files: &[LintReport]) -> impl Iterator<Item = ProblemRecord<'_>> {
    files.iter().flat_map(|file| {
        let problems = file.problems.iter();
        problems.map(|problem| ProblemRecord::of(&file.file, problem))
    })
}

pub fn json(files: &[LintReport], out: &mut Printer) -> io::Result<()> {
    let all: Vec<_> = all(files).collect();
    out.json_pretty(&all)?;
    writeln!(out)
}

pub fn jsonl(files: &[LintReport], out: &mut Printer) -> io::Result<()> {
    for record in all(files) {
        out.json(&record)?;
        writeln!(out)?;
    }
    Ok(())
}

/// The number of problems of a rule.
#[derive(Serialize)]
struct Counted {
    rule: &'static str,
    count: u64,
    /// Problems with a fix that `turnwise fix --unsafe-fixes` applies.
    with_fix: u64,
    /// Problems by the applicability of their first fix.
    safe: u64,
    #[serde(rename = "unsafe")]
    is_unsafe: u64,
    display: u64,
}

/// Prints the number of problems of each rule, as an array or one line each.
pub fn statistics(counts: &[RuleCount], lines: bool, out: &mut Printer) -> io::Result<()> {
    let counted = counts.iter().map(|count| Counted {
        rule: count.rule,
        count: count.problems,
        with_fix: count.safe + count.is_unsafe,
        safe: count.safe,
        is_unsafe: count.is_unsafe,
        display: count.manual,
    });
    if !lines {
        out.json_pretty(&counted.collect::<Vec<_>>())?;
        return writeln!(out);
    }
    for rule in counted {
        out.json(&rule)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Prints workflow commands, in which some characters are percent-encoded.
pub fn github(files: &[LintReport], out: &mut Printer) -> io::Result<()> {
    let text = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let value = |value: &str| text(value).replace(':', "%3A").replace(',', "%2C");
    for file in files {
        for problem in &file.problems {
            let command = match problem.found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "notice",
            };
            writeln!(
                out,
                "::{command} file={},line={},col={},title={}::{}",
                value(&file.file),
                problem.position.line,
                problem.position.column,
                value(problem.found.rule.name),
                text(&problem.found.message),
            )?;
        }
    }
    Ok(())
}
