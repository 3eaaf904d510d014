//! What is counted of the units of each dialog, and the sums of a draw of dialogs.

use std::collections::{BTreeMap, HashMap};

use super::alpha_u::{Lengths, observed};
use super::hits::{Hits, Scheme};
use super::matching::{WeighedPair, best_matching};
use super::positions::{Stretch, stretches};
use super::{Unit, UnitTable, UnitTurn};

/// What the spans of copies add up to, by dialog.
#[derive(Debug)]
pub struct UnitCounts {
    pub(super) copies: usize,
    pub(super) labels: usize,
    /// The different sets of labels that positions have; the first is empty.
    pub(super) sets: Vec<Vec<usize>>,
    counters: Vec<Counter>,
    dialogs: Vec<DialogCounts>,
    /// For each label, for each copy, the dialogs that have it.
    edges: Vec<Vec<Vec<DialogEdges>>>,
}

#[derive(Debug, Default)]
struct DialogCounts {
    /// The number of positions.
    length: u64,
    /// Counters by their numbers.
    counts: Vec<(usize, u64)>,
}

/// Where the units of a label begin and end in a dialog of a copy.
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
    /// The squares of the lengths of units.
    Squares(usize),
    /// The squares of the lengths on which another copy has a unit, too.
    SharedSquares(usize),
    /// What [`observed`] returns.
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
    pub patterns: Vec<(&'c [usize], u64)>,
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
    pub gaps: Vec<Lengths>,
}

/// Counts the units of dialogs one after the other.
struct Counting {
    numbers: HashMap<Counter, usize>,
    counters: Vec<Counter>,
    set_numbers: HashMap<Vec<usize>, usize>,
    sets: Vec<Vec<usize>>,
    /// Of the current dialog.
    counts: BTreeMap<usize, u64>,
}

