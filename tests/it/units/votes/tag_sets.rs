//! Tests of `src/votes/tag_sets.rs`.

use std::collections::BTreeSet;
use turnwise::votes::*;

#[test]
fn sets_with_common_tags_are_close() {
    let set = |tags: &str| tags.split_whitespace().map(str::to_owned).collect();
    let sets: Vec<BTreeSet<String>> = ["a b", "a", "a c", "d", ""].map(set).into();
    let jaccard = SetDistance::Jaccard.closeness(&sets);
    assert_eq!(jaccard[1], [(0, 0.5)]);
    assert_eq!(jaccard[2], [(0, 1.0 / 3.0), (1, 0.5)]);
    assert!(jaccard[3].is_empty() && jaccard[4].is_empty());
    let masi = SetDistance::Masi.closeness(&sets);
    assert_eq!(masi[1], [(0, 1.0 / 3.0)]);
    assert_eq!(masi[2], [(0, 1.0 / 9.0), (1, 1.0 / 3.0)]);
}
