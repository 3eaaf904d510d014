//! `turnwise votes --question --judge`: checks a judge, such as a model, against people.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use serde::Serialize;

use super::print::{bounds, undefined};
use super::{Answered, unusable};
use crate::cli::CommandOutcome;
use crate::cli::printer::Printer;
use crate::cli::table::Table;
use crate::cli::votes::OutputFormat;
use crate::cli::votes::figures::{Cell, Cells};
use crate::cli::votes::machine::{Row, csv_of};
use crate::cli::votes::print::{decimals, line, valued};
use crate::judging::{Figure, poles};
use crate::text::{counted, grouped};
use crate::votes::{AltTest, ENOUGH, JudgeRates, Statistic};

/// The figures of a judge.
pub struct Judged<'q> {
    answered: &'q Answered<'q>,
    judge: usize,
    /// The number of the annotator who is right; None if only the test was asked for.
    gold: Option<usize>,
    epsilon: f64,
    /// The values that mean no and yes.
    poles: Option<[usize; 2]>,
    /// The answers to compare, with the number of the dialog of each.
    items: Vec<JudgedItem>,
    test: AltTest,
}

/// The answer of the judge to an item, and the right one, if both say no or yes.
struct JudgedItem {
    dialog: usize,
    judge: usize,
    gold: Option<usize>,
}

/// Everything in JSON.
#[derive(Serialize)]
struct Output<'a> {
    scheme: &'a str,
    question: &'a str,
    judge: &'a str,
    gold: Option<&'a str>,
    /// The values that count as no and yes.
    values: Option<[String; 2]>,
    draws: u32,
    seed: u64,
    rates: Option<Row<'a>>,
    epsilon: f64,
    alt_test: Row<'a>,
    people: Vec<Row<'a>>,
    left_out: Vec<&'a str>,
}

/// Prints the figures of the judge `judge`, a number of an annotator.
pub fn print(
    answered: &Answered<'_>,
    judge: usize,
    gold: Option<usize>,
    epsilon: f64,
    format: OutputFormat,
    out: &mut Printer,
) -> io::Result<CommandOutcome> {
    let judged = Judged::of(answered, judge, gold, epsilon);
    if gold.is_some() && judged.poles.is_none() {
        return Ok(unusable(
            "rates of a judge need a question with the answers yes and no, pass and fail, or two values",
        ));
    }
    let rates = judged.rates();
    let cells: Cells = rates.iter().flat_map(|rates| judged.cells(rates)).collect();
    match format {
        OutputFormat::Text => judged.text(rates.as_deref(), out)?,
        OutputFormat::Csv => {
            let all = cells.into_iter().chain(judged.test_cells());
            csv_of(&[all.collect()], out)?;
        }
        OutputFormat::Json => {
            let test = judged.test_cells();
            let people: Vec<_> = judged.people().collect();
            let id = |number: usize| answered.rated.table.annotators[number].as_str();
            let values = answered.rated.values();
            out.json(&Output {
                scheme: answered.scheme,
                question: &answered.rated.question.name,
                judge: id(judge),
                gold: gold.map(id),
                values: judged.poles.map(|poles| poles.map(|pole| values[pole].clone())),
                draws: answered.rated.bootstrap.draws,
                seed: answered.rated.bootstrap.seed,
                rates: gold.map(|_| Row(&cells)),
                epsilon,
                alt_test: Row(&test),
                people: people.iter().map(Row).collect(),
                left_out: judged.test.left_out.iter().map(|one| id(*one)).collect(),
            })?;
            writeln!(out)?;
        }
    }
    Ok(CommandOutcome::Clean)
}

