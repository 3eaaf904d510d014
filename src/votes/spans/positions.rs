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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::votes::spans::Unit;

    #[test]
    fn a_turn_is_divided_at_edges() {
        let unit = |start, end, label| Unit { start, end, label };
        let turn = UnitTurn {
            length: 9,
            copies: vec![vec![unit(2, 5, 1), unit(4, 6, 0)], vec![unit(0, 2, 1)]],
        };
        let found = stretches(&turn).into_iter();
        let found: Vec<_> = found.map(|s| (s.start, s.end, s.labels)).collect();
        let expected = [
            (0, 2, vec![vec![], vec![1]]),
            (2, 4, vec![vec![1], vec![]]),
            (4, 5, vec![vec![0, 1], vec![]]),
            (5, 6, vec![vec![0], vec![]]),
            (6, 9, vec![vec![], vec![]]),
        ];
        assert_eq!(found, expected);
    }
}
