//! Tests of `src/export/split.rs`.

use turnwise::export::*;

#[test]
fn shares_are_kept_and_parts_never_change() {
    let split: Split = "train=0.8,dev=0.1,test=0.1".parse().unwrap();
    assert_eq!(split.names(), ["train", "dev", "test"]);
    let part = |seed, number: u32| split.part_of(&format!("dlg-{number}"), "", seed);
    let train = (0..10_000).filter(|n| part(1, *n) == "train").count();
    assert!((7_800..8_200).contains(&train), "{train}");
    assert!((0..100).any(|n| part(1, n) != part(2, n)));
    // These must stay as they are: people compare results on the same parts.
    let first: Vec<_> = (0..12).map(|n| part(0, n)).collect();
    let parts = "train train train train train train train train train train test train";
    assert_eq!(first.join(" "), parts);
    assert_eq!(split.part_of("", "{}", 0), split.part_of("", "{}", 0));
}

#[test]
fn a_share_of_nothing_gets_nothing() {
    let split: Split = "none=0,all=1".parse().unwrap();
    assert!((0..1000).all(|n| split.part_of(&n.to_string(), "", 7) == "all"));
}

#[test]
fn mistakes_have_their_reason() {
    let why = |text: &str| text.parse::<Split>().unwrap_err().to_string();
    assert_eq!(why("train"), "`train` is not a valid part; write NAME=SHARE, such as train=0.8");
    assert!(why("train=x").starts_with("`train=x` is not a valid part"));
    assert!(why("train=-0.5,b=1.5").starts_with("`train=-0.5`"));
    assert!(why("a=NaN").starts_with("`a=NaN`"));
    assert!(why("../x=1").contains("cannot be the name of a part"));
    assert_eq!(why("a=0.5,A=0.5"), "the part `A` is named twice");
    assert_eq!(why("a=0.5,b=0.4"), "the shares add up to 0.900, not to 1");
}
