//! The figures of the answers to a question: how they are distributed, how much people agree, and how much that would
//! vary had other dialogs been judged.

use std::collections::{BTreeMap, BTreeSet};

use super::answer_set::AnswerSet;
use super::answers::{AnswerTable, number_of, tags_of};
use super::question::{Kind, Level, Question};
use crate::dialog::{Answer, Breakdown};
use crate::votes::{
    Bootstrap, Counted, Distances, Drawable, Figure, LenientLabel, Ratings, Statistic, Tallies,
    Tally, UndefinedReason, mean, ratio,
};

/// The answers to a question, and how figures are computed from them.
pub struct RatedQuestion<'q> {
    pub question: &'q Question,
    pub table: AnswerTable,
    pub bootstrap: Bootstrap,
    /// The share of answers that a majority needs, from 0 to 1.
    pub threshold: f64,
    /// The values as numbers; none unless they are a scale.
    numbers: Vec<f64>,
    /// The distances of the values at which agreement is measured, with their names.
    distances: Vec<(&'static str, Distances)>,
}

impl<'q> RatedQuestion<'q> {
    pub fn new(question: &'q Question, bootstrap: Bootstrap, set: &AnswerSet) -> Self {
        let table = AnswerTable::new(question, set);
        Self {
            question,
            bootstrap,
            threshold: 0.0,
            numbers: table.categories.iter().filter_map(number_of).collect(),
            distances: question.distances(&table.categories),
            table,
        }
    }

    /// True for a question that is answered with tags.
    pub fn is_of_tags(&self) -> bool {
        matches!(self.question.kind, Kind::Tags { .. })
    }

    /// True for votes on breakdowns: O, T and X.
    pub fn is_of_votes(&self) -> bool {
        let labels = Breakdown::ALL.map(|label| Answer::Text(label.letter().to_owned()));
        self.table.categories == labels
    }

    /// Returns where each value is on the scale: its number if numbers can be subtracted, else its place. None if the
    /// values have no order.
    pub fn steps(&self) -> Option<Vec<f64>> {
        match self.question.kind {
            Kind::Scale(Level::Interval) => Some(self.numbers.clone()),
            Kind::Scale(Level::Ordinal) => {
                Some((0..self.table.categories.len()).map(|place| place as f64).collect())
            }
            _ => None,
        }
    }

    /// Returns the names of the values.
    pub fn values(&self) -> Vec<String> {
        let values = self.table.categories.iter();
        values
            .map(|value| match value.to_string() {
                name if name.is_empty() => "(none)".to_owned(),
                name => name,
            })
            .collect()
    }

    /// Returns the tags in the answers about each dialog.
    fn tags_by_dialog(&self) -> Vec<Vec<String>> {
        let ratings = &self.table.ratings;
        let mut all = vec![Vec::new(); ratings.dialogs];
        for item in &ratings.items {
            for rating in &item.ratings {
                let category = &self.table.categories[rating.category as usize];
                all[item.dialog as usize].extend(tags_of(category));
            }
        }
        all
    }

    /// Returns the tags in the answers, those of most dialogs first.
    pub fn codes(&self) -> Vec<CodeFigures> {
        let dialogs = self.tags_by_dialog();
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
        let share = |dialogs: u64| Figure::new("share", Ok(dialogs as f64 / all));
        let total = codes.iter().map(|(_, code)| share(code.len() as u64)).collect();
        let drawn = |times: &Vec<u64>| {
            let each = codes.iter();
            each.map(|(_, code)| share(code.keys().map(|dialog| times[*dialog]).sum())).collect()
        };
        let shares = self
            .bootstrap
            .with_intervals(dialogs.len(), total, |draws| draws.iter().map(drawn).collect());
        let codes = codes.iter().zip(shares).map(|((name, code), share)| CodeFigures {
            name: (*name).to_owned(),
            answers: answers(code),
            dialogs: code.len() as u64,
            share,
        });
        codes.collect()
    }

    /// Returns the new tags of each dialog, in the order of the dialogs.
    pub fn new_codes(&self) -> Vec<Vec<String>> {
        let mut known = BTreeSet::new();
        let dialogs = self.tags_by_dialog().into_iter();
        dialogs
            .map(|tags| {
                let is_new = |tag: &String| known.insert(tag.clone());
                tags.into_iter().filter(is_new).collect()
            })
            .collect()
    }
}

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
    /// The answers of nobody in particular, of each category.
    pub anonymous: Vec<u64>,
    /// Of votes, the turns whose majority is O, and T or X if these count as one.
    pub lenient: Option<[u64; 2]>,
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

