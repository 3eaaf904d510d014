//! The figures of pairs of copies, and of all copies together, and the page that has them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::gather::{Gathered, SETS};
use super::{Arguments, letter};
use crate::cli::style::shown;
use crate::judging::tables::{FigureNames, names};
use crate::page::{Cell, Column, Form, Page, Part, Row, Table};
use crate::text::{counted, grouped, words};
use crate::votes::spans::{Gamma, SpanFigures, UnitCounts};
use crate::votes::{Bootstrap, Figure, SetCounts};

/// The options that figures depend on.
#[derive(Clone, Copy)]
pub struct Chosen {
    pub bootstrap: Bootstrap,
    /// For gamma, if it is wanted.
    pub samples: Option<u32>,
    /// True if the figures of each label are to have intervals, too.
    pub labels_drawn: bool,
}

/// The figures of some copies.
pub struct Section {
    pub copies: Vec<usize>,
    /// Of all spans.
    pub spans: Vec<Figure>,
    /// The standard error of gamma, if it is wanted.
    pub gamma_error: Option<f64>,
    pub labels: Vec<LabelFigures>,
    pub sets: Vec<SetFigures>,
}

/// The figures of the spans with one label.
pub struct LabelFigures {
    /// Empty for spans without a label.
    pub label: String,
    /// For each of the copies, its spans with the label.
    pub spans: Vec<u64>,
    pub figures: Vec<Figure>,
}

/// The figures of texts, or of a part of [`SETS`].
pub struct SetFigures {
    pub of: &'static str,
    /// The turns that are compared.
    pub turns: u64,
    pub figures: Vec<Figure>,
}

/// Returns the figures of each pair of copies, and of all if there are more than two.
pub fn sections(found: &Gathered, chosen: Chosen) -> Vec<Section> {
    let tables = found.tables();
    let all = 0..found.copies.len();
    let pairs = all.clone().flat_map(|one| {
        let rest = one + 1..found.copies.len();
        rest.map(move |other| vec![one, other])
    });
    let mut groups: Vec<Vec<usize>> = pairs.collect();
    if all.len() > 2 {
        groups.push(all.collect());
    }
    let bootstrap = chosen.bootstrap;
    let section = |copies: Vec<usize>| {
        let table = if copies.len() == found.copies.len() {
            Cow::Borrowed(&tables.units)
        } else {
            Cow::Owned(tables.units.of_copies(&copies))
        };
        let gamma = chosen.samples.filter(|_| copies.len() == 2);
        let gamma = gamma.map(|samples| Gamma::of(&table, samples, bootstrap.seed));
        let counts = UnitCounts::of(&table);
        let flat = |draws: &[Vec<u64>], labels: bool| -> Vec<Vec<Figure>> {
            let figures = counts.figures(draws, labels).into_iter().zip(draws);
            let each = figures.map(|(SpanFigures { all, labels }, times)| {
                let gamma = gamma.iter().flat_map(|gamma| {
                    [
                        Figure::of_copies("gamma_2015", gamma.figure(times)),
                        Figure::of_copies("gamma_2015_disorder", gamma.disorder(times)),
                    ]
                });
                let labels = labels.into_iter().flatten();
                all.into_iter().chain(gamma).chain(labels).collect()
            });
            each.collect()
        };
        let total = flat(&[vec![1; counts.dialogs()]], true);
        let total = total.into_iter().flatten().collect();
        let draw = |draws: &[Vec<u64>]| flat(draws, chosen.labels_drawn);
        let mut figures = bootstrap.with_intervals(counts.dialogs(), total, draw).into_iter();
        let SpanFigures { all, labels } = counts.total();
        let own = all.len() + 2 * usize::from(gamma.is_some());
        let spans = figures.by_ref().take(own).collect();
        let by_copy: Vec<_> = (0..copies.len()).map(|copy| table.units(copy)).collect();
        let labels = labels.iter().enumerate().map(|(number, of)| LabelFigures {
            label: tables.labels[number].to_string(),
            spans: by_copy.iter().map(|units| units[number]).collect(),
            figures: figures.by_ref().take(of.len()).collect(),
        });
        let labels = labels.collect();
        let mut sets = Vec::new();
        if let [one, other] = copies[..] {
            let counts = SetCounts::of_texts(&found.texts([one, other]), |text| {
                words(text).map(|(_, word)| word.to_owned()).collect::<BTreeSet<_>>()
            });
            sets.push(("texts", counts));
        }
        let tables = tables.sets.iter().map(|table| table.counts(&copies));
        sets.extend(SETS.into_iter().zip(tables));
        let sets = sets.into_iter().filter(|(_, counts)| counts.turns() > 0);
        let sets = sets.map(|(of, counts)| SetFigures {
            of,
            turns: counts.turns(),
            figures: bootstrap.with_intervals(counts.dialogs(), counts.total(), |draws| {
                draws.iter().map(|times| counts.figures(times)).collect()
            }),
        });
        Section {
            spans,
            gamma_error: gamma.and_then(|gamma| gamma.standard_error()),
            labels,
            sets: sets.collect(),
            copies,
        }
    };
    groups.into_iter().map(section).collect()
}

