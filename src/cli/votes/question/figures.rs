//! The figures of the answers to a question.

use std::collections::{BTreeMap, BTreeSet};

use super::Answered;
use crate::cli::votes::figures::{Cell, Cells};
use crate::judging::tags_of;
use crate::votes::{
    Annotator, CategoryCounts, Counted, Drawable, Interval, Ratings, Statistic, Tallies,
    UndefinedReason,
};

/// The figures of the answers about some dialogs.
pub struct AnswerFigures {
    /// The parts of dialogs that were judged.
    pub items: u64,
    /// The dialogs that they are in.
    pub dialogs: u64,
    pub answers: u64,
    /// The fewest and the most answers about an item.
    pub answers_an_item: Option<(u32, u32)>,
    pub annotators: u64,
    /// Each value; for tags, none.
    pub values: Vec<ValueFigures>,
    pub ties: u64,
    pub no_absolute_majority: u64,
    pub statistics: Vec<Figure>,
}

/// The figures of a value.
pub struct ValueFigures {
    pub name: String,
    pub answers: u64,
    /// Its share of the answers.
    pub share: Figure,
    /// The items of which it is the majority, or the first of several.
    pub majority: u64,
}

impl ValueFigures {
    pub fn cells(&self) -> Cells {
        let mut cells: Cells = vec![
            ("value".into(), Cell::Name(self.name.clone())),
            ("answers".into(), Cell::Count(self.answers)),
        ];
        cells.extend(self.share.cells());
        cells.push(("majority".into(), Cell::Count(self.majority)));
        cells
    }
}

/// The figures of a tag.
pub struct CodeFigures {
    pub name: String,
    /// The answers with it.
    pub answers: u64,
    /// The dialogs that have it.
    pub dialogs: u64,
    /// Their share of the dialogs that were read.
    pub share: Figure,
}

/// A figure with a name, and how much it would vary had other dialogs been judged.
#[derive(Clone)]
pub struct Figure {
    pub name: String,
    pub value: Statistic,
    /// None if it was not asked for.
    pub interval: Option<Interval>,
}

impl Figure {
    pub fn new(name: impl Into<String>, value: Statistic) -> Self {
        Self {
            name: name.into(),
            value: value.map_err(UndefinedReason::of_answers),
            interval: None,
        }
    }

    /// Returns it as cells: the value, and the bounds and the draws in which it was undefined, if there are any.
    pub fn cells(&self) -> Cells {
        let name = &self.name;
        let mut cells = vec![(name.clone().into(), Cell::Statistic(self.value))];
        if let Some(interval) = &self.interval {
            let bound = |of: usize| {
                let bounds = interval.bounds;
                let otherwise = self.value.err().unwrap_or(UndefinedReason::NoAnswers);
                Cell::Statistic(bounds.map(|bounds| bounds[of]).ok_or(otherwise))
            };
            let undefined = Cell::Count(u64::from(interval.undefined));
            cells.push((format!("{name}_low").into(), bound(0)));
            cells.push((format!("{name}_high").into(), bound(1)));
            cells.push((format!("{name}_undefined_draws").into(), undefined));
        }
        cells
    }
}

/// Returns the median of answers on a scale; `counts` are those of each of its `numbers`.
fn median(counts: &[u64], numbers: &[f64]) -> Statistic {
    let all: u64 = counts.iter().sum();
    let nth = |wanted: u64| {
        let mut before = 0;
        let mut each = numbers.iter().zip(counts);
        let found = each.find(|(_, count)| {
            before += **count;
            before > wanted
        });
        found.map(|(number, _)| *number)
    };
    let middle = nth(all.saturating_sub(1) / 2).zip(nth(all / 2));
    let median = middle.map(|(low, high)| f64::midpoint(low, high));
    median.ok_or(UndefinedReason::NoAnswers)
}

/// Returns the mean of answers on a scale.
fn mean(counts: &[u64], numbers: &[f64]) -> Statistic {
    let each = counts.iter().zip(numbers);
    let sum: f64 = each.map(|(count, number)| *count as f64 * number).sum();
    match counts.iter().sum::<u64>() {
        0 => Err(UndefinedReason::NoAnswers),
        all => Ok(sum / all as f64),
    }
}

