//! Krippendorff's family of coefficients for spans, of 2016: lengths instead of counts of agreement.
//!
//! Source: Krippendorff, Mathet, Bouvry and Widlöcher 2016, "On the reliability of unitizing textual continua: further
//! developments"; Krippendorff 2019, "Content Analysis", section 12.6.

use crate::votes::undefined::{Statistic, UndefinedReason};

/// Lengths with one value: a label, or a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Value {
    /// In all copies together, as far as they are compared.
    pub length: f64,
    /// The positions on which copies agree about it, counted for each ordered pair of them, by the number of others.
    pub agreed: f64,
    /// The pairs of a unit with itself, which cannot disagree: the squares of the lengths of its units; of gaps, the lengths.
    pub itself: f64,
}

/// The values of a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Coincidences(pub Vec<Value>);

impl Coincidences {
    fn sum(&self, of: impl Fn(&Value) -> f64) -> f64 {
        self.0.iter().map(of).sum()
    }

    /// Returns by what the product of two lengths is multiplied to be the expected coincidence.
    fn scale(&self) -> Statistic {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Sixty positions; the copies have 2..5 as one, one, two, and the second and the third 10..20 and 15..20 as two.
    #[test]
    fn alphas_by_hand() {
        let value = |length, agreed, itself| Value { length, agreed, itself };
        // Gaps: 57, 47 and 52; pairs of copies agree on 47, 52 and 47.
        let gaps = value(156.0, 146.0, 156.0);
        let one = value(6.0, 3.0, 18.0);
        let two = value(18.0, 5.0, 134.0);
        let all = Coincidences(vec![gaps, one, two]);
        assert_eq!(Some(all.sum(|value| value.agreed)), Some(154.0));
        assert!((all.scale().unwrap() * (156.0 * 156.0 - 156.0) - 135.62).abs() < 0.005);
        let found = all.alpha().unwrap();
        assert!((found - 0.398_298_142_379).abs() < 1e-12, "{found}");
        let units = value(24.0, 14.0, 152.0);
        let binary = Coincidences(vec![gaps, units]).alpha().unwrap();
        assert!((binary - 0.523_801_044_634).abs() < 1e-12, "{binary}");
    }

    #[test]
    fn without_units_there_is_a_reason() {
        let gaps = Value { length: 120.0, agreed: 120.0, itself: 120.0 };
        assert_eq!(Coincidences(vec![gaps]).alpha(), Err(UndefinedReason::OneValue));
        assert_eq!(Coincidences::default().alpha(), Err(UndefinedReason::NothingCompared));
    }
}
