//! The figures of spans.

use std::collections::BTreeMap;

use super::counts::{LayerSums, Sums, UnitCounts};
use super::hits::Hits;
use super::u_alpha::{Coincidences, Value};
use crate::votes::agreement::Distances;
use crate::votes::confusion::Confusion;
use crate::votes::counted::{CategoryCounts, Counted};
use crate::votes::figure::Figure;
use crate::votes::tallies::Tallies;
use crate::votes::undefined::{Statistic, UndefinedReason, ratio};

/// The figures of all labels together, and of each one.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanFigures {
    pub all: Vec<Figure>,
    /// By label.
    pub labels: Vec<Vec<Figure>>,
}

/// Positions by their values, for u-alpha, unless units of a copy overlap.
struct Coded {
    values: Result<Coincidences, UndefinedReason>,
    /// Of positions that several copies have marked.
    shared: Result<Coincidences, UndefinedReason>,
}

/// Precision, recall and F1, by scheme.
const HITS: [[&str; 3]; 4] = [
    ["strict_precision", "strict_recall", "strict_f1"],
    ["exact_precision", "exact_recall", "exact_f1"],
    ["partial_precision", "partial_recall", "partial_f1"],
    ["type_precision", "type_recall", "type_f1"],
];

impl UnitCounts {
    /// Returns the figures of all dialogs.
    pub fn total(&self) -> SpanFigures {
        let mut total = self.figures(&[vec![1; self.dialogs()]], true);
        total.swap_remove(0)
    }

    /// Returns the figures of draws, each of which says how many times it has each dialog, of all labels together and,
    /// if wanted, of each of the `labels`.
    pub fn figures(&self, draws: &[Vec<u64>], labels: bool) -> Vec<SpanFigures> {
        let labels_wanted = 0..if labels { self.labels } else { 0 };
        let sums = self.sums(draws, labels);
        let each = sums.iter().map(|sums| {
            let values = self.values(sums);
            let shared = values.is_ok().then(|| self.shared_values(sums));
            let coded = Coded { shared: shared.ok_or(UndefinedReason::OverlappingSpans), values };
            let labels = labels_wanted.clone();
            SpanFigures {
                all: self.of_all(sums, &coded),
                labels: labels.map(|label| self.of_label(sums, &coded, label)).collect(),
            }
        });
        each.collect()
    }

    fn of_all(&self, sums: &Sums<'_>, coded: &Coded) -> Vec<Figure> {
        let mut all = Vec::new();
        if self.copies == 2 {
            all.extend(hits(&sums.all.hits));
            let both = |layer: &LayerSums| (layer.by_copies[2], layer.positions.iter().sum());
            let both = sums.labels.iter().map(both);
            let both = both.fold((0, 0), |(x, y), (a, b): (u64, u64)| (x + a, y + b));
            all.push(Figure::of_copies("position_f1", position_f1(both.0, both.1)));
            let mut confusion = Confusion::new(self.sets.len());
            for (pattern, times) in &sums.patterns {
                confusion.turns[pattern.sets[0]][pattern.sets[1]] += times;
            }
            all.push(Figure::of_copies("position_kappa", confusion.kappa()));
        }
        let patterns = sums.patterns.iter();
        let patterns = patterns.map(|(pattern, times)| (&pattern.counts, *times));
        all.push(Figure::of_copies("position_alpha", alpha(patterns)));
        if self.copies == 2 {
            let mut confusion = Confusion::new(self.labels);
            for ([one, other], times) in &sums.matched {
                confusion.turns[*one][*other] += times;
            }
            all.push(Figure::of_copies("label_kappa", confusion.kappa()));
            let pairs = sums.matched.iter();
            let pairs = pairs.map(|(labels, times)| -> (CategoryCounts, u64) {
                (labels.iter().copied().collect(), *times)
            });
            all.push(Figure::of_copies("label_alpha", alpha(pairs)));
        }
        let of = |coincidences: &Result<Coincidences, UndefinedReason>,
                  alpha: fn(&Coincidences) -> Statistic| {
            coincidences.as_ref().map_err(|why| *why).and_then(alpha)
        };
        let empty = (0..self.copies).any(|copy| {
            let own = sums.labels.iter().map(|layer| layer.positions[copy]);
            own.sum::<u64>() == 0
        });
        let last = [
            ("u_alpha_2016", of(&coded.values, Coincidences::alpha)),
            ("u_alpha_2016_binary", of(&coded.values, |values| units(values).alpha())),
            ("u_alpha_2016_coding", of(&coded.shared, Coincidences::alpha)),
        ];
        all.extend(last.map(|(name, value)| Figure::of_copies(name, unless(empty, value))));
        all
    }

