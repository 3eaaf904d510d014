//! Counts of the units of each dialog, and the sums of a draw of dialogs.

use std::collections::HashMap;

use fearless_simd::{Level, Simd, dispatch};
use foldhash::fast::RandomState;
use rayon::prelude::*;

use super::hits::{Hits, Scheme};
use super::matching::{WeighedPair, best_matching};
use super::positions::{Stretch, stretches};
use super::{Unit, UnitTable, UnitTurn};
use crate::votes::counted::CategoryCounts;

/// How many dialogs are counted at once.
const CHUNK: usize = 512;
/// How many draws are summed at once.
const LANES: usize = 32;

type Numbers<K> = HashMap<K, usize, RandomState>;

/// Counts of the spans of copies, by dialog.
#[derive(Debug)]
pub struct UnitCounts {
    pub(super) copies: usize,
    pub(super) labels: usize,
    /// The different sets of labels that positions have; the first is empty.
    pub(super) sets: Vec<Vec<usize>>,
    counters: Vec<Counter>,
    /// For each counter of positions, what it says.
    patterns: Vec<Option<Pattern>>,
    dialogs: Vec<DialogCounts>,
}

#[derive(Debug, Default)]
struct DialogCounts {
    /// The number of positions.
    length: u64,
    /// Those that figures of all labels need.
    counts: Vec<Count>,
    /// Those that only the figures of each label need.
    of_labels: Vec<Count>,
}

/// The number of a counter, and its count; large counts are divided.
#[derive(Clone, Copy, Debug)]
struct Count {
    counter: u32,
    count: u32,
}

/// The labels of positions.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The number of the set of labels in each copy.
    pub sets: Vec<usize>,
    /// How many copies have each of these sets.
    pub counts: CategoryCounts,
    /// The labels, each with the copies that have it.
    labels: Vec<(usize, Vec<usize>)>,
}

/// Something that is counted; without a label, for all labels together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Counter {
    /// Positions with these sets of labels in the copies.
    Pattern(Vec<usize>),
    /// Units of the first copy.
    There(Option<usize>),
    /// Units of the second copy.
    Found(Option<usize>),
    Halves(Option<usize>, Scheme),
    /// Matched units with these labels.
    Matched([usize; 2]),
    /// Units with this label in turns that have the same units in both copies: each is the other's partner.
    Same(usize),
    /// The squares of the lengths of units.
    Squares(usize),
    /// The squares of the lengths on which another copy has a unit, too.
    SharedSquares(usize),
}

/// The sums of a draw.
#[derive(Debug, Default)]
pub(super) struct Sums<'c> {
    /// The number of positions.
    pub length: u64,
    pub patterns: Vec<(&'c Pattern, u64)>,
    pub matched: Vec<([usize; 2], u64)>,
    pub all: LayerSums,
    pub labels: Vec<LayerSums>,
}

/// The sums of a label, or of all labels together.
#[derive(Clone, Debug, Default)]
pub(super) struct LayerSums {
    /// By scheme.
    pub hits: [Hits; 4],
    /// For each copy, the positions that have the label.
    pub positions: Vec<u64>,
    /// The positions that this number of copies have with the label, from 0.
    pub by_copies: Vec<u64>,
    pub squares: u64,
    pub shared_squares: u64,
}

impl Counter {
    /// True if only the figures of each label need it.
    fn is_of_label(&self) -> bool {
        matches!(self, Self::There(Some(_)) | Self::Found(Some(_)) | Self::Halves(Some(_), _))
    }
}

/// Counts the units of dialogs one after the other.
#[derive(Default)]
struct Counting {
    numbers: Numbers<Counter>,
    counters: Vec<Counter>,
    set_numbers: Numbers<Vec<usize>>,
    sets: Vec<Vec<usize>>,
    /// Of the current dialog.
    counts: Vec<(usize, u64)>,
    dialogs: Vec<DialogCounts>,
}

