//! Tests of `src/json/compose.rs`.

use proptest::prelude::*;

use turnwise::json::*;

/// Returns a patch of a text of `length` bytes, made of pairs of distances and texts.
fn patch_of(mut length: usize, parts: &[(usize, usize, String)]) -> (Patch, usize) {
    let (mut at, mut splices, old) = (0, Vec::new(), length);
    for (skip, remove, add) in parts {
        let start = at + skip;
        let end = start + remove;
        if end > old {
            break;
        }
        splices.push(Splice::new(start..end, add.as_str()));
        length = length + add.len() - remove;
        at = end;
    }
    (Patch::new(splices).unwrap(), length)
}

fn parts() -> impl Strategy<Value = Vec<(usize, usize, String)>> {
    prop::collection::vec((0..6usize, 0..4usize, "[a-c]{0,3}"), 0..6)
}

proptest! {
    #[test]
    fn one_patch_does_what_several_do(
        text in "[x-z]{0,30}",
        all in prop::collection::vec(parts(), 0..7),
    ) {
        let (mut length, mut patches) = (text.len(), Vec::new());
        let mut meant = text.clone();
        for parts in &all {
            let (patch, grown) = patch_of(length, parts);
            length = grown;
            meant = patch.apply(&meant);
            patches.push(patch);
        }
        let composed = Patch::composed(patches);
        prop_assert_eq!(composed.apply(&text), meant);
        let sorted = composed.splices().windows(2).all(|w| w[0].range.end <= w[1].range.start);
        prop_assert!(sorted);
    }
}
