//! Tests of `src/votes/annotator.rs`.

use turnwise::dialog::Breakdown::{O, T, X};
use turnwise::votes::*;

/// An O where the others vote OOT, an X where they vote OX, a T without others: 2/3 and 1/2 of the
/// others agree; their majorities are O and, in a tie, O.
#[test]
fn agreement_with_the_rest_by_hand() {
    let mut annotator = Annotator::default();
    assert_eq!(annotator.with_rest(), Err(UndefinedReason::NoVotes));
    annotator.add(T as usize, Tally::default());
    assert_eq!(annotator.with_rest(), Err(UndefinedReason::NobodyElse));
    annotator.add(O as usize, Tally { counts: [2, 1, 0] });
    annotator.add(X as usize, Tally { counts: [1, 0, 1] });
    assert_eq!(annotator.counts(3), [1, 1, 1]);
    let mean = f64::midpoint(2.0 / 3.0, 0.5);
    assert!((annotator.with_rest().unwrap() - mean).abs() < 1e-15);
    assert_eq!(annotator.with_majority(0.0), Ok(0.5));
    // With TXX by the others, X has two thirds: enough for a threshold of 0.6, but not of 0.9.
    annotator.add(X as usize, Tally { counts: [0, 1, 2] });
    let thirds = |of: u32| Ok(f64::from(of) / 3.0);
    assert_eq!(annotator.with_majority(0.6), thirds(2));
    assert_eq!(annotator.with_majority(0.9), thirds(1));
}
