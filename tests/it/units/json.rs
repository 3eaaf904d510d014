//! Patches, errors, strings and output.

use proptest::prelude::*;
use serde_json::json;
use turnwise::json::output::*;
use turnwise::json::*;

/// Returns a patch of a text of `length` bytes, made of pairs of distances and texts.
fn patch_of(mut length: usize, parts: &[(usize, usize, String)]) -> (Patch, usize) {
    let (mut at, mut splices, old) = (0, Vec::new(), length);
    for (skip, remove, add) in parts {
        let start = at + skip;
        let end = start + remove;
        if end > old {
            break;
        }
        splices.push(Splice::new(start..end, add.as_str()));
        length = length + add.len() - remove;
        at = end;
    }
    (Patch::new(splices).unwrap(), length)
}

fn parts() -> impl Strategy<Value = Vec<(usize, usize, String)>> {
    prop::collection::vec((0..6usize, 0..4usize, "[a-c]{0,3}"), 0..6)
}

proptest! {
    #[test]
    fn one_patch_does_what_several_do(
        text in "[x-z]{0,30}",
        all in prop::collection::vec(parts(), 0..7),
    ) {
        let (mut length, mut patches) = (text.len(), Vec::new());
        let mut meant = text.clone();
        for parts in &all {
            let (patch, grown) = patch_of(length, parts);
            length = grown;
            meant = patch.apply(&meant);
            patches.push(patch);
        }
        let composed = Patch::composed(patches);
        prop_assert_eq!(composed.apply(&text), meant);
        let sorted = composed.splices().windows(2).all(|w| w[0].range.end <= w[1].range.start);
        prop_assert!(sorted);
    }
}

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

#[test]
fn everything_else_is_as_the_library_writes_it() {
    let value = json!({"a\"\\/": [1.5, "é世👍\u{200d}\u{ad}", true], "b": {}, "c": {"d": []}});
    assert_eq!(to_string(&value).unwrap(), value.to_string());
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    assert_eq!(to_string_pretty(&value).unwrap(), pretty);
}

#[test]
fn applies_and_inverts() {
    let text = "one two three";
    let patch = Patch::new(vec![
        Splice::new(8..13, "3"),
        Splice::new(0..0, "zero "),
        Splice::new(3..4, ""),
        Splice::new(0..0, "half "),
    ]);
    let patch = patch.expect("disjoint");
    let changed = patch.apply(text);
    assert_eq!(changed, "zero half onetwo 3");
    assert_eq!(patch.invert(text).apply(&changed), text);
}

#[test]
fn refuses_overlaps() {
    let overlapping = vec![Splice::new(0..3, "a"), Splice::new(2..4, "b")];
    assert_eq!(Patch::new(overlapping), Err(Overlap));
}

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