    fn of_label(&self, sums: &Sums<'_>, coded: &Coded, label: usize) -> Vec<Figure> {
        let layer = &sums.labels[label];
        let mut all = Vec::new();
        let with = &layer.by_copies;
        if self.copies == 2 {
            all.extend(hits(&layer.hits));
            let positions = layer.positions.iter().sum();
            all.push(Figure::of_copies("position_f1", position_f1(with[2], positions)));
            let [one, other] = [0, 1].map(|copy| layer.positions[copy] - with[2]);
            let confusion = Confusion {
                turns: vec![vec![with[0], other], vec![one, with[2]]],
                ..Confusion::new(2)
            };
            all.push(Figure::of_copies("position_kappa", confusion.kappa()));
        }
        let patterns = with.iter().enumerate();
        let patterns = patterns.map(|(copies, times)| {
            let categories = (0..self.copies).map(|copy| usize::from(copy < copies));
            let counts: CategoryCounts = categories.collect();
            (counts, *times)
        });
        all.push(Figure::of_copies("position_alpha", alpha(patterns)));
        let pairs = |copies: usize| (copies * copies.saturating_sub(1)) as f64;
        let agreed = |count: &dyn Fn(usize) -> usize| -> f64 {
            let each = with.iter().enumerate();
            let each = each.map(|(copies, times)| pairs(count(copies)) * *times as f64);
            each.sum::<f64>() / (self.copies - 1) as f64
        };
        let length: u64 = layer.positions.iter().sum();
        let gaps = (self.copies as u64 * sums.length - length) as f64;
        let own = Coincidences(vec![
            Value { length: gaps, agreed: agreed(&|copies| self.copies - copies), itself: gaps },
            Value {
                length: length as f64,
                agreed: agreed(&|copies| copies),
                itself: layer.squares as f64,
            },
        ]);
        let shared = coded.shared.as_ref().map_err(|why| *why);
        let of_value = shared.and_then(|shared| shared.alpha_of(label));
        let last = [("u_alpha_2016", own.alpha()), ("u_alpha_2016_value", of_value)];
        let empty = layer.positions.contains(&0);
        all.extend(last.map(|(name, value)| Figure::of_copies(name, unless(empty, value))));
        all
    }

    /// Returns gaps and labels as values of positions.
    ///
    /// # Errors
    /// If units of a copy overlap, so that a position has several values.
    fn values(&self, sums: &Sums<'_>) -> Result<Coincidences, UndefinedReason> {
        let layers = sums.labels.iter();
        let mut values = vec![Value::default()];
        values.extend(layers.map(|layer| Value {
            length: layer.positions.iter().sum::<u64>() as f64,
            itself: layer.squares as f64,
            agreed: 0.0,
        }));
        for (pattern, times) in &sums.patterns {
            for (value, count) in self.by_value(&pattern.sets)? {
                let pairs = (count * (count - 1)) as f64 / (self.copies - 1) as f64;
                values[value].agreed += pairs * *times as f64;
                if value == 0 {
                    values[0].length += (count as u64 * times) as f64;
                }
            }
        }
        values[0].itself = values[0].length;
        Ok(Coincidences(values))
    }

    /// Returns the labels as values of those positions that several copies have marked.
    fn shared_values(&self, sums: &Sums<'_>) -> Coincidences {
        let layers = sums.labels.iter();
        let mut values: Vec<_> = layers
            .map(|layer| Value { itself: layer.shared_squares as f64, ..Value::default() })
            .collect();
        for (pattern, times) in &sums.patterns {
            let Ok(by_value) = self.by_value(&pattern.sets) else {
                continue;
            };
            let marked: usize = by_value.iter().filter(|(v, _)| **v > 0).map(|(_, n)| n).sum();
            for (value, count) in by_value.into_iter().filter(|(value, _)| *value > 0) {
                let weight = *times as f64 / (self.copies - 1) as f64;
                let value = &mut values[value - 1];
                value.length += (count * (marked - 1)) as f64 * weight;
                value.agreed += (count * (count - 1)) as f64 * weight;
            }
        }
        Coincidences(values)
    }

    /// Returns how many copies have each value: 0 for a gap, 1 for the first label.
    fn by_value(&self, sets: &[usize]) -> Result<BTreeMap<usize, usize>, UndefinedReason> {
        let mut values = BTreeMap::new();
        for set in sets {
            let value = match self.sets[*set][..] {
                [] => 0,
                [label] => label + 1,
                _ => return Err(UndefinedReason::OverlappingSpans),
            };
            *values.entry(value).or_default() += 1;
        }
        Ok(values)
    }
}

fn hits(hits: &[Hits; 4]) -> impl Iterator<Item = Figure> {
    let each = HITS.into_iter().zip(*hits);
    each.flat_map(|([precision, recall, f1], hits)| {
        [
            Figure::of_copies(precision, hits.precision()),
            Figure::of_copies(recall, hits.recall()),
            Figure::of_copies(f1, hits.f1()),
        ]
    })
}

/// Returns F1 of positions, of which `both` copies have some, and each has its own, `all` together.
fn position_f1(both: u64, all: u64) -> Statistic {
    ratio(2.0 * both as f64, all, UndefinedReason::NothingCompared)
}

fn alpha<T: Counted>(items: impl Iterator<Item = (T, u64)>) -> Statistic {
    let mut tallies = Tallies::default();
    items.for_each(|(counts, times)| tallies.add_times(counts, times));
    tallies.alpha(&Distances::Nominal)
}

/// Returns gaps, and all other values as one.
fn units(values: &Coincidences) -> Coincidences {
    let [gaps, labels @ ..] = &values.0[..] else {
        return Coincidences::default();
    };
    let sum = |of: fn(&Value) -> f64| labels.iter().map(of).sum::<f64>();
    let all = gaps.length + sum(|value| value.length);
    // Where copies do not agree on the label, they agree that there is one.
    let marked = sum(|value| value.length);
    let disagreed = gaps.length - gaps.agreed;
    Coincidences(vec![
        *gaps,
        Value {
            length: all - gaps.length,
            agreed: marked - disagreed,
            itself: sum(|value| value.itself),
        },
    ])
}

fn unless(empty: bool, value: Statistic) -> Statistic {
    if empty { Err(UndefinedReason::CopyWithoutSpans) } else { value }
}
