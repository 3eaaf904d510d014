//! Prints how far copies agree.

use std::io::{self, Write as _};

use serde::Serialize;

use super::figures::{LabelFigures, Section};
use super::gather::Gathered;
use super::{Arguments, letter};
use crate::cli::printer::Printer;
use crate::cli::style::{self, shown};
use crate::cli::table::Table;
use crate::cli::votes::{Cell, Cells, Notes, Row, bounds, csv_of, line, undefined, valued};
use crate::judging::Figure;
use crate::text::{counted, grouped, visible};

/// Spans without a label, in tables for people.
const NO_LABEL: &str = "(no label)";

/// The columns of the table of labels: head and figure.
const COLUMNS: [(&str, &str); 9] = [
    ("strict", "strict_f1"),
    ("exact", "exact_f1"),
    ("partial", "partial_f1"),
    ("type", "type_f1"),
    ("F1", "position_f1"),
    ("kappa", "position_kappa"),
    ("alpha", "position_alpha"),
    ("alpha_U", "alpha_u_2004"),
    ("u-alpha", "u_alpha_2016"),
];

pub fn text(
    arguments: &Arguments,
    found: &Gathered,
    sections: &[Section],
    out: &mut Printer,
) -> io::Result<()> {
    for (copy, path) in arguments.copies.iter().enumerate() {
        let counts = &found.copies[copy];
        let mut said = vec![counted(counts.dialogs, "dialog"), counted(counts.spans, "span")];
        if counts.alone > 0 {
            said.push(format!("{} not in all copies", counted(counts.alone, "dialog")));
        }
        if counts.unplaced > 0 {
            let spans = counted(counts.unplaced, "span");
            said.push(format!("{spans} without a place in the text left out"));
        }
        line(&letter(copy), &format!("{}: {}", shown(path), said.join(", ")), out)?;
    }
    let mut said = vec![format!("{} in all copies", counted(found.matched, "dialog"))];
    if found.other_texts > 0 {
        said.push(format!("{} with other texts left out", grouped(found.other_texts)));
    }
    if found.unread > 0 {
        said.push(format!("{} not readable", grouped(found.unread)));
    }
    line("compared", &said.join(", "), out)?;
    for section in sections {
        writeln!(out)?;
        section_text(arguments, section, out)?;
    }
    writeln!(out)?;
    if arguments.draws > 0 {
        let draws = counted(u64::from(arguments.draws), "draw");
        line("intervals", &format!("95 % of {draws} of dialogs, seed {}", arguments.seed), out)?;
    }
    if found.has_votes {
        line("votes", "`turnwise votes merge` and `turnwise votes` have their agreement", out)?;
    }
    Ok(())
}

fn section_text(arguments: &Arguments, section: &Section, out: &mut Printer) -> io::Result<()> {
    let bold = out.style(style::PLACE);
    writeln!(out, "{bold}{}{bold:#}", names(section).join(" and "))?;
    let spans = section.spans.iter();
    // Without spans, every figure is undefined.
    for figure in spans.filter(|_| !section.labels.is_empty()) {
        let Some((name, remark)) = named(&figure.name) else {
            continue;
        };
        let mut remarks = vec![remark.to_owned()];
        if let Some(scheme) = figure.name.strip_suffix("_f1") {
            remarks.extend(parts(section, scheme));
        }
        if figure.name == "gamma_2015" {
            let samples = counted(arguments.samples, "sample");
            let error = section.gamma_error;
            let error = error.map_or(String::new(), |error| format!(", standard error {error:.3}"));
            remarks.push(format!("{samples}, seed {}{error}", arguments.seed));
        }
        print_figure(name, figure, &remarks, out)?;
    }
    for set in &section.sets {
        for (number, figure) in set.figures.iter().enumerate() {
            let name = if number == 0 { set.of } else { "" };
            let mut remarks = vec![set_remark(&figure.name).to_owned()];
            if number == 0 {
                remarks.push(format!("of {}", counted(set.turns, "turn")));
            }
            print_figure(name, figure, &remarks, out)?;
        }
    }
    if section.labels.is_empty() {
        return line("spans", "-      no copy has spans", out);
    }
    writeln!(out)?;
    labels(section, out)
}