/// Returns the share of the answers that each of the `values` has.
fn shares(counts: &[u64], values: usize) -> impl Iterator<Item = Statistic> {
    let all: u64 = counts.iter().sum();
    (0..values).map(move |value| match counts.get(value) {
        _ if all == 0 => Err(UndefinedReason::NoAnswers),
        own => Ok(own.copied().unwrap_or_default() as f64 / all as f64),
    })
}

impl AnswerFigures {
    /// Returns the figures of some of the answers, without intervals.
    pub fn of(answered: &Answered<'_>, ratings: &Ratings) -> Self {
        let tallies = ratings.tallies();
        let items = ratings.items.iter();
        let dialogs: BTreeSet<_> = items.clone().map(|item| item.dialog).collect();
        let given = items.flat_map(|item| &item.ratings);
        let annotators: BTreeSet<_> = given.map(|rating| rating.annotator).collect();
        let counts = tallies.categories(|_| true);
        let majorities = ratings.majorities();
        let values = answered.values().into_iter().enumerate();
        let values = values.zip(shares(&counts, majorities.len()));
        let values = values.map(|((number, name), share)| ValueFigures {
            name,
            answers: counts.get(number).copied().unwrap_or_default(),
            share: Figure::new("share", share),
            majority: majorities[number],
        });
        Self {
            items: tallies.turns(),
            dialogs: dialogs.len() as u64,
            answers: tallies.votes(),
            answers_an_item: tallies.votes_a_turn(),
            annotators: annotators.len() as u64,
            values: values.filter(|_| !answered.is_of_tags()).collect(),
            ties: tallies.ties(),
            no_absolute_majority: tallies.without_absolute_majority(),
            statistics: statistics(answered, &tallies),
        }
    }

    /// Returns the figures of all answers, with intervals.
    pub fn total(answered: &Answered<'_>) -> Self {
        let mut total = Self::of(answered, &answered.table.ratings);
        total.add_intervals(answered);
        total
    }

    fn add_intervals(&mut self, answered: &Answered<'_>) {
        let drawable = Drawable::of(&answered.table.ratings);
        let (values, dialogs) = (self.values.len(), answered.table.ratings.dialogs);
        let mut intervals = answered
            .bootstrap
            .intervals(dialogs, |times| {
                let tallies = drawable.drawn(times);
                let shares: Vec<_> = shares(&tallies.categories(|_| true), values).collect();
                let figures = statistics(answered, &tallies).into_iter();
                let figures = figures.map(|figure| figure.value);
                shares.into_iter().chain(figures).collect()
            })
            .into_iter();
        let values = self.values.iter_mut().map(|value| &mut value.share);
        for figure in values.chain(&mut self.statistics) {
            figure.interval = intervals.next();
            // Without a figure, there is nothing that the draws in which it is defined could surround.
            if let (Err(_), Some(interval)) = (figure.value, &mut figure.interval) {
                interval.bounds = None;
            }
        }
    }

    /// Returns all figures, in the order of the machine-readable output.
    pub fn cells(&self) -> Cells {
        let count = |name: &'static str, count: u64| (name.into(), Cell::Count(count));
        let mut cells: Cells = vec![
            count("items", self.items),
            count("answers", self.answers),
            count("annotators", self.annotators),
        ];
        let values = self.values.iter();
        cells.extend(values.clone().map(|value| {
            (
                format!("answers_{}", value.name).into(),
                Cell::Count(value.answers),
            )
        }));
        cells.extend(values.map(|value| {
            let name = format!("majority_{}", value.name);
            (name.into(), Cell::Count(value.majority))
        }));
        cells.push(count("ties", self.ties));
        cells.push(count("no_absolute_majority", self.no_absolute_majority));
        cells.extend(self.statistics.iter().flat_map(Figure::cells));
        cells
    }
}

