//! Matchings of two lists with the most weight: the algorithm of Kuhn 1955 and Munkres 1957 ("Hungarian").

use std::collections::BTreeMap;

use super::distinct;

/// A possible pair of two lists' elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeighedPair {
    pub one: usize,
    pub other: usize,
    /// Above 0.
    pub weight: f64,
}

/// Returns those of `pairs` that have the greatest weight together, each element being in one at most.
pub fn best_matching(pairs: &[WeighedPair]) -> Vec<WeighedPair> {
    let parts = parts(pairs).into_iter();
    let mut best: Vec<_> = parts.flat_map(|part| best_of_part(&part)).collect();
    best.sort_unstable_by_key(|pair| (pair.one, pair.other));
    best
}

/// Divides pairs into parts that have no element in common, because a matching takes time by the cube of their sizes.
fn parts(pairs: &[WeighedPair]) -> Vec<Vec<WeighedPair>> {
    let (ones, others) = pairs
        .iter()
        .fold((0, 0), |(ones, others), pair| (ones.max(pair.one + 1), others.max(pair.other + 1)));
    let mut heads: Vec<usize> = (0..ones + others).collect();
    for pair in pairs {
        let (one, other) = (head(&mut heads, pair.one), head(&mut heads, ones + pair.other));
        heads[one.max(other)] = one.min(other);
    }
    let mut parts: BTreeMap<usize, Vec<WeighedPair>> = BTreeMap::new();
    for pair in pairs {
        let head = head(&mut heads, pair.one);
        parts.entry(head).or_default().push(*pair);
    }
    parts.into_values().collect()
}

/// Returns the first element of the chain that `at` is in, and shortens it.
fn head(heads: &mut [usize], mut at: usize) -> usize {
    while heads[at] != at {
        heads[at] = heads[heads[at]];
        at = heads[at];
    }
    at
}

fn best_of_part(pairs: &[WeighedPair]) -> Vec<WeighedPair> {
    if let [pair] = pairs {
        return vec![*pair];
    }
    let ones = distinct(pairs.iter().map(|pair| pair.one));
    let others = distinct(pairs.iter().map(|pair| pair.other));
    let is_turned = ones.len() > others.len();
    let (rows, columns) =
        if is_turned { (others.len(), ones.len()) } else { (ones.len(), others.len()) };
    let mut weights = vec![0.0; rows * columns];
    let mut places = vec![None; rows * columns];
    for (number, pair) in pairs.iter().enumerate() {
        let one = ones.partition_point(|one| *one < pair.one);
        let other = others.partition_point(|other| *other < pair.other);
        let (row, column) = if is_turned { (other, one) } else { (one, other) };
        let place = row * columns + column;
        if pair.weight > weights[place] {
            weights[place] = pair.weight;
            places[place] = Some(number);
        }
    }
    let taken = assigned(rows, columns, &weights).into_iter().enumerate();
    let taken = taken.filter_map(|(row, column)| places[row * columns + column]);
    taken.map(|number| pairs[number]).collect()
}

/// Returns the column of each row, so that the weights are greatest together. There are at least as many columns as
/// rows. Rows are added one by one along the path that costs least, measured with a potential of each row and column.
fn assigned(rows: usize, columns: usize, weights: &[f64]) -> Vec<usize> {
    let mut row_potential = vec![0.0; rows];
    let mut column_potential = vec![0.0; columns];
    let mut row_of: Vec<Option<usize>> = vec![None; columns];
    for added in 0..rows {
        let mut cost = vec![f64::INFINITY; columns];
        let mut before: Vec<Option<usize>> = vec![None; columns];
        let mut is_done = vec![false; columns];
        // The column last reached; none for the added row itself.
        let mut last: Option<usize> = None;
        let mut row = added;
        let end = loop {
            let mut nearest: Option<usize> = None;
            for column in (0..columns).filter(|column| !is_done[*column]) {
                let potential = row_potential[row] + column_potential[column];
                let reduced = -weights[row * columns + column] - potential;
                if reduced < cost[column] {
                    cost[column] = reduced;
                    before[column] = last;
                }
                if nearest.is_none_or(|nearest| cost[column] < cost[nearest]) {
                    nearest = Some(column);
                }
            }
            let Some(nearest) = nearest else {
                break None;
            };
            let step = cost[nearest];
            row_potential[added] += step;
            for column in 0..columns {
                if is_done[column] {
                    if let Some(row) = row_of[column] {
                        row_potential[row] += step;
                    }
                    column_potential[column] -= step;
                } else {
                    cost[column] -= step;
                }
            }
            is_done[nearest] = true;
            match row_of[nearest] {
                Some(next) => (row, last) = (next, Some(nearest)),
                None => break Some(nearest),
            }
        };
        let mut column = end;
        while let Some(at) = column {
            column = before[at];
            row_of[at] = column.map_or(Some(added), |from| row_of[from]);
        }
    }
    let mut column_of = vec![0; rows];
    for (column, row) in row_of.into_iter().enumerate() {
        if let Some(row) = row {
            column_of[row] = column;
        }
    }
    column_of
}
