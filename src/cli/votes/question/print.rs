//! Prints the figures of the answers to a question.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write as _};

use serde::Serialize;

use super::figures::annotator_cells;
use super::{Answered, LeftOut};
use crate::cli::printer::Printer;
use crate::cli::table::Table;
use crate::cli::votes::figures::{Cell, Cells};
use crate::cli::votes::gold::GoldTable;
use crate::cli::votes::machine::{Row, csv_of};
use crate::cli::votes::print::{Notes, bare_percent, decimals, line, percent, valued};
use crate::cli::votes::{By, OutputFormat};
use crate::judging::{AnswerFigures, Figure, ValueFigures};
use crate::text::{counted, grouped};
use crate::votes::{Interval, RatedItem};

/// The columns of a table for people that are not shares.
const TENTHS: [&str; 2] = ["a day", "seconds"];
/// The most values that have columns of their own in tables for people.
const COLUMNS: usize = 10;

/// Prints the totals.
pub fn page(
    answered: &Answered<'_>,
    figures: &AnswerFigures,
    format: OutputFormat,
    out: &mut Printer,
) -> io::Result<()> {
    match format {
        OutputFormat::Text => text(answered, figures, out),
        OutputFormat::Json => json_object(answered, figures, &[], None, out),
        OutputFormat::Csv if answered.rated.is_of_tags() => csv_of(&code_cells(answered), out),
        OutputFormat::Csv => csv_of(&[figures.cells()], out),
    }
}

fn text(answered: &Answered<'_>, figures: &AnswerFigures, out: &mut Printer) -> io::Result<()> {
    let (scheme, question) = (answered.scheme, answered.rated.question);
    line("question", &format!("{} of {scheme}: {}", question.name, question.text), out)?;
    let item = question.of.name();
    let within = match item {
        "dialog" => String::new(),
        _ => format!("{} in ", counted(figures.items, item)),
    };
    let (judged, all) = (grouped(figures.dialogs), counted(answered.all, "dialog"));
    let files = counted(answered.files, "file");
    line("judged", &format!("{within}{judged} of {all}, {files}"), out)?;
    let each = match figures.answers_an_item {
        Some((fewest, most)) if fewest == most => format!(", {fewest} a {item}"),
        Some((fewest, most)) => format!(", {fewest} to {most} a {item}"),
        None => String::new(),
    };
    let annotators = counted(figures.annotators, "annotator");
    line("answers", &format!("{}{each}, {annotators}", grouped(figures.answers)), out)?;
    let models = answered.left_out.models;
    if models > 0 {
        let remark = "--by annotator and --judge count them";
        line("of models", &format!("{}, left out ({remark})", grouped(models)), out)?;
    }
    writeln!(out)?;
    if answered.rated.is_of_tags() {
        code_table(answered).print(out)?;
    } else {
        value_table(figures).print(out)?;
    }
    writeln!(out)?;
    let share = |count: u64| format!("{} ({})", grouped(count), percent(count, figures.items));
    line("ties", &share(figures.ties), out)?;
    line("no absolute majority", &share(figures.no_absolute_majority), out)?;
    writeln!(out)?;
    for figure in &figures.statistics {
        let (name, remark) = named(&figure.name);
        let interval = figure.interval.as_ref().filter(|_| figure.value.is_ok());
        let remarks = [
            interval.and_then(bounds).unwrap_or_default(),
            remark.to_owned(),
            interval.and_then(undefined).unwrap_or_default(),
        ];
        let remarks = remarks.into_iter().filter(|remark| !remark.is_empty());
        let remark = remarks.collect::<Vec<_>>().join("  ");
        line(name, &valued(figure.value, &remark), out)?;
    }
    if answered.rated.bootstrap.draws > 0 {
        let draws = counted(u64::from(answered.rated.bootstrap.draws), "draw");
        let seed = answered.rated.bootstrap.seed;
        line("intervals", &format!("95 % of {draws} of dialogs, seed {seed}"), out)?;
    }
    Ok(())
}

/// Returns the name of a statistic for people, and a remark.
fn named(name: &str) -> (&str, &str) {
    match name {
        "entropy" => (name, "bits"),
        "agreement" => (name, "of pairs of answers"),
        "fleiss_kappa" => ("Fleiss' kappa", ""),
        "alpha_nominal" => ("Krippendorff's alpha", "nominal"),
        "alpha_ordinal" => ("", "ordinal"),
        "alpha_interval" => ("", "interval"),
        "alpha_jaccard" => ("", "of tags, by Jaccard"),
        "alpha_masi" => ("", "of tags, by MASI"),
        _ => (name, ""),
    }
}

