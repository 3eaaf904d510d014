//! Krippendorff's family of coefficients for spans, of 2016: lengths instead of counts of agreement.
//!
//! Source: Krippendorff, Mathet, Bouvry and Widlöcher 2016, "On the reliability of unitizing textual continua: further
//! developments"; Krippendorff 2019, "Content Analysis", section 12.6.

use crate::votes::undefined::{Statistic, UndefinedReason};

/// Lengths with one value: a label, or a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Value {
    /// In all copies together, as far as they are compared.
    pub length: f64,
    /// The positions on which copies agree about it, counted for each ordered pair of them, by the number of others.
    pub agreed: f64,
    /// The pairs of a unit with itself, which cannot disagree: the squares of the lengths of its units; of gaps, the lengths.
    pub itself: f64,
}

/// The values of a line.
#[derive(Clone, Debug, Default)]
pub struct Coincidences(pub Vec<Value>);

impl Coincidences {
    pub fn sum(&self, of: impl Fn(&Value) -> f64) -> f64 {
        self.0.iter().map(of).sum()
    }

    /// Returns by what the product of two lengths is multiplied to be the expected coincidence.
    ///
    /// # Errors
    /// If there are not two positions to compare.
    pub fn scale(&self) -> Statistic {
        let all = self.sum(|value| value.length);
        let comparable = all * all - self.sum(|value| value.itself);
        if comparable > 0.0 { Ok(all / comparable) } else { Err(UndefinedReason::NothingCompared) }
    }

    /// Returns the agreement about all values.
    ///
    /// # Errors
    /// If there is nothing, or only one value.
    pub fn alpha(&self) -> Statistic {
        let scale = self.scale()?;
        let all = self.sum(|value| value.length);
        let same = |value: &Value| scale * (value.length * value.length - value.itself);
        let observed = all - self.sum(|value| value.agreed);
        let expected = all - self.sum(same);
        alpha(observed, expected, all)
    }

    /// Returns the agreement about one value, among those that have any.
    ///
    /// # Errors
    /// If nothing has it, or everything.
    pub fn alpha_of(&self, value: usize) -> Statistic {
        let scale = self.scale()?;
        let all = self.sum(|value| value.length);
        let value = self.0[value];
        if value.length == 0.0 {
            return Err(UndefinedReason::NothingCompared);
        }
        let expected = scale * (all * value.length - value.itself);
        let same = scale * (value.length * value.length - value.itself);
        let observed = (value.length - value.agreed) * expected / value.length;
        alpha(observed, expected - same, all)
    }
}

/// Returns 1 minus the share of the expected disagreement that is observed.
fn alpha(observed: f64, expected: f64, all: f64) -> Statistic {
    // Differences of large numbers are seldom exactly 0.
    if expected > all * 1e-12 {
        Ok(1.0 - observed / expected)
    } else {
        Err(UndefinedReason::OneValue)
    }
}
