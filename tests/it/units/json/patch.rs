//! Tests of `src/json/patch.rs`.

use turnwise::json::*;

#[test]
fn applies_and_inverts() {
    let text = "one two three";
    let patch = Patch::new(vec![
        Splice::new(8..13, "3"),
        Splice::new(0..0, "zero "),
        Splice::new(3..4, ""),
        Splice::new(0..0, "half "),
    ]);
    let patch = patch.expect("disjoint");
    let changed = patch.apply(text);
    assert_eq!(changed, "zero half onetwo 3");
    assert_eq!(patch.invert(text).apply(&changed), text);
}

#[test]
fn refuses_overlaps() {
    let overlapping = vec![Splice::new(0..3, "a"), Splice::new(2..4, "b")];
    assert_eq!(Patch::new(overlapping), Err(Overlap));
}
