//! Counts of the units of each dialog, and the sums of a draw of dialogs.

use std::collections::HashMap;

use fearless_simd::{Level, Simd, dispatch};
use foldhash::fast::RandomState;
use rayon::prelude::*;

use super::alpha_u::{Gaps, Lengths, observed};
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
    /// For each label, for each copy, the dialogs that have it.
    edges: Vec<Vec<LabelEdges>>,
    /// For each label, the longest unit.
    longest: Vec<u64>,
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

/// The edges of the units of a label in the dialogs of a copy.
#[derive(Debug)]
struct LabelEdges {
    all: Vec<DialogEdges>,
    /// The places among these of dialogs that end in a gap which may be short.
    near: Vec<usize>,
}

/// The edges of the units of a label in a dialog of a copy.
#[derive(Debug)]
struct DialogEdges {
    dialog: usize,
    /// The positions before the first unit.
    before: u64,
    /// The positions behind the last one.
    behind: u64,
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
    /// The squares of the lengths on which another copy has a unit, too.
    SharedSquares(usize),
    /// The result of [`observed`].
    Observed(usize),
    /// Units of this length.
    Length(usize, u64),
    /// Gaps of this length between units of a dialog.
    Gap(usize, u64),
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
    pub observed: u64,
    pub lengths: Vec<Lengths>,
    pub gaps: Gaps,
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
    edges: Vec<Vec<Vec<DialogEdges>>>,
}

