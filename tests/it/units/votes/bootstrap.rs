//! Tests of `src/votes/bootstrap.rs`.

use turnwise::votes::*;

const BOOTSTRAP: Bootstrap = Bootstrap { draws: 1000, seed: 1 };

#[test]
fn undefined_draws_are_counted_and_left_out() {
    // Of two dialogs, a quarter of the draws have only the first, and another quarter only the second.
    let figure = |times: &[u64]| match times {
        [0, _] => Err(UndefinedReason::NoVotes),
        [_, 0] => Ok(1.0),
        _ => Ok(0.5),
    };
    let all = BOOTSTRAP.intervals(2, |times| vec![figure(times), Ok(3.0)]);
    assert!((200..300).contains(&all[0].undefined), "{all:?}");
    assert_eq!(all[0].bounds, Some([0.5, 1.0]));
    assert_eq!((all[1].bounds, all[1].undefined), (Some([3.0; 2]), 0));
    let never = BOOTSTRAP.intervals(2, |_| vec![Err(UndefinedReason::NoVotes)]);
    assert_eq!((never[0].bounds, never[0].undefined), (None, 1000));
}

#[test]
fn percentiles_are_interpolated() {
    let sorted = [1.0, 2.0, 3.0, 4.0, 5.0];
    assert!((percentile(&sorted, 0.025) - 1.1).abs() < 1e-12);
    assert!((percentile(&sorted, 0.975) - 4.9).abs() < 1e-12);
    assert!((percentile(&[7.0], 0.975) - 7.0).abs() < 1e-12);
}