/// Returns the statistics of answers.
fn statistics<T: Counted>(answered: &Answered<'_>, tallies: &Tallies<T>) -> Vec<Figure> {
    let mut all = vec![Figure::new("entropy", tallies.entropy())];
    if !answered.numbers.is_empty() {
        let counts = tallies.categories(|_| true);
        all.push(Figure::new("mean", mean(&counts, &answered.numbers)));
        all.push(Figure::new("median", median(&counts, &answered.numbers)));
    }
    all.push(Figure::new("agreement", tallies.agreement()));
    all.push(Figure::new("fleiss_kappa", tallies.fleiss_kappa()));
    for (name, distances) in &answered.distances {
        let alpha = tallies.alpha(distances);
        all.push(Figure::new(format!("alpha_{name}"), alpha));
    }
    all
}

/// Returns the row of an annotator.
pub fn annotator_cells(
    answered: &Answered<'_>,
    id: &str,
    annotator: &Annotator<CategoryCounts>,
) -> Cells {
    let mut cells: Cells = vec![
        ("annotator".into(), Cell::Name(id.to_owned())),
        ("answers".into(), Cell::Count(annotator.votes())),
    ];
    if !answered.is_of_tags() {
        let mut counts = vec![0; answered.table.categories.len()];
        for (category, _, times) in annotator.iter() {
            counts[category] += times;
        }
        let values = answered.values().into_iter().zip(counts);
        cells.extend(values.map(|(name, count)| {
            let name = format!("answers_{name}");
            (name.into(), Cell::Count(count))
        }));
    }
    let statistics = [
        Figure::new("agreement_with_rest", annotator.with_rest()),
        Figure::new("agreement_with_majority", annotator.with_most()),
    ];
    cells.extend(statistics.iter().flat_map(Figure::cells));
    cells
}

/// Returns the tags in the answers about each dialog.
fn tags_by_dialog(answered: &Answered<'_>) -> Vec<Vec<String>> {
    let ratings = &answered.table.ratings;
    let mut all = vec![Vec::new(); ratings.dialogs];
    for item in &ratings.items {
        for rating in &item.ratings {
            all[item.dialog].extend(tags_of(&answered.table.categories[rating.category]));
        }
    }
    all
}

/// Returns the tags in the answers, those of most dialogs first.
pub fn codes(answered: &Answered<'_>) -> Vec<CodeFigures> {
    let dialogs = tags_by_dialog(answered);
    let mut codes: BTreeMap<&str, BTreeMap<usize, u64>> = BTreeMap::new();
    for (number, tags) in dialogs.iter().enumerate() {
        for tag in tags {
            *codes.entry(tag).or_default().entry(number).or_default() += 1;
        }
    }
    let mut codes: Vec<_> = codes.into_iter().collect();
    let answers = |code: &BTreeMap<usize, u64>| code.values().sum::<u64>();
    codes.sort_by_key(|(_, code)| std::cmp::Reverse((code.len(), answers(code))));
    let all = dialogs.len() as f64;
    let intervals = answered.bootstrap.intervals(dialogs.len(), |times| {
        let drawn = |code: &BTreeMap<usize, u64>| code.keys().map(|dialog| times[*dialog]).sum();
        let each = codes.iter().map(|(_, code)| drawn(code));
        each.map(|drawn: u64| Ok(drawn as f64 / all)).collect()
    });
    let mut intervals = intervals.into_iter();
    let codes = codes.iter().map(|(name, code)| CodeFigures {
        name: (*name).to_owned(),
        answers: answers(code),
        dialogs: code.len() as u64,
        share: Figure {
            interval: intervals.next(),
            ..Figure::new("share", Ok(code.len() as f64 / all))
        },
    });
    codes.collect()
}

/// Returns the new tags of each dialog, in the order of the dialogs.
pub fn new_codes(answered: &Answered<'_>) -> Vec<Vec<String>> {
    let mut known = BTreeSet::new();
    let dialogs = tags_by_dialog(answered).into_iter();
    dialogs
        .map(|tags| {
            let is_new = |tag: &String| known.insert(tag.clone());
            tags.into_iter().filter(is_new).collect()
        })
        .collect()
}
