//! Tests of `src/format`: names of logs, and JSON in texts.

use turnwise::format::embedded::{arguments, one_line};
use turnwise::format::*;

#[test]
fn names_are_good_on_every_system() {
    assert_eq!(log_name("dlg-1.a_B"), "dlg-1.a_B.log.json");
    let long = "x".repeat(300);
    for id in
        ["a/b", "..", ".hidden", "a\\b", "", "CON", "nul.x", "COM1", "対話", "a b", "é", &long]
    {
        let name = log_name(id);
        assert!(name.len() < 120 && name.is_ascii(), "{name}");
        assert!(!name.starts_with('.') && !name.contains(['/', '\\', ' ']), "{name}");
        assert_ne!(name, format!("{id}{LOG_END}"));
        let stem = name.strip_suffix(LOG_END).expect("an end");
        assert!(is_log_stem(stem, id), "{name} is that of {id}");
        assert_eq!(gold_name(id), format!("{stem}{LABELS_END}"));
    }
    assert_ne!(log_name("a/b"), log_name("a:b"));
    assert_ne!(log_name_apart("a", "1"), log_name_apart("a", "2"));
    assert!(!is_log_stem("b", "a") && !is_log_stem("a-1", "a"));
}

#[test]
fn json_in_a_text_is_shown_on_one_line_or_has_its_error() {
    let good = arguments(r#"{"size": "large", "count": 2}"#).expect("valid");
    assert_eq!(good, [("size".into(), "large".into()), ("count".into(), "2".into())]);
    assert_eq!(one_line("{\n \"a\\\", b\" :[1,\t2]}"), "{\"a\\\", b\": [1, 2]}");
    let bad = arguments(r#"{"id": ""oat-latte""}"#).expect_err("broken");
    assert!(bad.ends_with("at 1:10"), "{bad}");
}
