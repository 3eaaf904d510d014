//! Tests of `src/votes/tallies.rs`.

use turnwise::votes::*;

/// Turns with these numbers of votes for O, T and X.
pub fn tallies(counts: &[[u32; 3]]) -> Tallies {
    counts.iter().map(|counts| Tally { counts: *counts }).collect()
}

#[test]
fn turns_are_counted_and_those_without_votes_are_not() {
    let all = tallies(&[[2, 1, 0], [0, 0, 0], [1, 1, 1], [2, 1, 0], [0, 0, 4]]);
    assert_eq!((all.turns(), all.votes()), (4, 13));
    assert_eq!(all.categories(|_| true), [5, 3, 5]);
    assert_eq!(all.votes_a_turn(), Some((3, 4)));
    assert_eq!((all.ties(), all.without_absolute_majority()), (1, 1));
}

/// One turn in two halves has one bit, three thirds have log2 3, one label none.
#[test]
fn entropy_is_the_mean_of_the_turns() {
    let all = tallies(&[[1, 0, 1], [3, 3, 3], [5, 0, 0], [0, 5, 0]]);
    let expected = (1.0 + 3_f64.log2()) / 4.0;
    assert!((all.entropy().unwrap() - expected).abs() < 1e-15);
    assert_eq!(tallies(&[]).entropy(), Err(UndefinedReason::NoVotes));
    assert_eq!(tallies(&[]).votes_a_turn(), None);
}