impl Counting {
    /// Counts nothing yet.
    fn new() -> Self {
        let mut counting = Self::default();
        counting.set(&[]);
        counting
    }

    fn number(&mut self, counter: Counter) -> usize {
        let counters = &mut self.counters;
        *self.numbers.entry(counter).or_insert_with_key(|counter| {
            counters.push(counter.clone());
            counters.len() - 1
        })
    }

    fn add(&mut self, counter: Counter, count: u64) {
        if count > 0 {
            let number = self.number(counter);
            self.counts.push((number, count));
        }
    }

    fn set(&mut self, labels: &[usize]) -> usize {
        if let Some(number) = self.set_numbers.get(labels) {
            return *number;
        }
        let number = self.sets.len();
        self.sets.push(labels.to_vec());
        self.set_numbers.insert(labels.to_vec(), number);
        number
    }

    /// Counts a dialog.
    fn dialog(&mut self, turns: &[UnitTurn]) {
        for turn in turns {
            self.turn(turn);
        }
        let length = turns.iter().map(|turn| turn.length).sum();
        let mut dialog = DialogCounts { length, ..DialogCounts::default() };
        self.counts.sort_unstable();
        for same in self.counts.chunk_by(|(one, _), (other, _)| one == other) {
            let counter = same[0].0;
            let mut sum: u64 = same.iter().map(|(_, count)| count).sum();
            let list = if self.counters[counter].is_of_label() {
                &mut dialog.of_labels
            } else {
                &mut dialog.counts
            };
            while sum > 0 {
                let count = u32::try_from(sum).unwrap_or(u32::MAX);
                sum -= u64::from(count);
                list.push(Count { counter: counter as u32, count });
            }
        }
        self.counts.clear();
        self.dialogs.push(dialog);
    }

    /// Adds the dialogs behind these, which `other` has counted.
    fn append(&mut self, other: Self) {
        let sets: Vec<_> = other.sets.iter().map(|set| self.set(set)).collect();
        let numbers = other.counters.into_iter().map(|counter| match counter {
            Counter::Pattern(own) => {
                let own = own.into_iter().map(|set| sets[set]).collect();
                self.number(Counter::Pattern(own))
            }
            counter => self.number(counter),
        });
        let numbers: Vec<_> = numbers.collect();
        for mut dialog in other.dialogs {
            let counts = dialog.counts.iter_mut().chain(&mut dialog.of_labels);
            for count in counts {
                count.counter = numbers[count.counter as usize] as u32;
            }
            self.dialogs.push(dialog);
        }
    }

    fn turn(&mut self, turn: &UnitTurn) {
        let stretches = stretches(turn);
        for stretch in &stretches {
            let sets = stretch.labels.iter().map(|labels| self.set(labels));
            let sets = sets.collect();
            self.add(Counter::Pattern(sets), stretch.length());
        }
        let labels = turn.labels();
        for &label in &labels {
            let copies = 0..turn.copies.len();
            let units: Vec<_> = copies.map(|copy| turn.joined(copy, label)).collect();
            self.label(&units, &stretches, label);
        }
        let [reference, units] = &turn.copies[..] else {
            return;
        };
        let with = |units: &[Unit], label: usize| -> Vec<Unit> {
            let units = units.iter().copied();
            units.filter(|unit| unit.label == label).collect()
        };
        // Most turns are the same.
        if reference == units {
            for label in labels {
                self.add(Counter::Same(label), with(units, label).len() as u64);
            }
            return;
        }
        self.hits(None, reference, units);
        for label in labels {
            self.hits(Some(label), &with(reference, label), &with(units, label));
        }
        for [one, other] in matched(reference, units) {
            self.add(Counter::Matched([one.label, other.label]), 1);
        }
    }

    fn hits(&mut self, label: Option<usize>, reference: &[Unit], units: &[Unit]) {
        self.add(Counter::There(label), reference.len() as u64);
        self.add(Counter::Found(label), units.len() as u64);
        for scheme in Scheme::ALL {
            let hits = scheme.hits(reference, units);
            self.add(Counter::Halves(label, scheme), hits.halves);
        }
    }

