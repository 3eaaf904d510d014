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
fn fits_its_own_text_only() {
    let text = "one two";
    let patch = Patch::from(Splice::new(0..3, "1"));
    let inverse = patch.invert(text);
    assert!(patch.fits(text, &inverse) && inverse.fits("1 two", &patch));
    assert!(!patch.fits("two", &inverse) && !patch.fits("o", &inverse));
    assert!(!patch.fits(text, &Patch::default()));
}

#[test]
fn two_patches_of_a_text_lead_to_each_other() {
    let text = "[1, 2, 3]";
    let splices = [
        Splice::new(4..7, ""),
        Splice::new(8..8, ", 4"),
        Splice::new(1..4, ""),
        Splice::new(7..8, "33"),
        Splice::new(1..1, "0, "),
    ];
    let patches: Vec<_> = (0..32)
        .filter_map(|chosen| {
            let splices = splices.iter().enumerate();
            let splices = splices.filter(|(number, _)| chosen & 1 << number != 0);
            Patch::new(splices.map(|(_, splice)| splice.clone()).collect()).ok()
        })
        .collect();
    for one in &patches {
        for other in &patches {
            let [patch, inverse] = Patch::between(text, one, other);
            let (was, is) = (one.apply(text), other.apply(text));
            assert!(patch.fits(&was, &inverse) && inverse.fits(&is, &patch));
            assert_eq!((patch.apply(&was), inverse.apply(&is)), (is, was));
        }
    }
}

#[test]
fn refuses_overlaps() {
    let overlapping = vec![Splice::new(0..3, "a"), Splice::new(2..4, "b")];
    assert_eq!(Patch::new(overlapping), Err(Overlap));
}
