//! Precision, recall and F1 of spans, one copy being the reference: strict, exact, partial, type.
//!
//! They are those of `MUC-5` (Chinchor and Sundheim 1993) as the Python package `nervaluate` counts them: the spans of a
//! turn take partners one after the other, in the order of the file. So where a span overlaps several of the other copy,
//! the figures may depend on that order, and on which copy is the reference.

use super::Unit;
use crate::votes::undefined::{Statistic, UndefinedReason, ratio};

/// When a span of one copy counts as the same as one of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// The same edges and the same label.
    Strict,
    /// The same edges.
    Exact,
    /// The same edges, or half if they overlap.
    Partial,
    /// The same label, if they overlap.
    Type,
}

impl Scheme {
    pub const ALL: [Self; 4] = [Self::Strict, Self::Exact, Self::Partial, Self::Type];

    /// Compares the spans of a turn with those of the reference.
    pub fn hits(self, reference: &[Unit], units: &[Unit]) -> Hits {
        let mut is_free = vec![true; reference.len()];
        let mut hits =
            Hits { there: reference.len() as u64, found: units.len() as u64, ..Hits::default() };
        for unit in units {
            let free = || (0..reference.len()).filter(|at| is_free[*at]);
            let same = free().filter(|at| self.is_same(reference[*at], *unit));
            // Of equally near ones the first.
            let same = same.min_by_key(|at| reference[*at].distance(*unit));
            let partner = same.or_else(|| free().find(|at| is_near(reference[*at], *unit)));
            if let Some(partner) = partner {
                is_free[partner] = false;
                hits.halves += match (same, self) {
                    (Some(_), _) => 2,
                    (None, Self::Partial) => 1,
                    (None, _) => 0,
                };
            }
        }
        hits
    }

    fn is_same(self, reference: Unit, unit: Unit) -> bool {
        let has_edges = (reference.start, reference.end) == (unit.start, unit.end);
        let has_label = reference.label == unit.label;
        match self {
            Self::Strict => has_edges && has_label,
            Self::Exact | Self::Partial => has_edges,
            Self::Type => has_label && is_near(reference, unit),
        }
    }
}

/// True if a span covers at least one percent of the reference.
fn is_near(reference: Unit, unit: Unit) -> bool {
    let shared = reference.shared(unit);
    shared > 0 && shared as f64 / reference.length() as f64 * 100.0 >= 1.0
}

/// How many spans of a copy the reference has, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Spans of the reference.
    pub there: u64,
    /// Spans of the other copy.
    pub found: u64,
    /// Twice the number of those that are the same, and once that of those which are half the same.
    pub halves: u64,
}

impl Hits {
    /// Returns the share of the other copy's spans that the reference has.
    ///
    /// # Errors
    /// If the other copy has no span.
    pub fn precision(self) -> Statistic {
        self.share(self.found)
    }

    /// Returns the share of the reference's spans that the other copy has.
    ///
    /// # Errors
    /// If the reference has no span.
    pub fn recall(self) -> Statistic {
        self.share(self.there)
    }

    /// Returns the harmonic mean of both; 0 if only one copy has spans.
    ///
    /// # Errors
    /// If none has.
    pub fn f1(self) -> Statistic {
        ratio(self.halves as f64, self.there + self.found, UndefinedReason::NothingCompared)
    }

    fn share(self, of: u64) -> Statistic {
        ratio(self.halves as f64 / 2.0, of, UndefinedReason::CopyWithoutSpans)
    }
}
