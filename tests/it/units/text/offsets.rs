//! Tests of `src/text/offsets.rs`.

use turnwise::text::*;

#[test]
fn counts_code_points() {
    let text = "aé世👨‍👩‍👧e\u{301}";
    assert_eq!(count(text), 10);
    assert_eq!(slice(text, 2, 3), Some("世"));
    assert_eq!(slice(text, 3, 8), Some("👨‍👩‍👧"));
    assert_eq!(slice(text, 10, 10), Some(""));
    assert_eq!(slice(text, 4, 11), None);
    assert_eq!(slice(text, 5, 4), None);
    assert_eq!(byte_of("abc", 3), Some(3));
    assert_eq!(byte_of("abc", 4), None);
    assert_eq!(byte_of("é", 2), None);
}

#[test]
fn counts_utf16() {
    let text = "aé👍b";
    let places: Vec<_> = (0..7).map(|at| byte_of_utf16(text, at)).collect();
    assert_eq!(places, [Some(0), Some(1), Some(3), None, Some(7), Some(8), None]);
}
