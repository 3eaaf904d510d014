//! Tests of `src/votes/counted.rs`.

use turnwise::votes::*;

#[test]
fn judgements_are_counted_by_category() {
    let of = |categories: &[usize]| -> CategoryCounts { categories.iter().copied().collect() };
    let all = of(&[7, 2, 7, 2, 9]);
    assert_eq!(all.counts().collect::<Vec<_>>(), [(2, 2), (7, 2), (9, 1)]);
    assert_eq!((all.total(), all.most()), (5, vec![2, 7]));
    assert!(all.lacks_absolute_majority() && !of(&[2, 2, 3]).lacks_absolute_majority());
    assert_eq!((all.share_of(7), all.share_of(3)), (Some(0.4), Some(0.0)));
    assert_eq!(all.agreeing_pairs(), Some(4.0 / 20.0));
    assert_eq!(of(&[1, 5]).entropy(), Some(1.0));
    let none = of(&[]);
    assert_eq!((none.entropy(), none.share_of(0)), (None, None));
    assert!(none.most().is_empty() && none.agreeing_pairs().is_none());
}
