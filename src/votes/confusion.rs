//! Compares two annotators on the turns that both judged.
//!
//! Cohen's kappa is that of Cohen 1960, "A coefficient of agreement for nominal scales"; weighted kappa that of Cohen 1968,
//! "Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit".

use super::undefined::{Statistic, UndefinedReason};

/// The number of turns, or of other items, with each pair of categories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    /// A row for each category of the first annotator, a column for each category of the second.
    pub turns: Vec<Vec<u64>>,
    /// Turns left out because an annotator judged them several times.
    pub left_out: u64,
}

impl Confusion {
    /// Returns the confusion of this number of categories, without turns.
    pub fn new(categories: usize) -> Self {
        Self { turns: vec![vec![0; categories]; categories], left_out: 0 }
    }

    /// Adds a turn with the categories of both.
    pub fn add(&mut self, first: usize, second: usize) {
        self.turns[first][second] += 1;
    }

    /// Returns the number of turns that both judged, without those left out.
    pub fn total(&self) -> u64 {
        self.first().iter().sum()
    }

    /// Numbers of turns by the category of the first annotator.
    pub fn first(&self) -> Vec<u64> {
        self.turns.iter().map(|row| row.iter().sum()).collect()
    }

    /// Numbers of turns by the category of the second annotator.
    pub fn second(&self) -> Vec<u64> {
        let mut sums = vec![0; self.turns.len()];
        for row in &self.turns {
            for (sum, count) in sums.iter_mut().zip(row) {
                *sum += count;
            }
        }
        sums
    }

    /// Returns the share of the turns on which they agree.
    ///
    /// # Errors
    /// If they have no turn in common.
    pub fn agreement(&self) -> Statistic {
        Ok(self.agreed() as f64 / self.some()?)
    }

    /// Returns the number of turns on which they agree.
    pub fn agreed(&self) -> u64 {
        (0..self.turns.len()).map(|i| self.turns[i][i]).sum()
    }

    /// Cohen's kappa: agreement beyond chance, given how often each of them votes for each category.
    ///
    /// # Errors
    /// If they have no turn in common, or both give the same single label to all of them.
    pub fn kappa(&self) -> Statistic {
        let total = self.some()?;
        let observed = self.agreement()?;
        let products = self.first().into_iter().zip(self.second());
        let expected: f64 =
            products.map(|(first, second)| first as f64 / total * (second as f64 / total)).sum();
        if expected >= 1.0 {
            return Err(UndefinedReason::OneAnswer);
        }
        Ok((observed - expected) / (1.0 - expected))
    }

    /// Weighted kappa: how much smaller their disagreement is than by chance, where `weight` says how much two categories
    /// disagree, 0 for a category and itself.
    ///
    /// # Errors
    /// As those of [`Self::kappa`].
    pub fn weighted_kappa(&self, weight: impl Fn(usize, usize) -> f64) -> Statistic {
        let total = self.some()?;
        let (first, second) = (self.first(), self.second());
        let (mut observed, mut expected) = (0.0, 0.0);
        for (one, row) in self.turns.iter().enumerate() {
            for (other, count) in row.iter().enumerate() {
                let weight = weight(one, other);
                observed += weight * *count as f64;
                expected += weight * first[one] as f64 * second[other] as f64;
            }
        }
        expected /= total;
        if expected <= 0.0 {
            return Err(UndefinedReason::OneAnswer);
        }
        Ok(1.0 - observed / expected)
    }

    fn some(&self) -> Statistic {
        match self.total() {
            0 => Err(UndefinedReason::NothingShared),
            total => Ok(total as f64),
        }
    }
}