/// Formats an interval: `0.500 to 0.900`.
pub fn bounds(interval: &Interval) -> Option<String> {
    let [low, high] = interval.bounds?;
    if high > low {
        return Some(format!("{} to {}", decimals(low), decimals(high)));
    }
    Some("the same in every draw".to_owned())
}

/// Says in how many draws a figure was undefined, if in any.
pub fn undefined(interval: &Interval) -> Option<String> {
    let draws = counted(u64::from(interval.undefined), "draw");
    (interval.undefined > 0).then(|| format!("(undefined in {draws})"))
}

/// Formats the interval of a share: `12–40 %`.
fn percents(share: &Figure) -> String {
    let spread = share.interval.as_ref().and_then(Interval::spread);
    spread
        .map_or_else(String::new, |[low, high]| format!("{:.0}–{:.0} %", 100.0 * low, 100.0 * high))
}

fn value_table(figures: &AnswerFigures) -> Table {
    let rows = figures.values.iter().map(|value| {
        vec![
            value.name.clone(),
            grouped(value.answers),
            percent(value.answers, figures.answers),
            percents(&value.share),
            grouped(value.majority),
            percent(value.majority, figures.items),
        ]
    });
    Table {
        heads: vec![String::new(); 6],
        over: vec![(1, "answers".to_owned()), (4, "majority".to_owned())],
        names: 1,
        rows: rows.collect(),
        ..Table::default()
    }
}

fn code_table(answered: &Answered<'_>) -> Table {
    let all = answered.rated.table.ratings.dialogs as u64;
    let rows = answered.rated.codes().into_iter().map(|code| {
        vec![
            code.name,
            grouped(code.answers),
            grouped(code.dialogs),
            percent(code.dialogs, all),
            percents(&code.share),
        ]
    });
    let of = format!("of {} read", counted(all, "dialog"));
    Table {
        heads: ["code", "answers", "dialogs", "", ""].map(str::to_owned).into(),
        over: vec![(2, of)],
        names: 1,
        rows: rows.collect(),
        ..Table::default()
    }
}

fn code_cells(answered: &Answered<'_>) -> Vec<Cells> {
    let codes = answered.rated.codes().into_iter().map(|code| {
        let mut cells: Cells = vec![
            ("code".into(), Cell::Name(code.name)),
            ("answers".into(), Cell::Count(code.answers)),
            ("dialogs".into(), Cell::Count(code.dialogs)),
        ];
        cells.extend(code.share.cells());
        cells
    });
    codes.collect()
}

/// Everything in JSON.
#[derive(Serialize)]
struct Output<'a> {
    scheme: &'a str,
    question: &'a str,
    kind: &'a str,
    of: &'a str,
    files: u64,
    dialogs: u64,
    /// Those about which anything was judged by the scheme.
    dialogs_read: usize,
    left_out: LeftOut,
    draws: u32,
    seed: u64,
    total: Row<'a>,
    values: Vec<Row<'a>>,
    /// Each tag.
    codes: Vec<Row<'a>>,
    by: Option<&'a str>,
    rows: Vec<Row<'a>>,
}

/// Prints an object with what was asked, the totals, the values or codes, and rows.
fn json_object(
    answered: &Answered<'_>,
    figures: &AnswerFigures,
    rows: &[Cells],
    by: Option<&str>,
    out: &mut Printer,
) -> io::Result<()> {
    let (scheme, question) = (answered.scheme, answered.rated.question);
    let codes = code_cells(answered);
    let values: Vec<_> = figures.values.iter().map(ValueFigures::cells).collect();
    let object = Output {
        scheme,
        question: &question.name,
        kind: question.kind.name(),
        of: question.of.name(),
        files: answered.files,
        dialogs: answered.all,
        dialogs_read: answered.rated.table.ratings.dialogs,
        left_out: answered.left_out,
        draws: answered.rated.bootstrap.draws,
        seed: answered.rated.bootstrap.seed,
        total: Row(&figures.cells()),
        values: values.iter().map(Row).collect(),
        codes: codes.iter().map(Row).collect(),
        by,
        rows: rows.iter().map(Row).collect(),
    };
    out.json(&object)?;
    writeln!(out)
}

