//! Compares lists: the elements that stay, and those between them that one list has and the other has not.

use std::collections::HashMap;
use std::hash::Hash;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Returns how `old` becomes `new`, as few changes as possible.
pub fn diff<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    of_numbers(Algorithm::Myers, numbered(old, new))
}

/// Returns how `old` becomes `new`, aligned by the elements that each list has once: rare words align texts better
/// than frequent ones such as "the" and "to".
pub fn diff_by_rare<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    of_numbers(Algorithm::Patience, numbered(old, new))
}

/// Compares numbers alone, because the algorithms would be compiled for each kind of element.
fn of_numbers(algorithm: Algorithm, [old, new]: [Vec<usize>; 2]) -> Vec<DiffOp> {
    capture_diff_slices(algorithm, &old, &new)
}

/// Returns a number for each element, the same for equal ones.
fn numbered<T: Eq + Hash>(old: &[T], new: &[T]) -> [Vec<usize>; 2] {
    let mut numbers = HashMap::new();
    [old, new].map(|list| {
        let mut all = Vec::with_capacity(list.len());
        for element in list {
            let next = numbers.len();
            all.push(*numbers.entry(element).or_insert(next));
        }
        all
    })
}