impl Counting {
    fn add(&mut self, counter: Counter, count: u64) {
        if count == 0 {
            return;
        }
        let counters = &mut self.counters;
        let number = *self.numbers.entry(counter).or_insert_with_key(|counter| {
            counters.push(counter.clone());
            counters.len() - 1
        });
        *self.counts.entry(number).or_default() += count;
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

    fn turn(&mut self, turn: &UnitTurn) {
        let stretches = stretches(turn);
        for stretch in &stretches {
            let sets = stretch.labels.iter().map(|labels| self.set(labels));
            let sets = sets.collect();
            self.add(Counter::Pattern(sets), stretch.length());
        }
        let labels = turn.labels();
        for &label in &labels {
            self.label(turn, &stretches, label);
        }
        if let [reference, units] = &turn.copies[..] {
            self.hits(None, reference, units);
            for label in labels {
                let own = |units: &[Unit]| -> Vec<Unit> {
                    let units = units.iter().copied();
                    units.filter(|unit| unit.label == label).collect()
                };
                self.hits(Some(label), &own(reference), &own(units));
            }
            for [one, other] in matched(reference, units) {
                self.add(Counter::Matched([one.label, other.label]), 1);
            }
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

    fn label(&mut self, turn: &UnitTurn, stretches: &[Stretch], label: usize) {
        let copies = turn.copies.len();
        let units: Vec<_> = (0..copies).map(|copy| turn.joined(copy, label)).collect();
        for (copy, own) in units.iter().enumerate() {
            for unit in own {
                self.add(Counter::Length(label, unit.length()), 1);
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
            for others in &units[copy + 1..] {
                self.add(Counter::Observed(label), observed(own, others));
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
                let bonus = if unit.label == partner.label {
                    SAME_LABEL
                } else {
                    0.0
                };
                let weight = shared as f64 / either as f64 + bonus;
                pairs.push(WeighedPair { one, other, weight });
            }
        }
    }
    let best = best_matching(&pairs).into_iter();
    best.map(|pair| [ones[pair.one], others[pair.other]])
        .collect()
}

impl UnitCounts {
    /// Counts the units of each dialog. Hits and matched units are counted if there are two copies.
    pub fn of(table: &UnitTable) -> Self {
        let mut counting = Counting {
            numbers: HashMap::new(),
            counters: Vec::new(),
            set_numbers: HashMap::from([(Vec::new(), 0)]),
            sets: vec![Vec::new()],
            counts: BTreeMap::new(),
        };
        let edges = || (0..table.copies).map(|_| Vec::new()).collect();
        let mut edges: Vec<Vec<Vec<DialogEdges>>> = (0..table.labels).map(|_| edges()).collect();
        let mut dialogs = Vec::with_capacity(table.dialogs.len());
        for (dialog, turns) in table.dialogs.iter().enumerate() {
            let mut length = 0;
            for turn in turns {
                counting.turn(turn);
                for label in turn.labels() {
                    for (copy, edges) in edges[label].iter_mut().enumerate() {
                        for unit in turn.joined(copy, label) {
                            let (start, behind) = (length + unit.start, length + unit.end);
                            match edges.last_mut().filter(|last| last.dialog == dialog) {
                                Some(last) => {
                                    counting.add(Counter::Gap(label, start - last.behind), 1);
                                    last.behind = behind;
                                }
                                None => edges.push(DialogEdges {
                                    dialog,
                                    before: start,
                                    behind,
                                }),
                            }
                        }
                    }
                }
                length += turn.length;
            }
            for last in edges
                .iter_mut()
                .flatten()
                .filter_map(|edges| edges.last_mut())
            {
                if last.dialog == dialog {
                    last.behind = length - last.behind;
                }
            }
            let counts = std::mem::take(&mut counting.counts).into_iter().collect();
            dialogs.push(DialogCounts { length, counts });
        }
        Self {
            copies: table.copies,
            labels: table.labels,
            sets: counting.sets,
            counters: counting.counters,
            dialogs,
            edges,
        }
    }

    /// Returns the number of dialogs.
    pub fn dialogs(&self) -> usize {
        self.dialogs.len()
    }

    /// Returns the sums of a draw that has each dialog this many times, those of one dialog behind each other.
    pub(super) fn sums(&self, times: &[u64]) -> Sums<'_> {
        let mut counts = vec![0; self.counters.len()];
        // How many positions are before each dialog.
        let mut before = Vec::with_capacity(self.dialogs.len() + 1);
        let mut length = 0;
        for (dialog, times) in self.dialogs.iter().zip(times) {
            before.push(length);
            length += times * dialog.length;
            if *times > 0 {
                for (counter, count) in &dialog.counts {
                    counts[*counter] += times * count;
                }
            }
        }
        before.push(length);
        let layer = LayerSums {
            positions: vec![0; self.copies],
            by_copies: vec![0; self.copies + 1],
            ..LayerSums::default()
        };
        let mut sums = Sums {
            length,
            all: layer.clone(),
            labels: vec![layer; self.labels],
            ..Sums::default()
        };
        for (counter, count) in self.counters.iter().zip(counts) {
            if count > 0 {
                self.add(counter, count, &mut sums);
            }
        }
        for (label, sums) in sums.labels.iter_mut().enumerate() {
            let some: u64 = sums.by_copies.iter().sum();
            sums.by_copies[0] = length - some;
            for edges in &self.edges[label] {
                sums.gaps.extend(outer_gaps(edges, times, &before));
            }
        }
        sums
    }

    fn add<'c>(&'c self, counter: &'c Counter, count: u64, sums: &mut Sums<'c>) {
        fn layer<'s>(sums: &'s mut Sums<'_>, label: Option<usize>) -> &'s mut LayerSums {
            match label {
                Some(label) => &mut sums.labels[label],
                None => &mut sums.all,
            }
        }
        match counter {
            Counter::Pattern(sets) => {
                sums.patterns.push((sets, count));
                let mut labels: BTreeMap<usize, usize> = BTreeMap::new();
                for (copy, set) in sets.iter().enumerate() {
                    for label in &self.sets[*set] {
                        sums.labels[*label].positions[copy] += count;
                        *labels.entry(*label).or_default() += 1;
                    }
                }
                for (label, copies) in labels {
                    sums.labels[label].by_copies[copies] += count;
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
            Counter::Squares(label) => sums.labels[*label].squares += count,
            Counter::SharedSquares(label) => sums.labels[*label].shared_squares += count,
            Counter::Observed(label) => sums.labels[*label].observed += count,
            Counter::Length(label, length) => sums.labels[*label].lengths.push(Lengths {
                length: *length,
                times: count,
            }),
            Counter::Gap(label, length) => sums.labels[*label].gaps.push(Lengths {
                length: *length,
                times: count,
            }),
        }
    }
}

/// Returns the gaps that the edges of dialogs are in, for a label and a copy. `before` has the positions before each
/// dialog, and all.
fn outer_gaps(edges: &[DialogEdges], times: &[u64], before: &[u64]) -> Vec<Lengths> {
    let mut gaps = Vec::new();
    // The end of the last unit.
    let mut end = 0;
    for edges in edges.iter().filter(|edges| times[edges.dialog] > 0) {
        let of = |length| Lengths { length, times: 1 };
        gaps.push(of(before[edges.dialog] + edges.before - end));
        gaps.push(Lengths {
            length: edges.behind + edges.before,
            times: times[edges.dialog] - 1,
        });
        end = before[edges.dialog + 1] - edges.behind;
    }
    let all = before.last().copied().unwrap_or_default();
    gaps.push(Lengths {
        length: all - end,
        times: 1,
    });
    gaps
}