impl<'q> Judged<'q> {
    fn of(answered: &'q Answered<'q>, judge: usize, gold: Option<usize>, epsilon: f64) -> Self {
        let table = &answered.rated.table;
        let ids = table.annotators.iter().enumerate();
        let people = ids.filter(|(_, id)| !answered.models.contains(id.as_str()));
        let people: Vec<usize> =
            people.map(|(number, _)| number).filter(|number| *number != judge).collect();
        let poles = poles(&table.categories).filter(|_| !answered.rated.is_of_tags());
        let pole = |category: usize| poles?.iter().position(|pole| *pole == category);
        let items = table.ratings.items.iter().filter_map(|item| {
            Some(JudgedItem {
                dialog: item.dialog,
                judge: pole(item.category_by(judge)?)?,
                gold: gold.and_then(|gold| pole(item.category_by(gold)?)),
            })
        });
        Self {
            answered,
            judge,
            gold,
            epsilon,
            poles,
            items: items.collect(),
            test: AltTest::new(&table.ratings, judge, &people, epsilon),
        }
    }

    /// Returns the figures beside the right answers, with intervals; None without these.
    fn rates(&self) -> Option<Vec<Figure>> {
        self.gold?;
        let mut labelled: BTreeMap<usize, usize> = BTreeMap::new();
        for item in self.items.iter().filter(|item| item.gold.is_some()) {
            let next = labelled.len();
            labelled.entry(item.dialog).or_insert(next);
        }
        let mut judged = [0; 2];
        for item in &self.items {
            judged[item.judge] += 1;
        }
        // Only what both have judged is drawn: the rates of the judge are uncertain, its answers are known.
        let drawn = |times: &dyn Fn(usize) -> u64| {
            let mut rates = JudgeRates { judged, ..JudgeRates::default() };
            for item in &self.items {
                if let Some(gold) = item.gold {
                    rates.labelled[gold][item.judge] += times(labelled[&item.dialog]);
                }
            }
            rates
        };
        let mut figures = figures(&drawn(&|_| 1));
        let bootstrap = self.answered.rated.bootstrap;
        let intervals = bootstrap.intervals(labelled.len(), |times| {
            let drawn = figures_of(&drawn(&|dialog| times[dialog]));
            drawn.map(|(_, value)| value).into()
        });
        for (figure, interval) in figures.iter_mut().zip(intervals) {
            let is_drawn = figure.value.is_ok() && figure.name != "observed_rate";
            figure.interval = Some(interval).filter(|_| is_drawn);
        }
        Some(figures)
    }

    /// Returns the number of items that both have judged, and that of all items of the judge.
    fn counts(&self) -> [u64; 2] {
        let both = self.items.iter().filter(|item| item.gold.is_some());
        [both.count() as u64, self.items.len() as u64]
    }

    fn cells(&self, rates: &[Figure]) -> Cells {
        let [both, all] = self.counts();
        let mut cells: Cells =
            vec![("judged_by_both".into(), Cell::Count(both)), ("judged".into(), Cell::Count(all))];
        cells.extend(rates.iter().flat_map(Figure::cells));
        cells
    }

    fn test_cells(&self) -> Cells {
        let statistic = |name: &'static str, of: Statistic| (name.into(), Cell::Statistic(of));
        vec![
            ("people".into(), Cell::Count(self.test.people.len() as u64)),
            statistic("winning_rate", self.test.winning_rate()),
            statistic("advantage_probability", self.test.advantage()),
        ]
    }

    /// Returns the rows of the people who were tested.
    fn people(&self) -> impl Iterator<Item = Cells> {
        let annotators = &self.answered.rated.table.annotators;
        self.test.people.iter().map(|one| {
            let share = |count: u64| Cell::Statistic(Ok(count as f64 / one.items as f64));
            vec![
                ("annotator".into(), Cell::Name(annotators[one.annotator].clone())),
                ("items".into(), Cell::Count(one.items)),
                ("judge_wins".into(), share(one.judge)),
                ("annotator_wins".into(), share(one.person)),
                ("p".into(), Cell::Statistic(Ok(one.p))),
                ("beaten".into(), Cell::Count(u64::from(one.beaten))),
            ]
        })
    }

