//! Tests of `src/format/mod.rs`.

use turnwise::format::*;

#[test]
fn names_are_unique_and_everything_is_documented() {
    let mut names: Vec<&str> = all().map(Family::name).collect();
    names.extend(all().flat_map(|family| &family.description().aliases).map(String::as_str));
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for format in all() {
        assert!(format.title().len() > 3 && format.holds().len() > 10, "{format:?}");
        assert!(format.schema().contains("2020-12"), "{format:?}");
        assert_eq!(named(format.name()).map(Family::name), Some(format.name()));
    }
}
