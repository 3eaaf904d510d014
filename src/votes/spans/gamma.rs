//! Gamma: how far the best alignment of two copies' spans is from alignments by chance.
//!
//! Source: Mathet, Widlöcher and Métivier 2015, "The unified and holistic method gamma (γ) for inter-annotator agreement
//! measure and alignment". The spans of a dialog are aligned on one line; of two copies the best alignment is a
//! matching, and exact. By chance, both copies are one of the two, with all spans moved round the line by one random
//! distance. Disorders are pooled over dialogs.

use rayon::prelude::*;

use super::matching::{WeighedPair, best_matching};
use super::{Unit, UnitTable, UnitTurn};
use crate::votes::bootstrap::Random;
use crate::votes::undefined::{Statistic, UndefinedReason};

/// The cost of a span without a partner.
const ALONE: f64 = 1.0;

/// The cost of an alignment, and how many spans a copy has on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Disorder {
    pub cost: f64,
    pub units: f64,
}

/// The disorders of the dialogs of two copies.
#[derive(Clone, Debug)]
pub struct Gamma {
    dialogs: Vec<DialogDisorder>,
    has_units: [bool; 2],
    samples: usize,
}

#[derive(Clone, Debug)]
struct DialogDisorder {
    best: Disorder,
    by_chance: Vec<Disorder>,
}

impl Disorder {
    /// Returns the disorder of the best alignment.
    pub fn of(ones: &[Unit], others: &[Unit]) -> Self {
        let mut pairs = Vec::new();
        for (one, unit) in ones.iter().enumerate() {
            for (other, partner) in others.iter().enumerate() {
                let weight = 2.0 * ALONE - dissimilarity(*unit, *partner);
                if weight > 0.0 {
                    pairs.push(WeighedPair { one, other, weight });
                }
            }
        }
        let saved = best_matching(&pairs).into_iter().map(|pair| pair.weight);
        let units = (ones.len() + others.len()) as f64;
        Self { cost: units * ALONE - saved.sum::<f64>(), units: units / 2.0 }
    }

    fn add(&mut self, other: Self, times: u64) {
        self.cost += other.cost * times as f64;
        self.units += other.units * times as f64;
    }

    pub fn mean(self) -> f64 {
        self.cost / self.units
    }
}

/// Returns how unlike two spans are, by their edges and their labels; 0 if they are the same.
fn dissimilarity(one: Unit, other: Unit) -> f64 {
    let apart = one.distance(other) as f64 / (one.length() + other.length()) as f64;
    let label = if one.label == other.label { 0.0 } else { ALONE };
    apart.powi(2) * ALONE + label
}

impl Gamma {
    /// Aligns the spans of two copies, and as many times by chance as there are `samples`, which `seed` determines.
    pub fn of(table: &UnitTable, samples: u32, seed: u64) -> Self {
        let dialogs = table.dialogs.par_iter().enumerate();
        let dialogs = dialogs.map(|(number, turns)| {
            let copies = [0, 1].map(|copy| on_line(turns, copy));
            let length: u64 = turns.iter().map(|turn| turn.length).sum();
            let mut random = Random::new(seed ^ Random::new(number as u64).next());
            let by_chance = (0..samples).map(|_| {
                let [one, other] =
                    [0, 1].map(|_| moved(&copies[random.below(2)], length, &mut random));
                Disorder::of(&one, &other)
            });
            DialogDisorder {
                best: Disorder::of(&copies[0], &copies[1]),
                by_chance: by_chance.collect(),
            }
        });
        let units = |copy: usize| table.units(copy).iter().any(|units| *units > 0);
        Self {
            dialogs: dialogs.collect(),
            has_units: [units(0), units(1)],
            samples: samples as usize,
        }
    }

    /// Returns gamma of a draw that has each dialog this many times.
    ///
    /// # Errors
    /// If a copy has no spans, or chance gives no disorder.
    pub fn figure(&self, times: &[u64]) -> Statistic {
        let by_chance = self.by_chance(times);
        let mean = by_chance.iter().sum::<f64>() / by_chance.len() as f64;
        if self.has_units.contains(&false) {
            return Err(UndefinedReason::CopyWithoutSpans);
        }
        if mean > 0.0 {
            Ok(1.0 - self.best(times).mean() / mean)
        } else {
            Err(UndefinedReason::NothingCompared)
        }
    }

    /// Returns the disorder of the best alignment in a draw that has each dialog this many times.
    ///
    /// # Errors
    /// If no copy has spans.
    pub fn disorder(&self, times: &[u64]) -> Statistic {
        let best = self.best(times);
        if best.units > 0.0 { Ok(best.mean()) } else { Err(UndefinedReason::NothingCompared) }
    }

    /// Returns the standard error of gamma that comes from the samples; None if there are fewer than two.
    pub fn standard_error(&self) -> Option<f64> {
        let times = vec![1; self.dialogs.len()];
        let by_chance = self.by_chance(&times);
        let count = by_chance.len() as f64;
        let mean = by_chance.iter().sum::<f64>() / count;
        let squares: f64 = by_chance.iter().map(|value| (value - mean).powi(2)).sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        let error = error * self.best(&times).mean() / mean.powi(2);
        error.is_finite().then_some(error)
    }

    fn best(&self, times: &[u64]) -> Disorder {
        let mut best = Disorder::default();
        for (dialog, times) in self.dialogs.iter().zip(times) {
            best.add(dialog.best, *times);
        }
        best
    }

    /// Returns the disorder of each sample.
    fn by_chance(&self, times: &[u64]) -> Vec<f64> {
        let mut samples = vec![Disorder::default(); self.samples];
        for (dialog, times) in self.dialogs.iter().zip(times) {
            for (sum, sample) in samples.iter_mut().zip(&dialog.by_chance) {
                sum.add(*sample, *times);
            }
        }
        samples.into_iter().map(Disorder::mean).collect()
    }
}

/// Returns the units of a copy on the line of all turns.
fn on_line(turns: &[UnitTurn], copy: usize) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut before = 0;
    for turn in turns {
        units.extend(turn.copies[copy].iter().map(|unit| Unit {
            start: before + unit.start,
            end: before + unit.end,
            label: unit.label,
        }));
        before += turn.length;
    }
    units
}

/// Moves all units by one random distance; what begins behind the end goes to the start.
fn moved(units: &[Unit], length: u64, random: &mut Random) -> Vec<Unit> {
    let by = random.below(length.max(1) as usize) as u64;
    let moved = units.iter().map(|unit| {
        let start = (unit.start + by) % length.max(1);
        Unit { start, end: start + unit.length(), label: unit.label }
    });
    moved.collect()
}
