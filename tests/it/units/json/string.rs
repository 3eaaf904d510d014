//! Tests of `src/json/string.rs`.

use turnwise::json::*;

#[test]
fn decodes_every_escape() {
    let quoted = r#"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 é"#;
    assert_eq!(decode(quoted), "\"\\/\u{8}\u{c}\n\r\té😀 é");
}

#[test]
fn lone_surrogates_are_shown_not_refused() {
    assert_eq!(decode(r"a\ud800b\udc00\ud800\u0041"), "a\u{fffd}b\u{fffd}\u{fffd}A");
}

#[test]
fn new_text_follows_what_was_seen() {
    let write = |seen: &str, text: &str| {
        let mut out = String::new();
        Escapes::seen_in(seen).encode(text, &mut out);
        out
    };
    assert_eq!(write(r#""it\u2019s""#, "’😀é"), r"\u2019\ud83d\ude00\u00e9");
    assert_eq!(write(r#""\u201C""#, "“"), r"\u201C");
    assert_eq!(write(r#""caf\u00e9""#, "’"), r"\u2019");
    assert_eq!(write(r#""\u007F\u0000""#, "’"), "’");
    assert_eq!(write(r#""it’s""#, "“é"), "“é");
    assert_eq!(write(r#""a\/b""#, "c/d"), r"c\/d");
    assert_eq!(write(r#""a/b \\/ c""#, "c/d"), "c/d");
    assert_eq!(write("\"\"", "\u{1}\n\"\\"), r#"\u0001\n\"\\"#);
}
