//! Reports as text for people and as JSON for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::examine::{Located, Report};
use crate::cli::paint::{self, grouped};
use crate::dialog::Counts;
use crate::text::{visible, width};

const COLUMNS: [&str; 7] = [
    "dialogs", "turns", "segments", "calls", "votes", "acts", "issues",
];

fn numbers(counts: &Counts, issues: usize) -> [u64; 7] {
    let Counts {
        dialogs,
        turns,
        segments,
        calls,
        votes,
        acts,
    } = *counts;
    [dialogs, turns, segments, calls, votes, acts, issues as u64]
}

/// Issues as `file:line:column: message`, then a table of the files and a total.
pub fn text(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    let mut total = Counts::default();
    for report in reports {
        total += report.counts;
        for issue in &report.issues {
            print_issue(&report.file, issue, out)?;
        }
    }
    let issues = reports.iter().map(|report| report.issues.len()).sum();
    if issues > 0 {
        writeln!(out)?;
    }
    let total = (
        format!("total, {} files", grouped(reports.len() as u64)),
        numbers(&total, issues),
    );
    table(reports, &total, out)
}

fn print_issue(file: &str, issue: &Located, out: &mut dyn Write) -> io::Result<()> {
    let (place, dim, error) = (paint::PLACE, paint::DIM, paint::ERROR);
    let position = issue
        .position
        .map(|position| format!(":{position}"))
        .unwrap_or_default();
    let dialog = issue
        .dialog
        .map(|dialog| format!("dialog {dialog}"))
        .unwrap_or_default();
    let turn = issue
        .turn
        .map(|turn| format!(", turn {turn}"))
        .unwrap_or_default();
    let whose = if dialog.is_empty() {
        String::new()
    } else {
        format!("{dialog}{turn}: ")
    };
    let message = visible(&issue.message);
    writeln!(
        out,
        "{place}{}{position}:{place:#} {whose}{message} {dim}[{}]{dim:#}",
        visible(file),
        issue.code
    )?;
    if let Some((before, after)) = &issue.excerpt {
        let (before, after) = (visible(before), visible(after));
        writeln!(out, "    {before}{after}")?;
        writeln!(out, "    {:1$}{error}^{error:#}", "", width(&before))?;
    }
    Ok(())
}

fn table(reports: &[Report], total: &(String, [u64; 7]), out: &mut dyn Write) -> io::Result<()> {
    let family = |report: &Report| report.note.or(report.family).unwrap_or("-");
    let names = reports.iter().map(|report| width(&visible(&report.file)));
    let name_width = names.chain([width(&total.0), 4]).max().unwrap_or(4);
    let family_width = reports
        .iter()
        .map(|r| family(r).len())
        .chain([6])
        .max()
        .unwrap_or(6);
    let rows: Vec<_> = reports
        .iter()
        .map(|report| numbers(&report.counts, report.issues.len()))
        .collect();
    let widths: [usize; 7] = std::array::from_fn(|column| {
        let cells = rows
            .iter()
            .chain([&total.1])
            .map(|row| grouped(row[column]).len());
        cells.chain([COLUMNS[column].len()]).max().unwrap_or(0)
    });
    let (bold, dim) = (paint::PLACE, paint::DIM);
    write!(
        out,
        "{dim}{:name_width$}  {:family_width$}",
        "file", "family"
    )?;
    for (column, width) in COLUMNS.iter().zip(widths) {
        write!(out, "  {column:>width$}")?;
    }
    writeln!(out, "{dim:#}")?;
    for (report, row) in reports.iter().zip(&rows) {
        let name = visible(&report.file);
        let pad = name_width - width(&name);
        write!(out, "{name}{:pad$}  {:family_width$}", "", family(report))?;
        cells(row, &widths, out)?;
    }
    if reports.len() != 1 {
        write!(out, "{bold}{:name_width$}  {:family_width$}", total.0, "")?;
        cells(&total.1, &widths, out)?;
        write!(out, "{bold:#}")?;
    }
    Ok(())
}

fn cells(row: &[u64; 7], widths: &[usize; 7], out: &mut dyn Write) -> io::Result<()> {
    for (number, width) in row.iter().zip(widths) {
        write!(out, "  {:>width$}", grouped(*number))?;
    }
    writeln!(out)
}

#[derive(Serialize)]
struct JsonReport<'a> {
    file: &'a str,
    family: Option<&'a str>,
    dialogs: u64,
    turns: u64,
    segments: u64,
    calls: u64,
    votes: u64,
    acts: u64,
    issues: Vec<JsonIssue<'a>>,
}

#[derive(Serialize)]
struct JsonIssue<'a> {
    file: &'a str,
    line: Option<u64>,
    column: Option<u64>,
    dialog: Option<usize>,
    turn: Option<usize>,
    code: &'a str,
    message: &'a str,
}

/// An array with one object a file, a line each.
pub fn json(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    for (i, report) in reports.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &json_report(report))?;
    }
    out.write_all(b"\n]\n")
}

fn json_report(report: &Report) -> JsonReport<'_> {
    let Counts {
        dialogs,
        turns,
        segments,
        calls,
        votes,
        acts,
    } = report.counts;
    let issue = |issue| json_issue(&report.file, issue);
    JsonReport {
        file: &report.file,
        family: report.family,
        dialogs,
        turns,
        segments,
        calls,
        votes,
        acts,
        issues: report.issues.iter().map(issue).collect(),
    }
}

fn json_issue<'a>(file: &'a str, issue: &'a Located) -> JsonIssue<'a> {
    JsonIssue {
        file,
        line: issue.position.map(|position| position.line),
        column: issue.position.map(|position| position.column),
        dialog: issue.dialog,
        turn: issue.turn,
        code: issue.code,
        message: &issue.message,
    }
}
