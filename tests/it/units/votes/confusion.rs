//! Tests of `src/votes/confusion.rs`.

use Breakdown::{O, T, X};
use turnwise::dialog::Breakdown;
use turnwise::votes::*;

/// Of ten turns they agree on 3 + 1 + 2; rows have 4, 2, 4 turns, columns 4, 3, 3, so by chance
/// (16 + 6 + 12) / 100 would be the same.
#[test]
fn kappa_by_hand() {
    let mut confusion = Confusion::new(3);
    let pairs = [(O, O), (O, O), (O, O), (O, T), (T, T), (T, X), (X, X), (X, X), (X, O), (X, T)];
    for (first, second) in pairs {
        confusion.add(first as usize, second as usize);
    }
    assert_eq!(confusion.turns, [[3, 1, 0], [0, 1, 1], [1, 1, 2]]);
    assert_eq!((confusion.first(), confusion.second()), (vec![4, 2, 4], vec![4, 3, 3]));
    assert_eq!(confusion.agreement(), Ok(0.6));
    assert!((confusion.kappa().unwrap() - (0.6 - 0.34) / 0.66).abs() < 1e-12);
}

/// Of the ten turns above, three are one step apart and one is two; by chance, 9.4 steps and 15 squares of them.
#[test]
fn weighted_kappa_by_hand() {
    let mut confusion = Confusion::new(3);
    confusion.turns = vec![vec![3, 1, 0], vec![0, 1, 1], vec![1, 1, 2]];
    let apart = |one: usize, other: usize| one.abs_diff(other) as f64;
    let (linear, quadratic) =
        (confusion.weighted_kappa(apart), confusion.weighted_kappa(|a, b| apart(a, b).powi(2)));
    assert!((linear.unwrap() - (1.0 - 5.0 / 9.4)).abs() < 1e-12);
    assert!((quadratic.unwrap() - (1.0 - 7.0 / 15.0)).abs() < 1e-12);
    let mut one = Confusion::new(3);
    assert_eq!(one.weighted_kappa(apart), Err(UndefinedReason::NothingShared));
    one.add(1, 1);
    assert_eq!(one.weighted_kappa(apart), Err(UndefinedReason::OneLabel));
}
