//! Tests of `src/export/mod.rs`.

use turnwise::export::*;

#[test]
fn names_are_unique_and_everything_is_documented() {
    let mut names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
    names.push(labels::NAME);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FORMATS.len() + 1);
    for format in FORMATS {
        assert!(format.writes.len() > 10, "{}", format.name);
        assert!(named(format.name).is_some());
    }
}