fn print_figure(
    name: &str,
    figure: &Figure,
    remarks: &[String],
    out: &mut Printer,
) -> io::Result<()> {
    let interval = figure.interval.as_ref().filter(|_| figure.value.is_ok());
    let mut all = vec![interval.and_then(bounds).unwrap_or_default()];
    all.extend(remarks.iter().cloned());
    all.push(interval.and_then(undefined).unwrap_or_default());
    all.retain(|remark| !remark.is_empty());
    line(name, &valued(figure.value, &all.join("  ")), out)
}

/// Returns precision and recall of a scheme, for people.
fn parts(section: &Section, scheme: &str) -> Option<String> {
    let value = |part: &str| {
        let name = format!("{scheme}_{part}");
        let found = section.spans.iter().find(|figure| figure.name == name)?;
        found.value.ok()
    };
    let (precision, recall) = (value("precision")?, value("recall")?);
    Some(format!("P {precision:.3}, R {recall:.3}"))
}

/// Returns the name of a figure of spans for people, and a remark; None if it is a remark itself.
fn named(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "strict_f1" => ("strict F1", ""),
        "exact_f1" => ("exact F1", ""),
        "partial_f1" => ("partial F1", ""),
        "type_f1" => ("type F1", ""),
        "position_f1" => ("F1 of positions", "code points or tokens with a label"),
        "position_kappa" => ("Cohen's kappa", "of positions, where gaps are a value"),
        "position_alpha" => ("Krippendorff's alpha", "of positions, where gaps are a value"),
        "label_kappa" => ("Cohen's kappa", "of labels of matched spans"),
        "label_alpha" => ("Krippendorff's alpha", "of labels of matched spans"),
        "alpha_u_2004" => ("alpha_U 2004", "edges and labels, turns on one line"),
        "u_alpha_2016" => ("u-alpha 2016", "edges and labels, turns on one line"),
        "u_alpha_2016_binary" => ("|u-alpha 2016", "edges alone"),
        "u_alpha_2016_coding" => ("(cu)alpha 2016", "labels where spans overlap"),
        "gamma_2015" => ("gamma 2015", "alignment of dialogs"),
        _ => return None,
    })
}

fn set_remark(name: &str) -> &'static str {
    match name {
        "exact" => "the same",
        "jaccard" => "in common, by Jaccard",
        "masi" => "in common, by MASI",
        "alpha_nominal" => "Krippendorff's alpha",
        "alpha_jaccard" => "Krippendorff's alpha, by Jaccard",
        "alpha_masi" => "Krippendorff's alpha, by MASI",
        _ => "",
    }
}

/// Prints a row for each label, those with the most spans first.
fn labels(section: &Section, out: &mut Printer) -> io::Result<()> {
    let mut sorted: Vec<&LabelFigures> = section.labels.iter().collect();
    sorted.sort_by_key(|label| std::cmp::Reverse(label.spans.iter().sum::<u64>()));
    let figure = |label: &LabelFigures, name: &str| {
        let found = label.figures.iter().find(|figure| figure.name == name);
        found.map(|figure| figure.value)
    };
    let first = section.labels.first();
    let columns: Vec<_> = COLUMNS
        .into_iter()
        .filter(|(_, name)| first.is_some_and(|label| figure(label, name).is_some()))
        .collect();
    let mut notes = Notes::default();
    let rows = sorted.into_iter().map(|label| {
        let mut row = vec![if label.label.is_empty() {
            NO_LABEL.to_owned()
        } else {
            visible(&label.label).into_owned()
        }];
        row.extend(label.spans.iter().map(grouped));
        for (head, name) in &columns {
            let value = figure(label, name);
            row.push(value.map_or(String::new(), |value| notes.cell(head, value)));
        }
        row
    });
    let rows = rows.collect();
    let mut heads = vec!["label".to_owned()];
    heads.extend(names(section));
    heads.extend(columns.iter().map(|(head, _)| (*head).to_owned()));
    let mut over = Vec::new();
    for (group, name) in [("F1 of spans", "strict_f1"), ("of positions", "position_f1")] {
        if let Some(at) = columns.iter().position(|(_, column)| *column == name) {
            over.push((1 + section.copies.len() + at, group.to_owned()));
        }
    }
    let table = Table { heads, over, names: 1, rows, ..Table::default() };
    table.print(out)?;
    notes.print(out)
}

