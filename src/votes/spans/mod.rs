//! Agreement of copies about spans: which parts of the turns are marked, and with which labels.
//!
//! A [`UnitTable`] has the spans of each copy, here called units. What can be added up over dialogs is counted once for
//! each of them, in [`UnitCounts`], so that the [`figures`](UnitCounts::figures) of a draw of dialogs take a sum:
//! hits (`hits`), labels by position (`positions`), labels of matched spans, and the lengths that Krippendorff's
//! coefficients for spans need (`u_alpha`). [`Gamma`] aligns spans of two copies.
//!
//! Spans are compared turn by turn.

mod counts;
mod figures;
mod gamma;
mod hits;
mod matching;
mod positions;
pub mod u_alpha;

pub use counts::UnitCounts;
pub use figures::SpanFigures;
pub use gamma::{Disorder, Gamma};
pub use hits::{Hits, Scheme};
pub use matching::{WeighedPair, best_matching};

/// A span with a label, as a copy has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    /// The first position, in code points or tokens.
    pub start: u64,
    /// The position behind the last one, above `start`.
    pub end: u64,
    /// The number of its label, from 0.
    pub label: usize,
}

impl Unit {
    /// Returns the number of its positions, at least 1.
    pub fn length(self) -> u64 {
        self.end - self.start
    }

    /// Returns the number of positions that both have.
    pub fn shared(self, other: Self) -> u64 {
        let end = self.end.min(other.end);
        end.saturating_sub(self.start.max(other.start))
    }

    /// Returns how far apart the starts and the ends are, both together.
    fn distance(self, other: Self) -> u64 {
        self.start.abs_diff(other.start) + self.end.abs_diff(other.end)
    }
}

/// A turn with the units of each copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitTurn {
    /// The number of positions in its text.
    pub length: u64,
    /// For each copy, its units in the order of the file.
    pub copies: Vec<Vec<Unit>>,
}

impl UnitTurn {
    /// Returns the units of a copy with a label, ascending. Those that overlap are one: the figures that are computed
    /// from positions and lengths have no overlaps within a copy.
    fn joined(&self, copy: usize, label: usize) -> Vec<Unit> {
        let own = self.copies[copy].iter().copied();
        let mut units: Vec<Unit> = own.filter(|unit| unit.label == label).collect();
        units.sort_unstable();
        units.dedup_by(|next, before| {
            let is_one = next.start < before.end;
            if is_one {
                before.end = before.end.max(next.end);
            }
            is_one
        });
        units
    }

    /// Returns the labels in use, ascending.
    fn labels(&self) -> Vec<usize> {
        let units = self.copies.iter().flatten();
        distinct(units.map(|unit| unit.label))
    }
}

/// Returns each of the values once, ascending.
pub fn distinct<T: Ord>(of: impl Iterator<Item = T>) -> Vec<T> {
    let mut of: Vec<_> = of.collect();
    of.sort_unstable();
    of.dedup();
    of
}

/// The spans of copies of the same dialogs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitTable {
    pub copies: usize,
    /// The number of labels.
    pub labels: usize,
    pub dialogs: Vec<Vec<UnitTurn>>,
}

impl UnitTable {
    /// Returns the table of some of the copies, in this order.
    #[must_use]
    pub fn of_copies(&self, copies: &[usize]) -> Self {
        let turn = |turn: &UnitTurn| UnitTurn {
            length: turn.length,
            copies: copies.iter().map(|copy| turn.copies[*copy].clone()).collect(),
        };
        let dialogs = self.dialogs.iter();
        Self {
            copies: copies.len(),
            labels: self.labels,
            dialogs: dialogs.map(|turns| turns.iter().map(turn).collect()).collect(),
        }
    }

    /// Returns the number of units that a copy has, by label.
    pub fn units(&self, copy: usize) -> Vec<u64> {
        let mut units = vec![0; self.labels];
        for unit in self.dialogs.iter().flatten().flat_map(|t| &t.copies[copy]) {
            units[unit.label] += 1;
        }
        units
    }
}
