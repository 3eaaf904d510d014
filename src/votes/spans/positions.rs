//! The labels of each position, in each copy: of code points or tokens.

use super::{UnitTurn, distinct};

/// Positions of a turn that follow each other and have the same labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub start: u64,
    pub end: u64,
    /// For each copy, the different labels of its units there, ascending.
    pub labels: Vec<Vec<usize>>,
}

impl Stretch {
    pub fn length(&self) -> u64 {
        self.end - self.start
    }
}

/// Divides a turn at all edges of its units.
pub(super) fn stretches(turn: &UnitTurn) -> Vec<Stretch> {
    let units = turn.copies.iter().flatten();
    let edges = units.flat_map(|unit| [unit.start, unit.end]);
    let edges = distinct(edges.chain([0, turn.length]));
    let stretch = |edges: &[u64]| Stretch {
        start: edges[0],
        end: edges[1],
        labels: turn
            .copies
            .iter()
            .map(|units| {
                let over =
                    units.iter().filter(|unit| unit.start <= edges[0] && edges[1] <= unit.end);
                distinct(over.map(|unit| unit.label))
            })
            .collect(),
    };
    edges.windows(2).map(stretch).collect()
}
