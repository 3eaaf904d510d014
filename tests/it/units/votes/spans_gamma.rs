//! Tests of `src/votes/spans/gamma.rs`.

use turnwise::votes::spans::*;

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
