//! Counts how often each number occurs: turns of dialogs, words of turns.
//!
//! Numbers from 10,000 on are counted by their first four digits, so that the size is bounded.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::page::{Bar, Plot, PlotKind};
use crate::text::grouped;

/// How often each number occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    counts: BTreeMap<u64, u64>,
    /// The exact sum of all numbers.
    sum: u64,
    /// The exact greatest number.
    greatest: u64,
}

/// The most bars of a plot.
const BARS: u64 = 24;

impl Histogram {
    /// Adds a number.
    pub fn add(&mut self, number: u64) {
        *self.counts.entry(rounded(number)).or_default() += 1;
        self.sum += number;
        self.greatest = self.greatest.max(number);
    }

    /// Adds all numbers of another part.
    pub fn join(&mut self, other: &Self) {
        for (number, count) in &other.counts {
            *self.counts.entry(*number).or_default() += count;
        }
        self.sum += other.sum;
        self.greatest = self.greatest.max(other.greatest);
    }

    /// Returns how many numbers there are.
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// Returns the mean; None without numbers.
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        (count > 0).then(|| self.sum as f64 / count as f64)
    }

    /// Returns the least number that at least `percent` of 100 numbers do not exceed; None without numbers.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        let rank = (self.count() * percent).div_ceil(100).max(1);
        let mut seen = 0;
        let reached = |(number, count): (&u64, &u64)| {
            seen += count;
            (seen >= rank).then_some(*number)
        };
        self.counts.iter().find_map(reached)
    }

    /// Returns the greatest number; None without numbers.
    pub fn greatest(&self) -> Option<u64> {
        (!self.counts.is_empty()).then_some(self.greatest)
    }

    /// Returns a plot of it in at most 24 bars of equal width; the last one holds all numbers beyond the 99th
    /// percentile, so that one long dialog does not squeeze all others. None without numbers.
    pub fn plot(&self, caption: impl Into<String>, of: &'static str) -> Option<Plot> {
        let (least, most) = (*self.counts.keys().next()?, self.greatest()?);
        let usual = self.percentile(99)?;
        let width = (usual - least + 1).div_ceil(BARS);
        let last = (usual - least) / width;
        let mut bars = vec![0; last as usize + 1];
        let mut beyond = 0;
        for (number, count) in &self.counts {
            match bars.get_mut(((number - least) / width) as usize) {
                Some(bar) => *bar += count,
                None => beyond += count,
            }
        }
        let label = |i: usize| {
            let start = least + i as u64 * width;
            let end = (start + width - 1).min(most);
            if start == end {
                grouped(start)
            } else {
                format!("{}–{}", grouped(start), grouped(end))
            }
        };
        let mut bars: Vec<_> =
            bars.iter().enumerate().map(|(i, count)| Bar::new(label(i), *count)).collect();
        if beyond > 0 {
            let start = least + (last + 1) * width;
            bars.push(Bar::new(format!("{} or more", grouped(start)), beyond));
        }
        Some(Plot {
            caption: caption.into(),
            kind: PlotKind::Columns,
            of,
            series: Vec::new(),
            bars,
        })
    }
}

fn rounded(number: u64) -> u64 {
    let mut unit = 1;
    while number / unit >= 10_000 {
        unit *= 10;
    }
    number / unit * unit
}