/// Returns the share of the answers that each of the `values` has.
fn shares(counts: &[u64], values: usize) -> impl Iterator<Item = Figure> {
    let all: u64 = counts.iter().sum();
    (0..values).map(move |value| {
        let own = counts.get(value).copied().unwrap_or_default();
        Figure::new("share", ratio(own as f64, all, UndefinedReason::NoAnswers))
    })
}

impl AnswerFigures {
    /// Returns the figures of some of the answers, without intervals.
    pub fn of(rated: &RatedQuestion<'_>, ratings: &Ratings) -> Self {
        let tallies = ratings.tallies();
        let items = ratings.items.iter();
        let dialogs = ratings.items.chunk_by(|one, other| one.dialog == other.dialog);
        let mut has_answered = vec![false; ratings.annotators];
        let mut anonymous = vec![0; ratings.categories];
        for rating in items.flat_map(|item| &item.ratings) {
            match has_answered.get_mut(rating.annotator as usize) {
                Some(has_answered) => *has_answered = true,
                None => anonymous[rating.category as usize] += 1,
            }
        }
        let counts = tallies.categories(|_| true);
        let mut majorities = vec![0; ratings.categories];
        for (counts, times) in tallies.iter() {
            if let Some(majority) = counts.majority(rated.threshold) {
                majorities[majority] += times;
            }
        }
        let values = rated.values().into_iter().enumerate();
        let values = values.zip(shares(&counts, majorities.len()));
        let values = values.map(|((number, name), share)| ValueFigures {
            name,
            answers: counts.get(number).copied().unwrap_or_default(),
            share,
            majority: majorities[number],
        });
        Self {
            items: tallies.turns(),
            dialogs: dialogs.count() as u64,
            answers: tallies.votes(),
            answers_an_item: tallies.votes_a_turn(),
            annotators: has_answered.iter().filter(|has_answered| **has_answered).count() as u64,
            anonymous,
            lenient: rated.is_of_votes().then(|| lenient(&tallies, rated.threshold)),
            values: values.filter(|_| !rated.is_of_tags()).collect(),
            ties: tallies.ties(),
            no_absolute_majority: tallies.without_absolute_majority(),
            statistics: statistics(rated, &tallies),
        }
    }

    /// Returns the figures of all answers, with intervals.
    pub fn total(rated: &RatedQuestion<'_>) -> Self {
        let ratings = &rated.table.ratings;
        let mut total = Self::of(rated, ratings);
        let drawable = Drawable::of(ratings);
        let values = total.values.len();
        let drawn = |times: &Vec<u64>| {
            let tallies = drawable.drawn(times);
            let counts = tallies.categories(|_| true);
            shares(&counts, values).chain(statistics(rated, &tallies)).collect()
        };
        let shares = total.values.iter().map(|value| value.share.clone());
        let all = shares.chain(total.statistics).collect();
        let all = rated
            .bootstrap
            .with_intervals(ratings.dialogs, all, |draws| draws.iter().map(drawn).collect());
        let mut all = all.into_iter();
        for (value, share) in total.values.iter_mut().zip(&mut all) {
            value.share = share;
        }
        total.statistics = all.collect();
        total
    }
}

/// Returns the numbers of turns whose majority is O, and T or X.
fn lenient<T: Counted>(tallies: &Tallies<T>, threshold: f64) -> [u64; 2] {
    let mut all = [0; 2];
    for (counts, times) in tallies.iter() {
        let mut tally = Tally::default();
        for (label, count) in counts.counts() {
            tally.counts[label] = count;
        }
        let is_breakdown = tally.lenient(threshold) == Some(LenientLabel::Breakdown);
        all[usize::from(is_breakdown)] += times;
    }
    all
}

/// Returns the statistics of answers.
fn statistics<T: Counted>(rated: &RatedQuestion<'_>, tallies: &Tallies<T>) -> Vec<Figure> {
    let mut all = Vec::new();
    if !rated.numbers.is_empty() {
        let counts = tallies.categories(|_| true);
        let answers = rated.numbers.iter().copied().zip(counts.iter().copied());
        all.push(Figure::new("mean", mean(answers, UndefinedReason::NoAnswers)));
        all.push(Figure::new("median", median(&counts, &rated.numbers)));
    }
    all.push(Figure::new("entropy", tallies.entropy()));
    all.push(Figure::new("agreement", tallies.agreement()));
    all.push(Figure::new("fleiss_kappa", tallies.fleiss_kappa()));
    for (name, distances) in &rated.distances {
        let alpha = tallies.alpha(distances);
        all.push(Figure::new(format!("alpha_{name}"), alpha));
    }
    all
}
