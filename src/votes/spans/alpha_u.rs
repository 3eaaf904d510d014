//! Krippendorff's alpha for spans on a line, of 1995 and 2004, per label, with the squares of differences.
//!
//! Source: Krippendorff 2004, "Measuring the reliability of qualitative text analysis data", section 3.

use super::Unit;

/// A length of units or gaps, and how many have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    pub length: u64,
    pub times: u64,
}

/// Returns the sum of the squared differences between the units of two copies of a turn, both without overlaps and
/// ascending.
pub fn observed(ones: &[Unit], others: &[Unit]) -> u64 {
    let square = |length: u64| length * length;
    let alone = |of: &[Unit], among: &[Unit]| -> u64 {
        let alone = of.iter().filter(|unit| among.iter().all(|other| unit.shared(*other) == 0));
        alone.map(|unit| square(unit.length())).sum()
    };
    let pairs = ones.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
    let pairs = pairs.filter(|(one, other)| one.shared(**other) > 0);
    let differences: u64 = pairs
        .map(|(one, other)| {
            square(one.start.abs_diff(other.start)) + square(one.end.abs_diff(other.end))
        })
        .sum();
    differences + alone(ones, others) + alone(others, ones)
}

/// The gaps between units of a label.
#[derive(Clone, Debug, Default)]
pub struct Gaps {
    /// How many gaps have each length up to that of the longest unit.
    short: Vec<u64>,
    /// Of longer ones, the number and the sum are enough.
    long: u64,
    long_sum: u64,
}

impl Gaps {
    /// Returns no gaps, between units that are no longer than `longest`.
    pub fn new(longest: u64) -> Self {
        Self { short: vec![0; longest as usize + 1], ..Self::default() }
    }

    /// Adds gaps if they are short. [`Gaps::complete`] adds the others.
    pub fn add(&mut self, length: u64, times: u64) {
        if let Some(count) = self.short.get_mut(length as usize) {
            *count += times;
        }
    }

    /// Adds the long gaps, given how many gaps there are in all and their sum.
    pub fn complete(&mut self, count: u64, sum: u64) {
        self.long = count - self.short.iter().sum::<u64>();
        let short = self.short.iter().zip(0..).map(|(times, length)| times * length);
        self.long_sum = sum - short.sum::<u64>();
    }

    /// Returns the length from which on gaps are long.
    pub fn limit(&self) -> u64 {
        self.short.len() as u64
    }

    /// Returns the number of places that a unit of each length has in gaps.
    fn places(&self) -> Vec<f64> {
        let mut places = vec![0.0; self.short.len()];
        let (mut gaps, mut sum) = (self.long as f64, self.long_sum as f64);
        for length in (1..places.len()).rev() {
            gaps += self.short[length] as f64;
            sum += self.short[length] as f64 * length as f64;
            places[length] = sum - gaps * (length as f64 - 1.0);
        }
        places
    }
}

/// Units of a label, and the gaps between them, on a line of all turns.
#[derive(Clone, Copy, Debug)]
pub struct Line<'l> {
    /// The number of positions.
    pub length: u64,
    pub copies: usize,
    /// Those of [`observed`], summed over turns and pairs of copies.
    pub observed: u64,
    pub units: &'l [Lengths],
    pub gaps: &'l Gaps,
}

impl Line<'_> {
    /// Returns the observed and the expected disagreement.
    pub fn disagreement(&self) -> [f64; 2] {
        let (length, copies) = (self.length as f64, self.copies as f64);
        let observed = 2.0 * self.observed as f64 / (copies * (copies - 1.0) * length * length);
        let places = self.gaps.places();
        let count: u64 = self.units.iter().map(|units| units.times).sum();
        let (mut sum, mut own) = (0.0, 0.0);
        for units in self.units {
            let (l, times) = (units.length as f64, units.times as f64);
            let overlapping = (count as f64 - 1.0) * (2.0 * l.powi(3) - 3.0 * l.powi(2) + l) / 3.0;
            sum += times * (overlapping + l * l * places[units.length as usize]);
            own += times * l * (l - 1.0);
        }
        let all = copies * length;
        [observed, 2.0 / length * sum / (all * (all - 1.0) - own)]
    }
}