fn names(section: &Section) -> Vec<String> {
    section.copies.iter().map(|copy| letter(*copy)).collect()
}

/// Returns what a figure of spans is computed over.
fn over(name: &str) -> &'static str {
    match name {
        "alpha_u_2004" => "line",
        "gamma_2015" | "gamma_2015_disorder" => "dialogs",
        name if name.starts_with("u_alpha") => "line",
        _ => "turns",
    }
}

/// Returns a row for each figure.
fn rows(sections: &[Section]) -> Vec<Cells> {
    let mut rows = Vec::new();
    for section in sections {
        let copies = names(section).join(" ");
        let mut add = |of: &str, label: Option<&str>, figure: &Figure| {
            let named = [
                ("copies", copies.as_str()),
                ("of", of),
                ("label", label.unwrap_or_default()),
                ("figure", &figure.name),
                ("over", over(&figure.name)),
            ];
            let named = named.map(|(head, name)| (head.into(), Cell::Name(name.to_owned())));
            let value = Figure { name: "value".to_owned(), ..figure.clone() };
            rows.push(named.into_iter().chain(value.cells()).collect());
        };
        for figure in &section.spans {
            add("spans", None, figure);
        }
        for label in &section.labels {
            for figure in &label.figures {
                add("label", Some(&label.label), figure);
            }
        }
        for set in &section.sets {
            for figure in &set.figures {
                add(set.of, None, figure);
            }
        }
    }
    rows
}

pub fn csv(_: &Arguments, sections: &[Section], out: &mut Printer) -> io::Result<()> {
    csv_of(&rows(sections), out)
}

/// Everything in JSON.
#[derive(Serialize)]
struct Output<'a> {
    copies: Vec<CopyOutput>,
    files: usize,
    matched: usize,
    other_texts: usize,
    unread: usize,
    compared: usize,
    draws: u32,
    seed: u64,
    samples: Option<u32>,
    /// By pair of copies, if gamma is wanted.
    gamma_standard_errors: Vec<Option<f64>>,
    rows: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct CopyOutput {
    name: String,
    path: String,
    dialogs: usize,
    not_in_all: usize,
    spans: usize,
    unplaced: usize,
}

pub fn json(
    arguments: &Arguments,
    found: &Gathered,
    sections: &[Section],
    out: &mut Printer,
) -> io::Result<()> {
    let copies = found.copies.iter().zip(&arguments.copies).enumerate();
    let copies = copies.map(|(number, (counts, path))| CopyOutput {
        name: letter(number),
        path: path.to_string_lossy().into_owned(),
        dialogs: counts.dialogs,
        not_in_all: counts.alone,
        spans: counts.spans,
        unplaced: counts.unplaced,
    });
    let pairs = sections.iter().filter(|section| section.copies.len() == 2);
    let rows = rows(sections);
    let object = Output {
        copies: copies.collect(),
        files: found.files,
        matched: found.matched,
        other_texts: found.other_texts,
        unread: found.unread,
        compared: found.compared(),
        draws: arguments.draws,
        seed: arguments.seed,
        samples: arguments.gamma.then_some(arguments.samples),
        gamma_standard_errors: if arguments.gamma {
            pairs.map(|section| section.gamma_error).collect()
        } else {
            Vec::new()
        },
        rows: rows.iter().map(Row).collect(),
    };
    out.json(&object)?;
    writeln!(out)
}