    /// Counts the units with a label that the copies of a turn have.
    fn label(&mut self, units: &[Vec<Unit>], stretches: &[Stretch], label: usize) {
        for (copy, own) in units.iter().enumerate() {
            for unit in own {
                self.add(Counter::Squares(label), unit.length().pow(2));
                let within = stretches.iter();
                let within = within.filter(|s| unit.start <= s.start && s.end <= unit.end);
                let shared = within.filter(|stretch| {
                    let mut others = stretch.labels.iter().enumerate();
                    others.any(|(other, labels)| other != copy && !labels.is_empty())
                });
                let shared: u64 = shared.map(Stretch::length).sum();
                self.add(Counter::SharedSquares(label), shared.pow(2));
            }
        }
    }
}

/// Returns the pairs of units that overlap most, by the share of the positions of either that both have; of equally
/// good ones, those with the same label.
fn matched(ones: &[Unit], others: &[Unit]) -> Vec<[Unit; 2]> {
    /// Less than what lengths of real spans make a difference.
    const SAME_LABEL: f64 = 1e-7;
    let mut pairs = Vec::new();
    for (one, unit) in ones.iter().enumerate() {
        for (other, partner) in others.iter().enumerate() {
            let shared = unit.shared(*partner);
            if shared > 0 {
                let either = unit.length() + partner.length() - shared;
                let bonus = if unit.label == partner.label { SAME_LABEL } else { 0.0 };
                let weight = shared as f64 / either as f64 + bonus;
                pairs.push(WeighedPair { one, other, weight });
            }
        }
    }
    let best = best_matching(&pairs).into_iter();
    best.map(|pair| [ones[pair.one], others[pair.other]]).collect()
}

impl UnitCounts {
    /// Counts the units of each dialog. Hits and matched units are counted if there are two copies.
    pub fn of(table: &UnitTable) -> Self {
        let counted = table.dialogs.par_chunks(CHUNK).map(|dialogs| {
            let mut counting = Counting::new();
            for turns in dialogs {
                counting.dialog(turns);
            }
            counting
        });
        let mut counting = Counting::new();
        for chunk in counted.collect::<Vec<_>>() {
            counting.append(chunk);
        }
        let patterns = counting.counters.iter().map(|counter| match counter {
            Counter::Pattern(sets) => Some(Pattern::of(sets, &counting.sets)),
            _ => None,
        });
        Self {
            copies: table.copies,
            labels: table.labels,
            patterns: patterns.collect(),
            sets: counting.sets,
            counters: counting.counters,
            dialogs: counting.dialogs,
        }
    }

    /// Returns the number of dialogs.
    pub fn dialogs(&self) -> usize {
        self.dialogs.len()
    }

