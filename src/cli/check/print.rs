//! Prints reports as text for people and as JSON for programs.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};

use serde::Serialize;

use super::FileSummary;
use crate::cli::page::{self, Format};
use crate::cli::printer::Printer;
use crate::cli::scan::{LocatedIssue, ScanReport, print_issue, report_excluded, report_issues};
use crate::dialog::Counts;
use crate::page::{Cell, Column, Page, Table};
use crate::text::grouped;

const COLUMNS: [&str; 7] = ["dialogs", "turns", "segments", "calls", "votes", "acts", "issues"];

fn numbers(counts: &Counts, issues: usize) -> [u64; 7] {
    let Counts { dialogs, turns, segments, calls, votes, acts } = *counts;
    [dialogs, turns, segments, calls, votes, acts, issues as u64]
}

/// Prints issues as `file:line:column: message`, the parts that are not read, then a table of the files and a
/// total.
pub fn text(reports: &[ScanReport<FileSummary<'_>>], out: &mut Printer) -> io::Result<()> {
    let mut unread = false;
    for report in reports {
        for issue in &report.issues {
            print_issue(&report.file, issue, out)?;
        }
        let FileSummary { unread: parts, .. } = &report.gathered;
        if !parts.is_empty() {
            unread = true;
            writeln!(out, "{}: {}", report.file, parts)?;
        }
    }
    if reports.is_empty() {
        return Ok(());
    }
    report_excluded(reports.iter().map(|report| report.excluded).sum());
    if unread || reports.iter().any(|report| !report.issues.is_empty()) {
        writeln!(out)?;
    }
    page(reports).write_text(out)
}

/// Prints the issues to standard error, and the table of the files.
pub fn table(
    reports: &[ScanReport<FileSummary<'_>>],
    form: Format,
    out: &mut Printer,
) -> io::Result<()> {
    report_issues(reports);
    page::print(&page(reports), "Files", form, out)
}

/// Returns the table of the files.
fn page(reports: &[ScanReport<FileSummary<'_>>]) -> Page {
    let row = |names: [String; 2], numbers: [u64; 7]| -> Vec<Cell> {
        names.map(Cell::Text).into_iter().chain(numbers.map(Cell::Count)).collect()
    };
    let family = |report: &ScanReport<FileSummary<'_>>| {
        let usual = report.note.or(report.family).unwrap_or("-");
        let others = report.other_families.iter().copied();
        let all: Vec<_> = std::iter::once(usual).chain(others).collect();
        all.join(", ")
    };
    let of = |report: &ScanReport<FileSummary<'_>>| {
        let numbers = numbers(&report.gathered.counts, report.issues.len());
        row([report.file.clone(), family(report)], numbers)
    };
    let total = || {
        let name = format!("total, {} files", grouped(reports.len()));
        let mut total = Counts::default();
        for report in reports {
            total += report.gathered.counts;
        }
        let issues = reports.iter().map(|report| report.issues.len()).sum();
        row([name, String::new()], numbers(&total, issues))
    };
    let names = ["file", "family"].map(Column::name);
    let numbers = COLUMNS.map(|name| Column::new(name, name));
    let mut page = Page::default();
    page.rows(Table {
        columns: names.into_iter().chain(numbers).collect(),
        rows: reports.iter().map(of).collect(),
        total: (reports.len() != 1).then(total),
    });
    page
}

#[derive(Serialize)]
struct JsonReport<'a> {
    file: &'a str,
    family: Option<&'a str>,
    /// Left out if all dialogs are of the one family.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    other_families: &'a BTreeSet<&'static str>,
    dialogs: u64,
    turns: u64,
    segments: u64,
    calls: u64,
    votes: u64,
    acts: u64,
    /// The number of excluded dialogs, which were not read; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    excluded: Option<usize>,
    /// The number of parts of each kind that is not read; left out if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    not_read: BTreeMap<&'a str, u64>,
    issues: Vec<JsonIssue<'a>>,
}

#[derive(Serialize)]
struct JsonIssue<'a> {
    file: &'a str,
    line: Option<u64>,
    column: Option<u64>,
    dialog: Option<usize>,
    /// None if the dialog has no id.
    dialog_id: Option<&'a str>,
    turn: Option<usize>,
    code: &'a str,
    message: &'a str,
}

/// Prints an array with one object per file, one per line.
pub fn json(reports: &[ScanReport<FileSummary<'_>>], out: &mut Printer) -> io::Result<()> {
    out.write_all(b"[")?;
    for (i, report) in reports.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        out.json(&json_report(report))?;
    }
    out.write_all(if reports.is_empty() { b"]\n" } else { b"\n]\n" })
}

fn json_report<'r>(report: &'r ScanReport<FileSummary<'_>>) -> JsonReport<'r> {
    let Counts { dialogs, turns, segments, calls, votes, acts } = report.gathered.counts;
    let issue = |issue| json_issue(&report.file, issue);
    JsonReport {
        file: &report.file,
        family: report.family,
        other_families: &report.other_families,
        dialogs,
        turns,
        segments,
        calls,
        votes,
        acts,
        excluded: Some(report.excluded).filter(|count| *count > 0),
        not_read: report
            .gathered
            .unread
            .kinds()
            .map(|(kind, count)| (kind.as_str(), count))
            .collect(),
        issues: report.issues.iter().map(issue).collect(),
    }
}

fn json_issue<'a>(file: &'a str, issue: &'a LocatedIssue) -> JsonIssue<'a> {
    JsonIssue {
        file,
        line: issue.position().map(|position| position.line),
        column: issue.position().map(|position| position.column),
        dialog: issue.dialog,
        dialog_id: issue.dialog_id.as_deref(),
        turn: issue.turn,
        code: issue.code,
        message: &issue.message,
    }
}