/// Prints a row for each file, dialog, annotator, system or position.
pub fn rows(
    answered: &Answered<'_>,
    by: By,
    format: OutputFormat,
    out: &mut Printer,
) -> io::Result<()> {
    let rows = match by {
        By::Annotator => annotator_rows(answered),
        _ => group_rows(answered, by),
    };
    match format {
        OutputFormat::Csv => csv_of(&rows, out),
        OutputFormat::Json => {
            let total = AnswerFigures::total(&answered.rated);
            json_object(answered, &total, &rows, Some(by.name()), out)
        }
        OutputFormat::Text => table(answered, by, &rows, out),
    }
}

fn annotator_rows(answered: &Answered<'_>) -> Vec<Cells> {
    let all = answered.rated.table.ratings.by_annotator();
    let mut all: Vec<_> = answered.rated.table.annotators.iter().zip(all).collect();
    all.sort_by_key(|(_, annotator)| Reverse(annotator.votes()));
    all.iter().map(|(id, annotator)| annotator_cells(answered, id, annotator)).collect()
}

/// Returns the rows by file, dialog, system or position, of those with answers: the first two as they come.
fn group_rows(answered: &Answered<'_>, by: By) -> Vec<Cells> {
    let ratings = &answered.rated.table.ratings;
    let mut files: HashMap<&str, usize> = HashMap::new();
    for (dialog, [file, ..]) in answered.dialogs.iter().enumerate() {
        files.entry(file).or_insert(dialog);
    }
    let mut groups: BTreeMap<GroupKey<'_>, Vec<RatedItem>> = BTreeMap::new();
    for item in &ratings.items {
        let [file, id, system] = &answered.dialogs[item.dialog];
        let (place, names) = match by {
            By::Dialog => (item.dialog, vec![file.as_str(), id.as_str()]),
            By::Position => (item.turn.unwrap_or_default(), Vec::new()),
            By::System => (0, vec![system.as_str()]),
            By::File | By::Annotator => (files[file.as_str()], vec![file.as_str()]),
        };
        groups.entry(GroupKey { place, names }).or_default().push(item.clone());
    }
    let row = |(key, items): (GroupKey<'_>, Vec<RatedItem>)| {
        let position = key.place.to_string();
        let names = match by {
            By::Position => vec![position.as_str()],
            _ => key.names,
        };
        let names = by.heads().iter().zip(names);
        let names = names.map(|(head, name)| ((*head).into(), Cell::Name(name.to_owned())));
        let figures = AnswerFigures::of(&answered.rated, &ratings.with(items));
        names.chain(figures.cells()).collect()
    };
    groups.into_iter().map(row).collect()
}

/// Orders groups of items, and tells them apart.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey<'a> {
    place: usize,
    names: Vec<&'a str>,
}

/// Prints rows as a table: of each value, its share of the answers.
pub fn table(answered: &Answered<'_>, by: By, rows: &[Cells], out: &mut Printer) -> io::Result<()> {
    let has_columns = answered.rated.table.categories.len() <= COLUMNS;
    let mut notes = Notes::default();
    let mut heads: Vec<String> = Vec::new();
    let mut printed = Vec::new();
    let mut first_value = None;
    for row in rows {
        let (mut cells, mut answers) = (Vec::new(), 0);
        heads.clear();
        for (name, cell) in row {
            let value = name.strip_prefix("answers_");
            if name.starts_with("majority_") || (value.is_some() && !has_columns) {
                continue;
            }
            let head = short(name);
            if value.is_some() && first_value.is_none() {
                first_value = Some(heads.len());
            }
            cells.push(match cell {
                Cell::Name(name) => name.clone(),
                Cell::Count(count) if value.is_some() => bare_percent(*count, answers),
                Cell::Count(count) => {
                    if name == "answers" {
                        answers = *count;
                    }
                    grouped(*count)
                }
                Cell::Statistic(Ok(value)) if TENTHS.contains(&head) => format!("{value:.1}"),
                Cell::Statistic(statistic) => notes.cell(head, *statistic),
            });
            heads.push(value.unwrap_or(head).to_owned());
        }
        printed.push(cells);
    }
    let over = first_value.map(|column| (column, "% of answers".to_owned()));
    let table = Table {
        heads,
        over: over.into_iter().collect(),
        names: by.heads().len(),
        rows: printed,
        total: None,
    };
    table.print(out)?;
    notes.print(out)
}

