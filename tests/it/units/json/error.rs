//! Tests of `src/json/error.rs`.

use turnwise::json::*;

#[test]
fn columns_count_characters_and_advance_in_pieces() {
    let text = "{\"a\":\n \"né\u{1f600}\", x".as_bytes();
    let at = text.len() - 1;
    let expected = Position { line: 2, column: 9 };
    assert_eq!(Position::of(text, at), expected);
    for cut in 0..at {
        let mut position = Position::default();
        position.advance(&text[..cut]);
        position.advance(&text[cut..at]);
        assert_eq!(position, expected, "cut at {cut}");
    }
}

#[test]
fn excerpts_are_one_short_line() {
    let (before, after) = excerpt(b"first\n    \"key\": wrong\nlast", 17);
    assert_eq!((before.as_str(), after.as_str()), ("\"key\": ", "wrong"));
    let long = [b'x'; 1000];
    let (before, after) = excerpt(&long, 500);
    assert_eq!((before.len(), after.len()), (32, 32));
}
