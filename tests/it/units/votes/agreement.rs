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