/// Spans without a label, in tables for people.
const NO_LABEL: &str = "(no label)";

/// The names of the figures of spans, then of those of sets. The table of labels has the figures with a head.
static FIGURES: [FigureNames; 19] = [
    names("strict_f1", "strict F1", "", "strict"),
    names("exact_f1", "exact F1", "", "exact"),
    names("partial_f1", "partial F1", "", "partial"),
    names("type_f1", "type F1", "", "type"),
    names("position_f1", "F1 of positions", "code points or tokens with a label", "F1"),
    names("position_kappa", "Cohen's kappa", OF_POSITIONS, "kappa"),
    names("position_alpha", "Krippendorff's alpha", OF_POSITIONS, "alpha"),
    names("label_kappa", "Cohen's kappa", "of labels of matched spans", ""),
    names("label_alpha", "Krippendorff's alpha", "of labels of matched spans", ""),
    names("u_alpha_2016", "u-alpha 2016", ON_A_LINE, "u-alpha"),
    names("u_alpha_2016_binary", "|u-alpha 2016", "edges alone", ""),
    names("u_alpha_2016_coding", "(cu)alpha 2016", "labels where spans overlap", ""),
    names("gamma_2015", "gamma 2015", "alignment of dialogs", ""),
    names("exact", "", "the same", ""),
    names("jaccard", "", "in common, by Jaccard", ""),
    names("masi", "", "in common, by MASI", ""),
    names("alpha_nominal", "", "Krippendorff's alpha", ""),
    names("alpha_jaccard", "", "Krippendorff's alpha, by Jaccard", ""),
    names("alpha_masi", "", "Krippendorff's alpha, by MASI", ""),
];
const OF_POSITIONS: &str = "of positions; gaps count as a value";
const ON_A_LINE: &str = "edges and labels, turns end to end";

/// Returns the page.
pub fn page(arguments: &Arguments, found: &Gathered, sections: &[Section]) -> Page {
    let mut page = Page::default();
    facts(arguments, found, sections, &mut page);
    for (copy, path) in arguments.copies.iter().enumerate() {
        let counts = &found.copies[copy];
        let spans = format!("{} compared", counted(counts.spans, "span"));
        let mut said = vec![counted(counts.dialogs, "dialog"), spans];
        if counts.alone > 0 {
            said.push(format!("{} not in all copies", counted(counts.alone, "dialog")));
        }
        if counts.unplaced > 0 {
            let spans = counted(counts.unplaced, "span");
            said.push(format!("{spans} left out: no place in the text"));
        }
        page.line(letter(copy), format!("{}: {}", shown(path), said.join(", ")));
    }
    let compared = found.matched - found.other_texts - found.unread;
    let all = if compared == found.matched { "" } else { &format!("{} of ", grouped(compared)) };
    let mut said = vec![format!("{all}{} in all copies", counted(found.matched, "dialog"))];
    if found.other_texts > 0 {
        said.push(format!("{} left out: their texts differ", grouped(found.other_texts)));
    }
    if found.unread > 0 {
        said.push(format!("{} not readable", grouped(found.unread)));
    }
    page.line("compared", said.join(", "));
    for section in sections {
        page.space();
        section_lines(arguments, section, &mut page);
    }
    page.space();
    if arguments.draws > 0 {
        let draws = counted(u64::from(arguments.draws), "draw");
        page.line("intervals", format!("95 %, from {draws} of dialogs, seed {}", arguments.seed));
    }
    if found.has_votes {
        page.line(
            "votes",
            "`turnwise merge` merges votes, and `turnwise votes` reports their agreement",
        );
    }
    let rows = rows(sections);
    page.add(Part::Rows("rows", rows.clone()));
    page.add(Part::Csv(rows));
    page
}

/// Adds the figures of some copies for people.
fn section_lines(arguments: &Arguments, section: &Section, page: &mut Page) {
    page.heading(letters(section).join(" and "));
    let spans = section.spans.iter();
    // Without spans, every figure is undefined.
    for figure in spans.filter(|_| !section.labels.is_empty()) {
        // The others are in remarks.
        let Some(names) = named(figure) else {
            continue;
        };
        let mut more = String::new();
        if let Some(scheme) = figure.name.strip_suffix("_f1") {
            more = parts(section, scheme).unwrap_or_default();
        }
        if figure.name == "gamma_2015" {
            let samples = counted(arguments.samples, "sample");
            let error = section.gamma_error;
            let error = error.map_or(String::new(), |error| format!(", standard error {error:.3}"));
            more = format!("{samples}, seed {}{error}", arguments.seed);
        }
        page.statistic(names.title, &figure.cell(), &[names.remark, &more]);
    }
    for set in &section.sets {
        let turns = format!("of {}", counted(set.turns, "turn"));
        for (number, figure) in set.figures.iter().enumerate() {
            let (name, turns) = if number == 0 { (set.of, turns.as_str()) } else { ("", "") };
            let remark = named(figure).map_or("", |names| names.remark);
            page.statistic(name, &figure.cell(), &[remark, turns]);
        }
    }
    if section.labels.is_empty() {
        return page.line("spans", "-      none of the compared dialogs has spans");
    }
    page.space();
    page.show(labels(section));
}

