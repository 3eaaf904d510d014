//! Prints figures for people: a page of totals, or a table.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use super::figures::{Cell, Figures};
use super::machine::statistics;
use super::{By, Findings, PairTable, gather};
use crate::cli::printer::Printer;
use crate::cli::style;
use crate::cli::table::Table;
use crate::dialog::Breakdown;
use crate::text::{self, counted, grouped};
use crate::votes::{Statistic, UndefinedReason};

pub fn text(findings: &Findings, out: &mut Printer) -> io::Result<()> {
    match findings.by {
        None => page(findings, out),
        Some(By::Annotator) => annotators(findings, out),
        Some(_) => groups(findings, out),
    }
}

/// Prints the totals, one figure per line.
fn page(findings: &Findings, out: &mut Printer) -> io::Result<()> {
    let Findings { total, files, dialogs, threshold, .. } = findings;
    let a_turn = match total.votes_a_turn {
        Some((fewest, most)) if fewest == most => format!(", {fewest} a turn"),
        Some((fewest, most)) => format!(", {fewest} to {most} a turn"),
        None => String::new(),
    };
    let anonymous = match total.anonymous {
        0 => String::new(),
        count => format!(", {} without an id", grouped(count)),
    };
    let (dialogs, files) = (counted(*dialogs, "dialog"), counted(*files, "file"));
    let annotators = counted(total.annotators, "annotator");
    line("judged turns", &format!("{}, {dialogs}, {files}", grouped(total.turns)), out)?;
    line("votes", &format!("{}{a_turn}, {annotators}{anonymous}", grouped(total.votes)), out)?;
    writeln!(out)?;
    labels(total, *threshold).print(out)?;
    writeln!(out)?;
    let share = |count: u64| format!("{} ({})", grouped(count), percent(count, total.turns));
    let [o, tx] = total.majorities.lenient;
    line("lenient", &format!("O {}, T+X {}", share(o), share(tx)), out)?;
    line("ties", &share(total.ties), out)?;
    line("no absolute majority", &share(total.no_absolute_majority), out)?;
    writeln!(out)?;
    let each = [
        ("entropy", total.entropy, "bits, of at most 1.585"),
        ("agreement", total.agreement, "of pairs of votes on a turn"),
        ("Fleiss' kappa", total.fleiss_kappa, ""),
        ("Krippendorff's alpha", total.alpha_nominal, "nominal"),
        ("", total.alpha_ordinal, "ordinal, O < T < X"),
    ];
    for (name, statistic, remark) in each {
        line(name, &valued(statistic, remark), out)?;
    }
    Ok(())
}

/// Columns before a figure.
const MARGIN: usize = 22;

pub fn line(name: &str, text: &str, out: &mut Printer) -> io::Result<()> {
    let dim = out.style(style::DIM);
    writeln!(out, "{dim}{name:MARGIN$}{dim:#}{text}")
}

/// Formats a statistic with a remark, or the reason why it is undefined.
pub fn valued(statistic: Statistic, remark: &str) -> String {
    let text = match statistic {
        Ok(value) => format!("{}  {remark}", decimals(value)),
        Err(undefined) if remark.is_empty() => format!("-      {undefined}"),
        Err(undefined) => format!("-      {remark}: {undefined}"),
    };
    text.trim_end().to_owned()
}

/// Formats three decimals, without a minus sign before zero.
pub fn decimals(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.strip_prefix('-') {
        Some("0.000") => "0.000".to_owned(),
        _ => text,
    }
}

/// Formats `count` as a percentage of `of`; a dash if `of` is 0.
pub fn percent(count: u64, of: u64) -> String {
    match of {
        0 => "-".to_owned(),
        _ => format!("{} %", text::percent(count, of)),
    }
}

/// Returns the table of votes and majorities by label.
fn labels(total: &Figures, threshold: f64) -> Table {
    let cells = |count: u64, of: u64| [grouped(count), percent(count, of)];
    let row = |i: usize| {
        let name = Breakdown::ALL[i].letter().to_owned();
        let votes = cells(total.labels[i], total.votes);
        let strict = cells(total.majorities.strict[i], total.turns);
        [name].into_iter().chain(votes).chain(strict).collect()
    };
    let majority = if threshold > 0.0 {
        format!("majority of at least {threshold}, else O")
    } else {
        "majority".to_owned()
    };
    Table {
        heads: vec![String::new(); 5],
        over: vec![(1, "votes".to_owned()), (3, majority)],
        names: 1,
        rows: (0..3).map(row).collect(),
        ..Table::default()
    }
}

/// Column heads of the table of files or dialogs, after the names, and the heads above them.
const COLUMNS: [&str; 16] = [
    "turns", "votes", "O", "T", "X", "O", "T", "X", "T+X", "ties", "open", "entropy", "agree",
    "kappa", "alpha", "ordinal",
];
const OVER: [(usize, &str); 2] = [(2, "% of votes"), (5, "majority")];

