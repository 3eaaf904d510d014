//! Tests of `src/query/text.rs`.

use turnwise::query::*;

#[test]
fn case_matters_only_where_it_is_written() {
    let find = |pattern: &str, text: &str| Pattern::new(pattern).find_all(text);
    assert_eq!(find("two", "Two or two"), [0..3, 7..10]);
    assert_eq!(find("Two", "Two or two"), [0..3]);
    assert_eq!(find("ÉT", "été ÉTÉ"), [6..9]);
    assert_eq!(find("é", "Ée\u{301}"), [0..2]);
    assert_eq!(find("aa", "aaaa"), [0..2, 2..4]);
    assert!(find("", "a").is_empty());
    assert_eq!(find("世界", "こんにちは世界"), [15..21]);
}
