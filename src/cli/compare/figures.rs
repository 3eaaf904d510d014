//! The figures of pairs of copies, and of all copies together.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::gather::{Gathered, SETS};
use crate::judging::Figure;
use crate::text::words;
use crate::votes::spans::{Gamma, SpanFigures, UnitCounts};
use crate::votes::{Bootstrap, Interval, NamedStatistic, SetCounts};

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
        let flat = |draws: &[Vec<u64>], labels: bool| -> Vec<Vec<NamedStatistic>> {
            let figures = counts.figures(draws, labels).into_iter().zip(draws);
            let each = figures.map(|(SpanFigures { all, labels }, times)| {
                let gamma = gamma.iter().flat_map(|gamma| {
                    [
                        NamedStatistic::new("gamma_2015", gamma.figure(times)),
                        NamedStatistic::new("gamma_2015_disorder", gamma.disorder(times)),
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
        let mut figures = drawn(bootstrap, counts.dialogs(), total, draw).into_iter();
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
            figures: drawn(bootstrap, counts.dialogs(), counts.total(), |draws| {
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

/// Returns `total` figures with their intervals, as far as draws have them.
fn drawn(
    bootstrap: Bootstrap,
    dialogs: usize,
    total: Vec<NamedStatistic>,
    figures: impl Fn(&[Vec<u64>]) -> Vec<Vec<NamedStatistic>> + Sync,
) -> Vec<Figure> {
    let values = |figures: Vec<NamedStatistic>| figures.iter().map(|figure| figure.value).collect();
    let intervals =
        bootstrap.intervals_of(dialogs, |draws| figures(draws).into_iter().map(values).collect());
    let mut intervals = intervals.into_iter();
    let with_interval = |figure: NamedStatistic| {
        let interval = intervals.next().map(|interval| Interval {
            // Without a figure, there is nothing that the draws in which it is defined could surround.
            bounds: interval.bounds.filter(|_| figure.value.is_ok()),
            ..interval
        });
        Figure { name: figure.name.to_owned(), value: figure.value, interval }
    };
    total.into_iter().map(with_interval).collect()
}
