//! Tests of `src/votes/set_table.rs`.

use std::collections::BTreeSet;
use turnwise::votes::*;

fn set(of: &str) -> BTreeSet<String> {
    of.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn sets_are_compared_as_wholes_and_by_their_parts() {
    let mut table = SetTable::new(2, 2);
    for (dialog, one, other) in [(0, "a b", "a b"), (0, "a", "a c"), (1, "b", "c"), (1, "", "")] {
        table.add(dialog, vec![set(one), set(other)]);
    }
    let counts = table.counts(&[0, 1]);
    assert_eq!((counts.turns(), counts.dialogs()), (3, 2));
    let value = |times: &[u64], number: usize| counts.figures(times)[number].value;
    assert_eq!(value(&[1, 1], 0), Ok(1.0 / 3.0));
    assert_eq!(value(&[1, 1], 1), Ok(1.5 / 3.0));
    assert_eq!(value(&[1, 1], 2), Ok((1.0 + 1.0 / 3.0) / 3.0));
    assert_eq!(value(&[2, 0], 0), Ok(0.5));
    assert_eq!(value(&[0, 0], 0), Err(UndefinedReason::NothingCompared));
    let names = counts.total().into_iter().map(|figure| figure.name);
    let expected = ["exact", "jaccard", "masi", "alpha_nominal", "alpha_jaccard", "alpha_masi"];
    assert_eq!(names.collect::<Vec<_>>(), expected);
}

#[test]
fn texts_are_the_same_only_to_the_letter() {
    let texts = DialogTexts { same: 1, other: vec![["a b".into(), "b a".into()]] };
    let counts = SetCounts::of_texts(&[texts], set);
    let values: Vec<_> = counts.total().into_iter().map(|figure| figure.value).collect();
    assert_eq!(values, [Ok(0.5), Ok(1.0), Ok(1.0)]);
}