impl Counting {
    /// Counts nothing yet.
    fn new(table: &UnitTable) -> Self {
        let edges = || (0..table.copies).map(|_| Vec::new()).collect();
        let mut counting =
            Self { edges: (0..table.labels).map(|_| edges()).collect(), ..Self::default() };
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

    /// Counts a dialog; `number` is its own.
    fn dialog(&mut self, number: usize, turns: &[UnitTurn]) {
        let mut length = 0;
        for turn in turns {
            self.turn(turn, number, length);
            length += turn.length;
        }
        for last in self.edges.iter_mut().flatten().filter_map(|edges| edges.last_mut()) {
            if last.dialog == number {
                last.behind = length - last.behind;
            }
        }
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
        let edges = self.edges.iter_mut().flatten();
        for (own, other) in edges.zip(other.edges.into_iter().flatten()) {
            own.extend(other);
        }
    }

    /// Drops the counters of gaps that are longer than any unit: their number and their sum follow from the others.
    fn drop_long_gaps(&mut self, longest: &[u64]) {
        let mut numbers = Vec::with_capacity(self.counters.len());
        let mut kept = Vec::new();
        for counter in std::mem::take(&mut self.counters) {
            let is_long = matches!(counter, Counter::Gap(label, gap) if gap > longest[label]);
            numbers.push((!is_long).then_some(kept.len() as u32));
            if !is_long {
                kept.push(counter);
            }
        }
        self.counters = kept;
        for dialog in &mut self.dialogs {
            for counts in [&mut dialog.counts, &mut dialog.of_labels] {
                counts.retain_mut(|count| match numbers[count.counter as usize] {
                    Some(number) => {
                        count.counter = number;
                        true
                    }
                    None => false,
                });
                counts.shrink_to_fit();
            }
        }
    }

    /// Counts a turn of the dialog `number`, which has the positions `before` in front of it.
    fn turn(&mut self, turn: &UnitTurn, number: usize, before: u64) {
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
            self.gaps(&units, label, number, before);
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
                self.add(Counter::Length(label, unit.length()), 1);
                let within = stretches.iter();
                let within = within.filter(|s| unit.start <= s.start && s.end <= unit.end);
                let shared = within.filter(|stretch| {
                    let mut others = stretch.labels.iter().enumerate();
                    others.any(|(other, labels)| other != copy && !labels.is_empty())
                });
                let shared: u64 = shared.map(Stretch::length).sum();
                self.add(Counter::SharedSquares(label), shared.pow(2));
            }
            for others in &units[copy + 1..] {
                self.add(Counter::Observed(label), observed(own, others));
            }
        }
    }

    /// Counts the gaps before these units, and keeps the edges of the dialog.
    fn gaps(&mut self, units: &[Vec<Unit>], label: usize, number: usize, before: u64) {
        for (copy, own) in units.iter().enumerate() {
            for unit in own {
                let (start, behind) = (before + unit.start, before + unit.end);
                let edges = &mut self.edges[label][copy];
                match edges.last_mut().filter(|last| last.dialog == number) {
                    Some(last) => {
                        let gap = start - std::mem::replace(&mut last.behind, behind);
                        self.add(Counter::Gap(label, gap), 1);
                    }
                    None => edges.push(DialogEdges { dialog: number, before: start, behind }),
                }
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
        let chunks = table.dialogs.par_chunks(CHUNK).enumerate();
        let counted = chunks.map(|(chunk, dialogs)| {
            let mut counting = Counting::new(table);
            for (number, turns) in dialogs.iter().enumerate() {
                counting.dialog(chunk * CHUNK + number, turns);
            }
            counting
        });
        let mut counting = Counting::new(table);
        for chunk in counted.collect::<Vec<_>>() {
            counting.append(chunk);
        }
        let mut longest = vec![0; table.labels];
        for counter in &counting.counters {
            if let Counter::Length(label, length) = counter {
                longest[*label] = longest[*label].max(*length);
            }
        }
        counting.drop_long_gaps(&longest);
        let edges = counting.edges.into_iter().zip(&longest);
        let edges = edges.map(|(copies, longest)| {
            let near = |all: Vec<DialogEdges>| {
                let near = all.iter().enumerate();
                let near = near.filter(|(_, edges)| edges.behind <= *longest);
                LabelEdges { near: near.map(|(at, _)| at).collect(), all }
            };
            copies.into_iter().map(near).collect()
        });
        let edges = edges.collect();
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
            edges,
            longest,
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
        // How many positions are before each dialog.
        let mut before = Vec::with_capacity(self.dialogs.len() + 1);
        let mut length = 0;
        for (dialog, times) in self.dialogs.iter().zip(times) {
            before.push(length);
            length += times * dialog.length;
        }
        before.push(length);
        let layer = |longest: u64| LayerSums {
            positions: vec![0; self.copies],
            by_copies: vec![0; self.copies + 1],
            gaps: Gaps::new(longest),
            ..LayerSums::default()
        };
        let mut sums = Sums {
            length,
            all: layer(0),
            labels: self.longest.iter().map(|longest| layer(*longest)).collect(),
            ..Sums::default()
        };
        let counters = self.counters.iter().zip(&self.patterns).zip(counts);
        for ((counter, pattern), counts) in counters {
            if counts[lane] > 0.0 {
                add(counter, pattern.as_ref(), counts[lane] as u64, &mut sums);
            }
        }
        for (label, sums) in sums.labels.iter_mut().enumerate() {
            let some: u64 = sums.by_copies.iter().sum();
            sums.by_copies[0] = length - some;
            for edges in &self.edges[label] {
                outer_gaps(edges, times, &before, &mut sums.gaps);
            }
            let copies = self.copies as u64;
            let units: u64 = sums.lengths.iter().map(|units| units.times).sum();
            let marked: u64 = sums.positions.iter().sum();
            sums.gaps.complete(units + copies, copies * length - marked);
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
        Counter::SharedSquares(label) => sums.labels[*label].shared_squares += count,
        Counter::Observed(label) => sums.labels[*label].observed += count,
        Counter::Length(label, length) => {
            let layer = &mut sums.labels[*label];
            layer.squares += length.pow(2) * count;
            layer.lengths.push(Lengths { length: *length, times: count });
        }
        Counter::Gap(label, length) => sums.labels[*label].gaps.add(*length, count),
    }
}

/// Adds the gaps that the edges of dialogs are in, for a label and a copy, as far as they are short. `before` has the
/// positions before each dialog, and all.
fn outer_gaps(edges: &LabelEdges, times: &[u64], before: &[u64], gaps: &mut Gaps) {
    let LabelEdges { all, near } = edges;
    let is_drawn = |edges: &&DialogEdges| times[edges.dialog] > 0;
    let end_of = |edges: &DialogEdges| before[edges.dialog + 1] - edges.behind;
    let length = before.last().copied().unwrap_or_default();
    let Some(first) = all.iter().find(is_drawn) else {
        return gaps.add(length, 1);
    };
    gaps.add(before[first.dialog] + first.before, 1);
    if let Some(last) = all.iter().rfind(is_drawn) {
        gaps.add(length - end_of(last), 1);
    }
    for at in near {
        let edges = &all[*at];
        if times[edges.dialog] == 0 {
            continue;
        }
        gaps.add(edges.behind + edges.before, times[edges.dialog] - 1);
        let end = end_of(edges);
        for next in &all[at + 1..] {
            let start = before[next.dialog];
            if start - end >= gaps.limit() {
                break;
            }
            if times[next.dialog] > 0 {
                gaps.add(start + next.before - end, 1);
                break;
            }
        }
    }
}
