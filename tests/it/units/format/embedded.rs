//! Tests of `src/format/embedded.rs`.

use turnwise::format::embedded::*;

#[test]
fn broken_json_has_its_error() {
    let good = arguments(r#"{"size": "large", "count": 2}"#).expect("valid");
    assert_eq!(good, [("size".into(), "large".into()), ("count".into(), "2".into())]);
    assert_eq!(one_line("{\n \"a, b\" :[1,\t2]}"), "{\"a, b\": [1, 2]}");
    let bad = arguments(r#"{"id": ""oat-latte""}"#).expect_err("broken");
    assert!(bad.ends_with("at 1:10"), "{bad}");
}