/// Prints one row for each file, dialog, system or position, and a total.
fn groups(findings: &Findings, out: &mut Printer) -> io::Result<()> {
    let groups = &findings.groups;
    let by = findings.by.unwrap_or(By::File);
    let heads = by.heads();
    let mut notes = Notes::default();
    let mut row = |names: Vec<String>, figures: &Figures| -> Vec<String> {
        names.into_iter().chain(numbers(figures, &mut notes)).collect()
    };
    let rows = groups.iter().map(|group| row(group.names.clone(), &group.figures)).collect();
    let mut name = vec![format!("total, {}", counted(groups.len(), by.name()))];
    name.resize(heads.len(), String::new());
    let total = (groups.len() != 1).then(|| row(name, &findings.total));
    let table = Table {
        heads: heads.iter().chain(&COLUMNS).map(|head| (*head).to_owned()).collect(),
        over: OVER.map(|(column, text)| (heads.len() + column, text.to_owned())).into(),
        names: heads.len(),
        rows,
        total,
    };
    table.print(out)?;
    notes.print(out)
}

fn numbers(figures: &Figures, notes: &mut Notes) -> Vec<String> {
    let [o, t, x] = figures.majorities.strict;
    let [_, tx] = figures.majorities.lenient;
    let mut cells = vec![grouped(figures.turns), grouped(figures.votes)];
    cells.extend(figures.labels.map(|count| bare_percent(count, figures.votes)));
    let counts = [o, t, x, tx, figures.ties, figures.no_absolute_majority];
    cells.extend(counts.map(grouped));
    let statistics = [
        ("entropy", figures.entropy),
        ("agree", figures.agreement),
        ("kappa", figures.fleiss_kappa),
        ("alpha", figures.alpha_nominal),
        ("ordinal", figures.alpha_ordinal),
    ];
    cells.extend(statistics.map(|(name, statistic)| notes.cell(name, statistic)));
    cells
}

/// Formats [`percent`] without the sign, for columns whose head shows it.
pub fn bare_percent(count: u64, of: u64) -> String {
    percent(count, of).trim_end_matches(" %").to_owned()
}

/// Prints one row for each annotator, then the votes without an annotator id.
fn annotators(findings: &Findings, out: &mut Printer) -> io::Result<()> {
    let survey = &findings.survey;
    let mut notes = Notes::default();
    let mut row = |id: &str, labels: [u64; 3], [rest, majority]: [Statistic; 2]| -> Vec<String> {
        let votes = labels.iter().sum();
        let mut cells = vec![id.to_owned(), grouped(votes)];
        cells.extend(labels.map(|count| bare_percent(count, votes)));
        cells.push(notes.cell("rest", rest));
        cells.push(notes.cell("majority", majority));
        cells
    };
    let mut rows: Vec<_> = gather::annotators(survey)
        .into_iter()
        .map(|(id, votes)| {
            row(id, votes.labels(), [votes.with_rest(), votes.with_majority(findings.threshold)])
        })
        .collect();
    if survey.anonymous != [0; 3] {
        rows.push(row("(no id)", survey.anonymous, [Err(UndefinedReason::Anonymous); 2]));
    }
    let heads = ["annotator", "votes", "O", "T", "X", "rest", "majority"];
    let table = Table {
        heads: heads.map(str::to_owned).into(),
        over: vec![(2, "% of votes".to_owned()), (5, "agrees with".to_owned())],
        names: 1,
        rows,
        total: None,
    };
    table.print(out)?;
    notes.print(out)
}

pub fn confusion(table: &PairTable<'_>, out: &mut Printer) -> io::Result<()> {
    let PairTable { confusion, labels, pair: (first, second), .. } = table;
    let row = |name: &str, counts: &[u64]| -> Vec<String> {
        let sum = counts.iter().sum();
        let cells = counts.iter().copied().chain([sum]).map(grouped);
        [name.to_owned()].into_iter().chain(cells).collect()
    };
    let each = labels.iter().zip(&confusion.turns);
    let table = Table {
        heads: [(*first).to_owned()]
            .into_iter()
            .chain(labels.iter().cloned())
            .chain(["total".to_owned()])
            .collect(),
        over: vec![(1, (*second).to_owned())],
        names: 1,
        rows: each.map(|(label, counts)| row(label, counts)).collect(),
        total: Some(row("total", &confusion.second())),
    };
    table.print(out)?;
    writeln!(out)?;
    let names = ["agreement", "Cohen's kappa"];
    for (name, (_, cell)) in names.into_iter().zip(statistics(confusion)) {
        if let Cell::Statistic(statistic) = cell {
            line(name, &valued(statistic, ""), out)?;
        }
    }
    if confusion.left_out > 0 {
        let turns = counted(confusion.left_out, "turn");
        line("left out", &format!("{turns} that an annotator judged more than once"), out)?;
    }
    Ok(())
}

/// Undefined statistics of a table, with the number of rows each.
#[derive(Default)]
pub struct Notes(BTreeMap<(&'static str, UndefinedReason), u64>);

impl Notes {
    /// Returns the cell of a statistic, and counts it if undefined.
    pub fn cell(&mut self, column: &'static str, statistic: Statistic) -> String {
        match statistic {
            Ok(value) => decimals(value),
            Err(undefined) => {
                *self.0.entry((column, undefined)).or_default() += 1;
                "-".to_owned()
            }
        }
    }

    pub fn print(&self, out: &mut Printer) -> io::Result<()> {
        if !self.0.is_empty() {
            writeln!(out)?;
        }
        for ((column, undefined), rows) in &self.0 {
            writeln!(out, "- {column}: {undefined} ({})", counted(*rows, "row"))?;
        }
        Ok(())
    }
}
