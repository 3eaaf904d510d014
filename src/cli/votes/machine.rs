//! Prints figures for programs: JSON and CSV.

use std::borrow::Cow;
use std::io::{self, Write as _};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::figures::{self, Cell, Cells};
use super::{By, Findings, PairTable, gather};
use crate::cli::printer::Printer;
use crate::cli::scan::{LocatedIssue, ScanReport};
use crate::votes::{Confusion, Statistic};

/// A row as a JSON object: undefined values are null, and `undefined` gives the reasons.
pub struct Row<'a>(pub &'a Cells);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, cell) in self.0 {
            match cell {
                Cell::Name(text) => map.serialize_entry(name, text)?,
                Cell::Count(count) => map.serialize_entry(name, count)?,
                Cell::Statistic(statistic) => map.serialize_entry(name, &statistic.ok())?,
            }
        }
        map.serialize_entry("undefined", &Reasons(self.0))?;
        map.end()
    }
}

struct Reasons<'a>(&'a Cells);

impl Serialize for Reasons<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(reasons(self.0))
    }
}

/// Returns the undefined figures with their reasons.
fn reasons(cells: &Cells) -> impl Iterator<Item = (&str, String)> {
    cells.iter().filter_map(|(name, cell)| match cell {
        Cell::Statistic(Err(undefined)) => Some((name.as_ref(), undefined.to_string())),
        _ => None,
    })
}

/// Returns the requested rows.
fn rows(findings: &Findings) -> Vec<Cells> {
    if findings.by == Some(By::Annotator) {
        let annotators = gather::annotators(&findings.survey).into_iter();
        let named = annotators.map(|(id, votes)| figures::annotator(id, votes, findings.threshold));
        let anonymous = findings.survey.anonymous;
        let nobody = (anonymous != [0; 3]).then(|| figures::anonymous(anonymous));
        return named.chain(nobody).collect();
    }
    let row = |group: &gather::FigureRow| {
        let names = group.names.iter().map(|name| Cell::Name(name.clone()));
        let heads = findings.by.map_or(&[][..], By::heads);
        let names = heads.iter().map(|head| Cow::from(*head)).zip(names);
        names.chain(group.figures.cells()).collect()
    };
    findings.groups.iter().map(row).collect()
}

pub fn json(findings: &Findings, out: &mut Printer) -> io::Result<()> {
    let by = findings.by.map(By::name);
    out.write_all(b"{\"threshold\":")?;
    out.json(&findings.threshold)?;
    let (files, dialogs) = (findings.files, findings.dialogs);
    write!(out, ",\"files\":{files},\"dialogs\":{dialogs}")?;
    out.write_all(b",\"unreadable\":")?;
    out.json(&findings.unreadable)?;
    out.write_all(b",\"total\":")?;
    out.json(&Row(&findings.total.cells()))?;
    write!(out, ",\"by\":{},\"rows\":[", json!(by))?;
    let rows = rows(findings);
    for (i, row) in rows.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        out.json(&Row(row))?;
    }
    out.write_all(if rows.is_empty() { b"]}\n" } else { b"\n]}\n" })
}

/// Describes an issue of a file that cannot be read completely.
pub fn why<G>(report: &ScanReport<G>, issue: &LocatedIssue) -> Value {
    json!({
        "file": report.file,
        "line": issue.position().map(|position| position.line),
        "column": issue.position().map(|position| position.column),
        "message": issue.message,
    })
}

/// Prints one line per row, or a single line of totals if no rows were requested.
pub fn csv(findings: &Findings, out: &mut Printer) -> io::Result<()> {
    csv_of(
        &match findings.by {
            None => vec![findings.total.cells()],
            Some(_) => rows(findings),
        },
        out,
    )
}

/// Prints one line per row.
pub fn csv_of(rows: &[Cells], out: &mut Printer) -> io::Result<()> {
    let mut records = Vec::with_capacity(rows.len() + 1);
    if let Some(first) = rows.first() {
        let names = first.iter().map(|(name, _)| name.as_ref());
        records.push(names.chain(["undefined"]).map(str::to_owned).collect());
    }
    for row in rows {
        let reasons: Vec<_> = reasons(row).map(|(name, why)| format!("{name}: {why}")).collect();
        let cells = row.iter().map(|(_, cell)| field(cell));
        records.push(cells.chain([reasons.join("; ")]).collect());
    }
    write_csv(&records, out)
}

pub fn write_csv(records: &[Vec<String>], out: &mut Printer) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for record in records {
        writer.write_record(record).map_err(as_io)?;
    }
    writer.flush()
}

/// Returns the output error itself, whose kind the library hides.
fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn field(cell: &Cell) -> String {
    match cell {
        Cell::Name(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Statistic(statistic) => statistic.map_or_else(|_| String::new(), |v| v.to_string()),
    }
}

pub fn confusion_json(table: &PairTable<'_>, out: &mut Printer) -> io::Result<()> {
    let PairTable { confusion, labels, pair: (first, second), items } = table;
    let object = json!({
        "first": first,
        "second": second,
        "labels": labels,
        (*items): confusion.turns,
        "left_out": confusion.left_out,
        "statistics": Row(&statistics(confusion)),
    });
    out.json(&object)?;
    writeln!(out)
}

pub fn statistics(confusion: &Confusion) -> Cells {
    let statistic = |statistic: Statistic| Cell::Statistic(statistic);
    vec![
        ("agreement".into(), statistic(confusion.agreement())),
        ("cohen_kappa".into(), statistic(confusion.kappa())),
    ]
}

/// Prints one line for each pair of labels.
pub fn confusion_csv(table: &PairTable<'_>, out: &mut Printer) -> io::Result<()> {
    let (first, second) = table.pair;
    let head = [first, second, table.items].map(str::to_owned);
    let mut records = vec![Vec::from(head)];
    for (one, row) in table.labels.iter().zip(&table.confusion.turns) {
        for (other, count) in table.labels.iter().zip(row) {
            records.push(vec![one.clone(), other.clone(), count.to_string()]);
        }
    }
    write_csv(&records, out)
}
