//! The challenge's measures for one label and for one turn.

use super::undefined::{Statistic, UndefinedReason, ratio};

/// Which labels count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelGrouping {
    /// O, T, X.
    Each,
    /// O, T+X.
    Breakdowns,
    /// O+T, X.
    NoBreakdowns,
}

impl LabelGrouping {
    pub const ALL: [Self; 3] = [Self::Each, Self::Breakdowns, Self::NoBreakdowns];

    /// Returns the name as the challenge writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Each => "O,T,X",
            Self::Breakdowns => "O,T+X",
            Self::NoBreakdowns => "O+T,X",
        }
    }

    /// Returns the probabilities of the groups, given those of O, T and X.
    pub fn of(self, [o, t, x]: [f64; 3]) -> Vec<f64> {
        match self {
            Self::Each => vec![o, t, x],
            Self::Breakdowns => vec![o, t + x],
            Self::NoBreakdowns => vec![o + t, x],
        }
    }
}

/// How often a detector found the target labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HitCounts {
    /// Turns with the label, according to both the votes and the detector.
    pub hits: u64,
    /// Turns to which the detector gave the label.
    pub detected: u64,
    /// Turns that have the label according to the votes.
    pub there: u64,
}

impl HitCounts {
    /// Returns the share, among the turns to which the detector gave the label, of those that have it.
    ///
    /// # Errors
    /// If the detector gave the label to no turn.
    pub fn precision(self) -> Statistic {
        ratio(self.hits as f64, self.detected, UndefinedReason::NoneDetected)
    }

    /// Returns the share, among the turns that have the label, of those to which the detector gave it.
    ///
    /// # Errors
    /// If no turn has the label.
    pub fn recall(self) -> Statistic {
        ratio(self.hits as f64, self.there, UndefinedReason::NoneThere)
    }

    /// Returns the harmonic mean of precision and recall; 0 without a hit. As 2h / (d + t) it is that of the challenge's
    /// script but for the last bits.
    ///
    /// # Errors
    /// If no turn has the label and the detector gave it to none.
    pub fn f_measure(self) -> Statistic {
        let hits = 2.0 * self.hits as f64;
        ratio(hits, self.detected + self.there, UndefinedReason::NoneThere)
    }
}

/// Jensen-Shannon divergence in bits: the mean of the Kullback-Leibler divergences of both from their
/// midpoint.
pub(super) fn jensen_shannon(p: &[f64], q: &[f64]) -> f64 {
    let terms = p.iter().zip(q).map(|(p, q)| {
        let between = f64::midpoint(*p, *q);
        let term = |of: f64| {
            if of > 0.0 { of * (of / between).log2() } else { 0.0 }
        };
        term(*p) + term(*q)
    });
    terms.sum::<f64>() / 2.0
}

/// Mean squared error over the labels.
pub(super) fn squared_error(p: &[f64], q: &[f64]) -> f64 {
    let squares = p.iter().zip(q).map(|(p, q)| (p - q).powi(2));
    squares.sum::<f64>() / p.len() as f64
}