/// Returns the names of a figure, if it has a line of its own.
fn named(figure: &Figure) -> Option<&'static FigureNames> {
    FIGURES.iter().find(|names| figure.name == names.key)
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

/// Returns a row for each label, those with the most spans first.
fn labels(section: &Section) -> Table {
    let mut sorted: Vec<&LabelFigures> = section.labels.iter().collect();
    sorted.sort_by_key(|label| std::cmp::Reverse(label.spans.iter().sum::<u64>()));
    Table::of(sorted.into_iter().map(|label| {
        let name = if label.label.is_empty() { NO_LABEL } else { &label.label };
        let mut row: Row = vec![(Column::name("label"), Cell::Text(name.to_owned()))];
        let spans = letters(section).into_iter().zip(&label.spans);
        let number = |head: Cow<'static, str>| Column::for_people(head, Form::Number);
        row.extend(spans.map(|(copy, spans)| (number(copy.into()), Cell::Count(*spans))));
        let columns = FIGURES.iter().filter(|names| !names.head.is_empty());
        row.extend(columns.filter_map(|names| {
            let figure = label.figures.iter().find(|figure| figure.name == names.key)?;
            let over = match names.key {
                "position_f1" | "position_kappa" | "position_alpha" => "of positions",
                name if name.ends_with("_f1") => "F1 of spans",
                _ => "",
            };
            Some((number(names.head.into()).over(over), figure.value.into()))
        }));
        row
    }))
}

fn letters(section: &Section) -> Vec<String> {
    section.copies.iter().map(|copy| letter(*copy)).collect()
}

/// Returns what a figure of spans is computed over.
fn over(name: &str) -> &'static str {
    match name {
        "gamma_2015" | "gamma_2015_disorder" => "dialogs",
        name if name.starts_with("u_alpha") => "line",
        _ => "turns",
    }
}

/// Returns a row for each figure.
fn rows(sections: &[Section]) -> Table {
    let mut rows = Vec::new();
    for section in sections {
        let copies = letters(section).join(" ");
        let mut add = |of: &str, label: &str, figure: &Figure| {
            let named = [
                ("copies", copies.as_str()),
                ("of", of),
                ("label", label),
                ("figure", &figure.name),
                ("over", over(&figure.name)),
            ];
            let named = named.map(|(head, name)| (Column::name(head), Cell::Text(name.to_owned())));
            let value = (Column::for_programs("value"), figure.cell());
            rows.push(named.into_iter().chain([value]).collect());
        };
        section.spans.iter().for_each(|figure| add("spans", "", figure));
        for label in &section.labels {
            label.figures.iter().for_each(|figure| add("label", &label.label, figure));
        }
        for set in &section.sets {
            set.figures.iter().for_each(|figure| add(set.of, "", figure));
        }
    }
    Table::of(rows)
}

/// Adds what programs read beside the rows.
fn facts(arguments: &Arguments, found: &Gathered, sections: &[Section], page: &mut Page) {
    let copies = found.copies.iter().zip(&arguments.copies).enumerate();
    page.add(Part::Rows(
        "copies",
        Table::of(copies.map(|(number, (counts, path))| {
            let text = |key: &'static str, text| (Column::name(key), Cell::Text(text));
            let count =
                |key: &'static str, count| (Column::for_programs(key), Cell::Count(count as u64));
            vec![
                text("name", letter(number)),
                text("path", path.to_string_lossy().into_owned()),
                count("dialogs", counts.dialogs),
                count("not_in_all", counts.alone),
                count("spans", counts.spans),
                count("unplaced", counts.unplaced),
            ]
        })),
    ));
    page.fact("files", found.files);
    page.fact("matched", found.matched);
    page.fact("other_texts", found.other_texts);
    page.fact("unread", found.unread);
    page.fact("compared", found.compared());
    page.fact("draws", arguments.draws);
    page.fact("seed", arguments.seed);
    page.fact("samples", arguments.gamma.then_some(arguments.samples));
    let pairs = sections.iter().filter(|section| section.copies.len() == 2 && arguments.gamma);
    page.fact(
        "gamma_standard_errors",
        pairs.map(|section| section.gamma_error).collect::<Vec<_>>(),
    );
}
