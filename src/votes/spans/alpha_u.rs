//! Krippendorff's alpha for spans on a line, of 1995 and 2004, per label, with the squares of differences.
//!
//! Source: Krippendorff 2004, "Measuring the reliability of qualitative text analysis data", section 3.

use super::Unit;

/// A length of units or gaps, and how many have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    pub length: u64,
    pub times: u64,
}

/// Returns the sum of the squared differences between the units of two copies of a turn, both without overlaps and
/// ascending.
pub(super) fn observed(ones: &[Unit], others: &[Unit]) -> u64 {
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
pub(super) struct Gaps {
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
pub(super) struct Line<'l> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Krippendorff 2004, page 254: the categories c and k of two raters, from 150 to 450.
    #[test]
    fn disagreement_is_that_of_the_source() {
        let unit = |start: u64, length: u64| Unit {
            start: start - 150,
            end: start - 150 + length,
            label: 0,
        };
        let disagreement = |copies: [&[(u64, u64)]; 2]| {
            let copies = copies.map(|units| -> Vec<Unit> {
                units.iter().map(|(start, length)| unit(*start, *length)).collect()
            });
            let (mut lengths, mut gaps) = (Vec::new(), Gaps::new(80));
            for units in &copies {
                let mut end = 0;
                for unit in units {
                    lengths.push(Lengths { length: unit.length(), times: 1 });
                    gaps.add(unit.start - end, 1);
                    end = unit.end;
                }
                gaps.add(300 - end, 1);
            }
            let units = copies.iter().flatten();
            let marked: u64 = units.clone().map(|unit| unit.length()).sum();
            gaps.complete(units.count() as u64 + 2, 600 - marked);
            let line = Line {
                length: 300,
                copies: 2,
                observed: observed(&copies[0], &copies[1]),
                units: &lengths,
                gaps: &gaps,
            };
            line.disagreement()
        };
        let [c_observed, c_expected] =
            disagreement([&[(225, 70), (370, 30)], &[(220, 80), (355, 20), (400, 20)]]);
        let [k_observed, k_expected] =
            disagreement([&[(180, 60), (300, 50)], &[(180, 60), (300, 50)]]);
        let close = |found: f64, expected: f64, by: f64| {
            assert!((found - expected).abs() < by, "{found} {expected}");
        };
        close(c_observed, 0.014_444_4, 1e-7);
        close(c_expected, 0.053_221_8, 1e-7);
        close(k_observed, 0.0, 1e-12);
        let both = 1.0 - (c_observed + k_observed) / (c_expected + k_expected);
        close(both, 0.858_665_405_184, 1e-12);
    }
}