/// Returns the head of a column of a table for people.
fn short(name: &str) -> &'static str {
    match name {
        "file" => "file",
        "dialog" => "dialog",
        "annotator" => "annotator",
        "system" => "system",
        "position" => "position",
        "items" => "judged",
        "answers" => "answers",
        "annotators" => "annotators",
        "ties" => "ties",
        "no_absolute_majority" => "open",
        "entropy" => "entropy",
        "mean" => "mean",
        "median" => "median",
        "agreement" => "agree",
        "fleiss_kappa" => "kappa",
        "alpha_nominal" => "alpha",
        "alpha_ordinal" => "ordinal",
        "alpha_interval" => "interval",
        "alpha_jaccard" => "Jaccard",
        "alpha_masi" => "MASI",
        "agreement_with_rest" => "rest",
        "done" => "done",
        "assigned" => "assigned",
        "checks" => "checks",
        "right" => "right",
        "kappa_with_gold" => "gold kappa",
        "days" => "days",
        "per_day" => "a day",
        "median_seconds" => "seconds",
        "comments" => "comments",
        "agreement_with_majority" => "majority",
        _ => "",
    }
}

/// Prints the comparison of each annotator with the one of this number.
pub fn gold(
    answered: &Answered<'_>,
    gold: usize,
    format: OutputFormat,
    out: &mut Printer,
) -> io::Result<()> {
    let table = &answered.rated.table;
    let all = table.annotators.iter().enumerate();
    let others = all.filter(|(number, _)| *number != gold);
    let compared: Vec<_> =
        others.map(|(number, id)| (id.as_str(), table.ratings.confusion(number, gold))).collect();
    let mut rows: Vec<_> = compared.iter().map(|(id, confusion)| (*id, confusion)).collect();
    rows.sort_by_key(|(_, confusion)| Reverse(confusion.total()));
    let total = table.ratings.confusion(gold, gold).total();
    let item = answered.rated.question.of.name();
    let values = if answered.rated.is_of_tags() { Vec::new() } else { answered.rated.values() };
    let table = GoldTable {
        head: format!("{} judged by {}", counted(total, item), table.annotators[gold]),
        total,
        labels: &values,
        rows,
        items: answered.items(),
    };
    table.print(format, out)
}

/// Prints how many tags were new in each dialog that was read.
pub fn curve(answered: &Answered<'_>, format: OutputFormat, out: &mut Printer) -> io::Result<()> {
    let mut all = 0;
    let dialogs = answered.dialogs.iter().zip(answered.rated.new_codes()).enumerate();
    let rows: Vec<Cells> = dialogs
        .map(|(number, ([_, id, _], new))| {
            all += new.len() as u64;
            vec![
                ("read".into(), Cell::Count(number as u64 + 1)),
                ("new".into(), Cell::Count(new.len() as u64)),
                ("codes".into(), Cell::Count(all)),
                ("dialog".into(), Cell::Name(id.clone())),
                ("new_codes".into(), Cell::Name(new.join(", "))),
            ]
        })
        .collect();
    match format {
        OutputFormat::Csv => csv_of(&rows, out),
        OutputFormat::Json => {
            let total = AnswerFigures::total(&answered.rated);
            json_object(answered, &total, &rows, Some("read"), out)
        }
        OutputFormat::Text => {
            let cell = |(_, cell): &(_, Cell)| match cell {
                Cell::Name(name) => name.clone(),
                Cell::Count(count) => grouped(*count),
                Cell::Statistic(_) => String::new(),
            };
            let names_first = |row: &Cells| {
                let cells: Vec<String> = row.iter().map(cell).collect();
                let [read, new, codes, dialog, which] = [0, 1, 2, 3, 4].map(|i| cells[i].clone());
                vec![dialog, which, read, new, codes]
            };
            let heads = ["dialog", "new codes", "read", "new", "codes"];
            let table = Table {
                heads: heads.map(str::to_owned).into(),
                names: 2,
                rows: rows.iter().map(names_first).collect(),
                ..Table::default()
            };
            table.print(out)
        }
    }
}
