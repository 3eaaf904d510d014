//! Tests of `src/votes/spans/gamma.rs`.

use turnwise::votes::spans::*;
use turnwise::votes::*;

fn units(of: &[(u64, u64, usize)]) -> Vec<Unit> {
    let unit = |&(start, end, label): &(u64, u64, usize)| Unit { start, end, label };
    of.iter().map(unit).collect()
}

#[test]
fn the_best_alignment_has_the_disorder_of_pygamma() {
    let ones = units(&[(1, 5, 0), (6, 10, 1), (11, 15, 0)]);
    let others = units(&[(2, 6, 0), (7, 11, 1), (12, 16, 0)]);
    let best = Disorder::of(&ones, &others);
    assert_eq!(Some(best.mean()), Some(0.0625));
    // Far away, or of another label and not near, they are better alone.
    let far = Disorder::of(&units(&[(0, 2, 0)]), &units(&[(9, 11, 0)]));
    assert_eq!((far.cost, far.units), (2.0, 1.0));
    let alone = Disorder::of(&ones, &[]);
    assert_eq!((alone.cost, alone.units), (3.0, 1.5));
}

#[test]
fn gamma_is_one_if_copies_agree_and_low_by_chance() {
    let turn = |copies: [&[(u64, u64, usize)]; 2]| UnitTurn {
        length: 60,
        copies: copies.map(units).into(),
    };
    let table = |copies| UnitTable { copies: 2, labels: 2, dialogs: vec![vec![turn(copies)]; 20] };
    let (one, other) = ([(2, 9, 0), (20, 31, 1)], [(11, 18, 1), (40, 51, 0)]);
    let agreed = Gamma::of(&table([&one, &one]), 30, 1);
    assert_eq!((agreed.total(), agreed.standard_error()), (Ok(1.0), Some(0.0)));
    let apart = Gamma::of(&table([&one, &other]), 30, 1);
    assert!(apart.total().unwrap() < 0.1, "{apart:?}");
    let error = apart.standard_error().unwrap();
    assert!(error > 0.0 && error < 0.1);
    let again = Gamma::of(&table([&one, &other]), 30, 1);
    assert_eq!(apart.total(), again.total());
    let why = UndefinedReason::CopyWithoutSpans;
    assert_eq!(Gamma::of(&table([&one, &[]]), 30, 1).total(), Err(why));
}
