//! Tests of `src/votes/spans/u_alpha.rs`.

use turnwise::votes::spans::u_alpha::*;
use turnwise::votes::*;

/// Sixty positions; the copies have 2..5 as one, one, two, and the second and the third 10..20 and 15..20 as two.
#[test]
fn alphas_by_hand() {
    let value = |length, agreed, itself| Value { length, agreed, itself };
    // Gaps: 57, 47 and 52; pairs of copies agree on 47, 52 and 47.
    let gaps = value(156.0, 146.0, 156.0);
    let one = value(6.0, 3.0, 18.0);
    let two = value(18.0, 5.0, 134.0);
    let all = Coincidences(vec![gaps, one, two]);
    assert_eq!(Some(all.sum(|value| value.agreed)), Some(154.0));
    assert!((all.scale().unwrap() * (156.0 * 156.0 - 156.0) - 135.62).abs() < 0.005);
    let found = all.alpha().unwrap();
    assert!((found - 0.398_298_142_379).abs() < 1e-12, "{found}");
    let units = value(24.0, 14.0, 152.0);
    let binary = Coincidences(vec![gaps, units]).alpha().unwrap();
    assert!((binary - 0.523_801_044_634).abs() < 1e-12, "{binary}");
}

#[test]
fn without_units_there_is_a_reason() {
    let gaps = Value { length: 120.0, agreed: 120.0, itself: 120.0 };
    assert_eq!(Coincidences(vec![gaps]).alpha(), Err(UndefinedReason::OneValue));
    assert_eq!(Coincidences::default().alpha(), Err(UndefinedReason::NothingCompared));
}
