//! Tests of `src/query/typed.rs`.

use turnwise::query::*;

#[test]
fn condition_at_the_end_is_the_one_that_is_typed() {
    let last = |text| TypedCondition::last_of(text).map(|last| (last.key, last.value));
    assert_eq!(last("amc api:fi"), Some(("api", "fi".into())));
    assert_eq!(last("label:\"a b"), Some(("label", "a b".into())));
    assert_eq!(last("dialog(-label:a"), Some(("label", "a".into())));
    assert_eq!(last("label:\"a api:b"), Some(("label", "a api:b".into())));
    assert_eq!(last("label:a amc"), None);
    assert_eq!(last("label:a "), None);
    assert_eq!(last("amc"), None);
    let typed = TypedCondition::last_of("x -label:a").unwrap();
    assert_eq!(typed.replaced("x -label:a", "b c"), "x -label:\"b c\"");
}
