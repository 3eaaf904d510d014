//! Tests of `src/text/display.rs`.

use turnwise::text::*;

#[test]
fn widths() {
    assert_eq!(width("plain"), 5);
    assert_eq!(width("世界"), 4);
    assert_eq!(width("e\u{301}"), 1);
    assert_eq!(width("👨‍👩‍👧"), 2);
}

#[test]
fn nothing_is_sent_to_the_terminal_raw() {
    assert_eq!(visible("a\u{1b}[31mb\tc\r\n"), "a␛[31mb→c␍↵");
    assert_eq!(visible("a\u{202e}b\u{200b}c"), "a⟨U+202E⟩b⟨ZWSP⟩c");
    assert_eq!(visible("👨\u{200d}👩\u{200d}"), "👨\u{200d}👩⟨ZWJ⟩");
    assert_eq!(visible("👨‍👩‍👧 e\u{301}"), "👨‍👩‍👧 e\u{301}");
    assert_eq!(visible("\u{9b}"), "⟨U+009B⟩");
    assert_eq!(visible("\u{ffff}\u{fdd0}"), "⟨U+FFFF⟩⟨U+FDD0⟩");
    assert_eq!(visible("a\u{200d}b\u{200c}c"), "a⟨ZWJ⟩b⟨ZWNJ⟩c");
    assert_eq!(visible_lines("a\tb\r\n\u{9b}\u{202e}"), "a\tb␍\n⟨U+009B⟩⟨U+202E⟩");
    let json = "{\"a\u{7f}\":\r\n\t\"\u{1b}\u{e0001}👨\u{200d}👩\"}";
    let shown = "{\"a\\u007f\": \n\t\"\\u001b\\udb40\\udc01👨\u{200d}👩\"}";
    assert_eq!(visible_json(json), shown);
    assert_eq!(visible("क\u{94d}\u{200d}ष"), "क\u{94d}\u{200d}ष");
}

#[test]
fn characters_are_as_wide_as_the_terminal_makes_them() {
    use unicode_width::UnicodeWidthChar as _;
    for char in (0..0x3_0000).filter_map(char::from_u32).filter(|char| is_agreed(*char)) {
        assert!(matches!(char.width(), Some(1 | 2)), "{char}");
        assert_eq!(char.width(), Some(width(char.encode_utf8(&mut [0; 4]))), "{char}");
    }
}
