//! Tests of `src/votes/tally.rs`.

use turnwise::dialog::Breakdown;
use turnwise::votes::*;

#[test]
fn majorities() {
    let tally = |counts| Tally { counts };
    assert_eq!(tally([8, 11, 11]).majority(), Some(Breakdown::T));
    assert_eq!(tally([8, 11, 11]).lenient_majority(), Some(LenientLabel::Breakdown));
    assert_eq!(tally([8, 11, 11]).tie(), Some(vec![Breakdown::T, Breakdown::X]));
    assert_eq!(tally([15, 10, 5]).lenient_majority(), Some(LenientLabel::O));
    assert_eq!(tally([1, 0, 0]).tie(), None);
    assert_eq!(tally([0, 0, 0]).majority(), None);
    assert_eq!(tally([0, 0, 0]).entropy(), None);
    assert_eq!(tally([5, 0, 5]).entropy(), Some(1.0));
    assert_eq!(tally([0, 7, 0]).entropy(), Some(0.0));
    assert!(tally([15, 10, 5]).lacks_absolute_majority());
    assert!(!tally([16, 9, 5]).lacks_absolute_majority());
}

#[test]
fn a_threshold_leaves_what_is_not_clear_to_o() {
    let tally = Tally { counts: [2, 3, 5] };
    assert_eq!(tally.strict(0.5), Some(Breakdown::X));
    assert_eq!(tally.strict(0.51), Some(Breakdown::O));
    assert_eq!(tally.lenient(0.8), Some(LenientLabel::Breakdown));
    assert_eq!(tally.lenient(0.81), Some(LenientLabel::O));
    // O also wins below the threshold, as the fallback.
    let tally = Tally { counts: [4, 3, 3] };
    assert_eq!(tally.strict(0.9), Some(Breakdown::O));
}

#[test]
fn a_tie_is_o_whatever_the_threshold() {
    let even = Tally { counts: [5, 3, 2] };
    let labels = [0.0, 0.5, 0.6].map(|threshold| even.lenient(threshold));
    assert_eq!(labels, [Some(LenientLabel::O); 3]);
}

/// Shares are summed as floating-point numbers and still never disagree with the votes.
#[test]
fn the_lenient_majority_is_that_of_the_votes() {
    for total in 1..=100 {
        for o in 0..=total {
            for t in 0..=total - o {
                let tally = Tally { counts: [o, t, total - o - t] };
                let expected =
                    if 2 * o >= total { LenientLabel::O } else { LenientLabel::Breakdown };
                assert_eq!(tally.lenient_majority(), Some(expected), "{tally:?}");
            }
        }
    }
}