    fn text(&self, rates: Option<&[Figure]>, out: &mut Printer) -> io::Result<()> {
        let ids = &self.answered.rated.table.annotators;
        let (judge, question) = (&ids[self.judge], &self.answered.rated.question.name);
        line("judge", &format!("{judge}, on {question}"), out)?;
        if let (Some(rates), Some(gold), Some([no, yes])) = (rates, self.gold, self.poles) {
            let [both, all] = self.counts();
            let items = self.answered.items();
            let (both, all, gold) = (grouped(both), grouped(all), &ids[gold]);
            let judged = format!("{both} {items} judged by {gold} too, of {all}");
            line("compared", &judged, out)?;
            writeln!(out)?;
            let values = self.answered.rated.values();
            for figure in rates {
                let remark = match figure.name.as_str() {
                    "tpr" => format!("of {gold}'s {}", values[yes]),
                    "tnr" => format!("of {gold}'s {}", values[no]),
                    "cohen_kappa" => String::new(),
                    _ => format!("of all, {}", values[yes]),
                };
                let interval = figure.interval.as_ref();
                let remarks = [
                    interval.and_then(bounds).unwrap_or_default(),
                    remark,
                    interval.and_then(undefined).unwrap_or_default(),
                ];
                let remarks = remarks.into_iter().filter(|remark| !remark.is_empty());
                let remarks = remarks.collect::<Vec<_>>().join("  ");
                line(named(&figure.name), &valued(figure.value, &remarks), out)?;
            }
            let draws = counted(u64::from(self.answered.rated.bootstrap.draws), "draw");
            let seed = self.answered.rated.bootstrap.seed;
            let drawn = format!("95 % of {draws} of dialogs judged by both, seed {seed}");
            line("intervals", &drawn, out)?;
        }
        writeln!(out)?;
        self.test_text(out)
    }

    fn test_text(&self, out: &mut Printer) -> io::Result<()> {
        let head = format!("alternative annotator test, epsilon {}", self.epsilon);
        writeln!(out, "{head}")?;
        writeln!(out)?;
        let cell = |(_, cell): (_, Cell)| match cell {
            Cell::Name(name) => name,
            Cell::Count(count) => grouped(count),
            Cell::Statistic(value) => value.map_or_else(|_| "-".to_owned(), decimals),
        };
        let rows = self.people().zip(&self.test.people);
        let rows = rows.map(|(cells, one)| {
            let mut row: Vec<_> = cells.into_iter().map(cell).collect();
            row.pop();
            row.push(if one.beaten { "yes" } else { "no" }.to_owned());
            row
        });
        let table = Table {
            heads: ["annotator", "items", "judge", "person", "p", "beaten"]
                .map(str::to_owned)
                .into(),
            over: vec![(2, "as good or better".to_owned())],
            names: 1,
            rows: rows.collect(),
            ..Table::default()
        };
        if !table.rows.is_empty() {
            table.print(out)?;
            writeln!(out)?;
        }
        let rate = self.test.winning_rate();
        let remark = match rate {
            Ok(rate) if rate >= ENOUGH => "of people beaten; enough to take their place",
            Ok(_) => "of people beaten; not enough to take their place, which needs 0.5",
            Err(_) => "",
        };
        line("winning rate", &valued(rate, remark), out)?;
        if let Ok(advantage) = self.test.advantage() {
            line("advantage probability", &decimals(advantage), out)?;
        }
        for one in &self.test.left_out {
            let id = &self.answered.rated.table.annotators[*one];
            line("left out", &format!("{id}, who has judged too little"), out)?;
        }
        Ok(())
    }
}

/// Returns the figures of a judge, by their names.
fn figures_of(rates: &JudgeRates) -> [(&'static str, Statistic); 5] {
    [
        ("tpr", rates.true_positive()),
        ("tnr", rates.true_negative()),
        ("cohen_kappa", rates.kappa()),
        ("observed_rate", rates.observed()),
        ("corrected_rate", rates.corrected()),
    ]
}

fn figures(rates: &JudgeRates) -> Vec<Figure> {
    let figures = figures_of(rates).into_iter();
    figures.map(|(name, value)| Figure::new(name, value)).collect()
}

fn named(name: &str) -> &str {
    match name {
        "tpr" => "true positive rate",
        "tnr" => "true negative rate",
        "cohen_kappa" => "Cohen's kappa",
        "observed_rate" => "observed rate",
        _ => "corrected rate",
    }
}
