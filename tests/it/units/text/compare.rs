//! Tests of `src/text/compare.rs`.

use turnwise::text::*;

#[test]
fn equal_parts_are_cut_unless_they_are_short() {
    let head = "世".repeat(30);
    let (one, other) = clipped(&format!("{head}one"), &format!("{head}two"));
    let kept = "世".repeat(24);
    assert_eq!((one, other), (format!("…{kept}one"), format!("…{kept}two")));
    assert_eq!(clipped("a", "ab"), ("a".to_owned(), "ab".to_owned()));
}
