//! Valid and invalid JSON: the parser and `serde_json` agree, and the parser names the place of the error.

use serde::de::IgnoredAny;
use turnwise::json::{BOM, Finder, Parser, SyntaxKind};

use super::invalid::{INVALID, NOT_UTF8, ODD_INVALID};
use super::valid::{ODD_VALID, VALID};

/// Levels of nesting that a recursive reader does not survive.
const DEEP: usize = 100_000;

/// True if `serde_json` accepts it. It checks for UTF-8 only in what it keeps, and refuses a mark.
pub fn serde_accepts(bytes: &[u8]) -> bool {
    let json = bytes.strip_prefix(BOM).unwrap_or(bytes);
    std::str::from_utf8(json).is_ok_and(|json| serde_json::from_str::<IgnoredAny>(json).is_ok())
}

fn valid() -> impl Iterator<Item = &'static str> {
    listed(VALID).chain(ODD_VALID.iter().copied())
}

fn invalid() -> impl Iterator<Item = &'static str> {
    listed(INVALID).chain(ODD_INVALID.iter().copied())
}

/// The texts of a list with broken bars between them.
fn listed(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.trim().lines().flat_map(|line| line.split(" ¦ "))
}

fn verdict(bytes: &[u8]) -> Result<(), (usize, SyntaxKind)> {
    match Parser::new().parse(bytes) {
        Ok(_) => Ok(()),
        Err(error) => Err((error.at, error.kind)),
    }
}

#[test]
fn json_is_accepted() {
    for text in valid() {
        assert_eq!(verdict(text.as_bytes()), Ok(()), "{text:?}");
        assert!(serde_accepts(text.as_bytes()), "serde_json on {text:?}");
    }
}

#[test]
fn anything_else_is_refused() {
    for text in invalid() {
        assert!(verdict(text.as_bytes()).is_err(), "{text:?}");
        assert!(!serde_accepts(text.as_bytes()), "serde_json on {text:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_refused_at_their_place() {
    for (bytes, at) in NOT_UTF8 {
        assert_eq!(verdict(bytes), Err((*at, SyntaxKind::NotUtf8)), "{bytes:?}");
    }
}

/// Vector code looks at 64 bytes at a time: nothing may depend on where in them a text begins.
#[test]
fn verdicts_do_not_depend_on_the_place() {
    for shift in 0..66 {
        let spaces = " ".repeat(shift);
        for text in valid().filter(|text| !text.starts_with('\u{feff}')) {
            let moved = format!("{spaces}{text}{spaces}");
            assert_eq!(verdict(moved.as_bytes()), Ok(()), "{moved:?}");
        }
        for text in invalid() {
            let moved = format!("{spaces}{text}");
            let result = verdict(moved.as_bytes());
            // Two marks are one too many, and so is one that is not first.
            assert!(result.is_err(), "{moved:?}");
            if let Err((at, kind)) = verdict(text.as_bytes())
                && !text.starts_with('\u{feff}')
            {
                assert_eq!(result, Err((at + shift, kind)), "{moved:?}");
            }
        }
    }
}

#[test]
fn depth_is_unlimited() {
    let nested = "[".repeat(DEEP) + &"]".repeat(DEEP);
    assert_eq!(verdict(nested.as_bytes()), Ok(()));
    let nested = r#"{"a":"#.repeat(DEEP) + "1" + &"}".repeat(DEEP);
    assert_eq!(verdict(nested.as_bytes()), Ok(()));
    let nested = r#"[{"a":"#.repeat(DEEP) + "1" + &"}]".repeat(DEEP);
    assert_eq!(verdict(nested.as_bytes()), Ok(()));

    let unclosed = "[".repeat(DEEP);
    assert_eq!(verdict(unclosed.as_bytes()), Err((DEEP - 1, SyntaxKind::ArrayNotClosed)));
    let unclosed = r#"{"a":"#.repeat(DEEP);
    assert_eq!(verdict(unclosed.as_bytes()), Err((5 * DEEP - 5, SyntaxKind::ObjectNotClosed)));
    let closed_once_less = "[".repeat(DEEP) + &"]".repeat(DEEP - 1);
    assert_eq!(verdict(closed_once_less.as_bytes()), Err((0, SyntaxKind::ArrayNotClosed)));
    let closed_once_more = "[".repeat(DEEP) + &"]".repeat(DEEP + 1);
    assert_eq!(verdict(closed_once_more.as_bytes()), Err((2 * DEEP, SyntaxKind::TrailingText)));
    let closed = "]".repeat(DEEP);
    assert_eq!(verdict(closed.as_bytes()), Err((0, SyntaxKind::ValueExpected)));
}

#[test]
fn errors_say_where_and_what() {
    use SyntaxKind::*;
    let cases = [
        ("", 0, Empty),
        (" \n ", 3, Empty),
        ("\u{feff}", 3, Empty),
        (r#"{"a": }"#, 6, ValueExpected),
        ("[1, ]", 4, ValueExpected),
        (r#"{"a": 1, }"#, 9, KeyExpected),
        ("{a: 1}", 1, KeyExpected),
        (r#"{"a" 1}"#, 5, ColonExpected),
        (r#"{"a": 1 "b": 2}"#, 8, CommaOrBraceExpected),
        (r#"{"a": 1]"#, 7, CommaOrBraceExpected),
        ("[1 2]", 3, CommaOrBracketExpected),
        (r#"[1, {"a": [2, 3]"#, 4, ObjectNotClosed),
        (r#" ["a", "#, 1, ArrayNotClosed),
        (r#"["a, "b"]"#, 6, CommaOrBracketExpected),
        (r#"["a", "b]"#, 6, StringNotClosed),
        ("[1, 02]", 4, BadNumber),
        ("[1, 2x]", 4, BadNumber),
        ("[nul]", 1, BadLiteral),
        ("['a']", 1, BadLiteral),
        (r#"["a\qb"]"#, 3, BadEscape),
        (r#"["\u12x4", "\q"]"#, 2, BadEscape),
        ("[\"a\nb\"]", 3, ControlInString),
        ("[\"a\n\\q\"]", 3, ControlInString),
        ("[\"\\q\n\"]", 2, BadEscape),
        ("[1] x", 4, TrailingText),
        ("{}\n{}", 3, TrailingText),
        ("\u{feff}[1,]", 6, ValueExpected),
        ("[é]", 1, BadLiteral),
        ("[\"é\", x]", 7, BadLiteral),
        // Of two errors the first, whichever stage finds it.
        (r#"[1 2, "\q"]"#, 3, CommaOrBracketExpected),
        (r#"["\q", 1 2]"#, 2, BadEscape),
    ];
    for (text, at, kind) in cases {
        assert_eq!(verdict(text.as_bytes()), Err((at, kind)), "{text:?}");
    }
}

/// A parser that has refused a text is as good as new.
#[test]
fn a_parser_can_be_used_again() {
    let mut parser = Parser::new();
    for text in valid().chain(invalid()).chain(valid()) {
        let again = parser.parse_str(text).map(|tree| tree.values().count());
        let mut fresh = Parser::new();
        let new = fresh.parse_str(text).map(|tree| tree.values().count());
        assert_eq!(again, new, "{text:?}");
    }
}

/// The parser finds no error in valid JSON, whatever it contains.
#[test]
fn the_finder_refuses_no_json() {
    for text in valid() {
        let mut finder = Finder::new();
        finder.feed(text.as_bytes());
        assert_eq!(finder.finish().error, None, "{text:?}");
    }
}