    /// Returns the sums of draws, each of which says how many times it has each dialog; those of one dialog are behind
    /// each other. With `labels`, also what only the figures of each label need.
    pub(super) fn sums(&self, draws: &[Vec<u64>], labels: bool) -> Vec<Sums<'_>> {
        // Reading the counts takes longer than adding them, so they are added to several draws at once.
        let blocks = draws.chunks(LANES);
        let sums = blocks.flat_map(|draws| {
            let counts = self.counts(draws, labels);
            let each = draws.iter().enumerate();
            each.map(|(lane, times)| self.sums_of(times, &counts, lane)).collect::<Vec<_>>()
        });
        sums.collect()
    }

    /// Returns the sum of each counter, for each of up to [`LANES`] draws.
    fn counts(&self, draws: &[Vec<u64>], labels: bool) -> Vec<[f64; LANES]> {
        dispatch!(Level::new(), simd => self.counts_with(simd, draws, labels))
    }

    #[inline(always)]
    fn counts_with<S: Simd>(&self, _: S, draws: &[Vec<u64>], labels: bool) -> Vec<[f64; LANES]> {
        let mut sums = vec![[0.0; LANES]; self.counters.len()];
        for (number, dialog) in self.dialogs.iter().enumerate() {
            let mut times = [0.0; LANES];
            for (times, draw) in times.iter_mut().zip(draws) {
                *times = draw[number] as f64;
            }
            let of_labels = dialog.of_labels.iter().filter(|_| labels);
            for Count { counter, count } in dialog.counts.iter().chain(of_labels) {
                let count = f64::from(*count);
                for (sum, times) in sums[*counter as usize].iter_mut().zip(times) {
                    *sum += times * count;
                }
            }
        }
        sums
    }

    fn sums_of(&self, times: &[u64], counts: &[[f64; LANES]], lane: usize) -> Sums<'_> {
        let dialogs = self.dialogs.iter().zip(times);
        let length = dialogs.map(|(dialog, times)| times * dialog.length).sum();
        let layer = LayerSums {
            positions: vec![0; self.copies],
            by_copies: vec![0; self.copies + 1],
            ..LayerSums::default()
        };
        let labels = vec![layer.clone(); self.labels];
        let mut sums = Sums { length, all: layer, labels, ..Sums::default() };
        let counters = self.counters.iter().zip(&self.patterns).zip(counts);
        for ((counter, pattern), counts) in counters {
            if counts[lane] > 0.0 {
                add(counter, pattern.as_ref(), counts[lane] as u64, &mut sums);
            }
        }
        for layer in &mut sums.labels {
            layer.by_copies[0] = length - layer.by_copies.iter().sum::<u64>();
        }
        sums
    }
}

impl Pattern {
    fn of(sets: &[usize], all: &[Vec<usize>]) -> Self {
        let mut labels: Vec<(usize, Vec<usize>)> = Vec::new();
        for (copy, set) in sets.iter().enumerate() {
            for label in &all[*set] {
                match labels.iter_mut().find(|(other, _)| other == label) {
                    Some((_, copies)) => copies.push(copy),
                    None => labels.push((*label, vec![copy])),
                }
            }
        }
        Self { sets: sets.to_vec(), counts: sets.iter().copied().collect(), labels }
    }
}

/// Adds the sum of a counter.
fn add<'c>(counter: &Counter, pattern: Option<&'c Pattern>, count: u64, sums: &mut Sums<'c>) {
    fn layer<'s>(sums: &'s mut Sums<'_>, label: Option<usize>) -> &'s mut LayerSums {
        match label {
            Some(label) => &mut sums.labels[label],
            None => &mut sums.all,
        }
    }
    match counter {
        Counter::Pattern(_) => {
            let Some(pattern) = pattern else {
                return;
            };
            sums.patterns.push((pattern, count));
            for (label, copies) in &pattern.labels {
                let layer = &mut sums.labels[*label];
                layer.by_copies[copies.len()] += count;
                for copy in copies {
                    layer.positions[*copy] += count;
                }
            }
        }
        Counter::There(label) => {
            let hits = layer(sums, *label).hits.iter_mut();
            hits.for_each(|hits| hits.there += count);
        }
        Counter::Found(label) => {
            let hits = layer(sums, *label).hits.iter_mut();
            hits.for_each(|hits| hits.found += count);
        }
        Counter::Halves(label, scheme) => {
            layer(sums, *label).hits[*scheme as usize].halves += count;
        }
        Counter::Matched(labels) => sums.matched.push((*labels, count)),
        Counter::Same(label) => {
            sums.matched.push(([*label; 2], count));
            let layers = [&mut sums.all, &mut sums.labels[*label]];
            for hits in layers.into_iter().flat_map(|layer| &mut layer.hits) {
                hits.there += count;
                hits.found += count;
                hits.halves += 2 * count;
            }
        }
        Counter::Squares(label) => sums.labels[*label].squares += count,
        Counter::SharedSquares(label) => sums.labels[*label].shared_squares += count,
    }
}
