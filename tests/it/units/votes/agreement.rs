//! Tests of `src/votes/agreement.rs`.

use super::tallies::tallies;
use turnwise::votes::*;

fn close(a: Statistic, b: f64) {
    assert!((a.unwrap() - b).abs() < 1e-12, "{a:?} {b}");
}

/// Three turns of three votes. Pairs that agree: OOO all, OOT one of three, OTX none, so 4/9 of
/// the pairs do. O, T, X have 6, 2, 1 of the 9 votes, so by chance 41/81 would.
#[test]
fn kappa_by_hand() {
    let all = tallies(&[[3, 0, 0], [2, 1, 0], [1, 1, 1]]);
    close(all.agreement(), 4.0 / 9.0);
    let chance = (36.0 + 4.0 + 1.0) / 81.0;
    close(all.fleiss_kappa(), (4.0 / 9.0 - chance) / (1.0 - chance));
}

/// Two turns of two votes and one of three: OO, OX, OTX; one of one, X, which does not count.
///
/// Disagreeing pairs: on OX one of one, on OTX each of three, halved for its three votes:
/// OT 1/2, OX 1 + 1/2, TX 1/2. O, T, X have 4, 1, 2 of the 7 votes that count.
/// Nominal: observed 2.5, expected 4·1 + 4·2 + 1·2 = 14; 1 − 6·2.5/14.
/// Ordinal distances: OT 5 − 2.5, TX 3 − 1.5, OX 7 − 3, squared 6.25, 2.25, 16; observed
/// 3.125 + 24 + 1.125 = 28.25, expected 25 + 128 + 4.5 = 157.5.
#[test]
fn alpha_by_hand() {
    let all = tallies(&[[2, 0, 0], [1, 0, 1], [1, 1, 1], [0, 0, 1]]);
    close(all.alpha(&Distances::Nominal), 1.0 - 6.0 * 2.5 / 14.0);
    close(all.alpha(&Distances::Ordinal), 1.0 - 6.0 * 28.25 / 157.5);
    assert_eq!(all.fleiss_kappa(), Err(UndefinedReason::UnequalVotes { fewest: 1, most: 3 }));
}

#[test]
fn perfect_agreement_is_one() {
    let all = tallies(&[[5, 0, 0], [0, 5, 0], [0, 0, 5], [0, 0, 5]]);
    for statistic in [
        all.agreement(),
        all.fleiss_kappa(),
        all.alpha(&Distances::Nominal),
        all.alpha(&Distances::Ordinal),
    ] {
        assert_eq!(statistic, Ok(1.0));
    }
}

#[test]
fn an_undefined_figure_has_its_reason() {
    let every = |all: &Tallies| {
        [
            all.agreement(),
            all.fleiss_kappa(),
            all.alpha(&Distances::Nominal),
            all.alpha(&Distances::Ordinal),
        ]
    };
    assert_eq!(every(&tallies(&[])), [Err(UndefinedReason::NoVotes); 4]);
    let single = tallies(&[[1, 0, 0], [0, 0, 1]]);
    assert_eq!(every(&single), [Err(UndefinedReason::NoPairs); 4]);
    let [agreement, rest @ ..] = every(&tallies(&[[3, 0, 0], [3, 0, 0]]));
    assert_eq!(agreement, Ok(1.0));
    assert_eq!(rest, [Err(UndefinedReason::OneLabel); 3]);
}
