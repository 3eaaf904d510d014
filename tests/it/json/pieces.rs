//! The finder: it agrees with the parser, in chunks of any size and for any damage.

use proptest::prelude::*;
use turnwise::json::{FileLayout, Finder, Parser, Piece, ScanResult, SyntaxKind, Value};

use super::odd::{Choices, Json, choices, json, print};

fn find_in_chunks(file: &[u8], size: usize) -> ScanResult {
    let mut finder = Finder::new();
    for chunk in file.chunks(size) {
        finder.feed(chunk);
    }
    finder.finish()
}

/// The scan of a whole file, after a check that chunks of any size give the same.
fn find(file: &[u8]) -> ScanResult {
    let found = find_in_chunks(file, file.len().max(1));
    for size in 1..130 {
        let again = find_in_chunks(file, size);
        assert_eq!(again, found, "in chunks of {size}");
    }
    found
}

fn texts<'a>(file: &'a [u8], pieces: &[Piece]) -> Vec<&'a str> {
    let text = |piece: &Piece| &file[piece.start as usize..piece.end as usize];
    pieces.iter().map(|piece| std::str::from_utf8(text(piece)).unwrap()).collect()
}

/// The pieces of an array or of lines.
fn pieces_of(found: &ScanResult) -> &[Piece] {
    match &found.layout {
        FileLayout::Array(pieces) | FileLayout::Lines(pieces) => pieces,
        other => panic!("{other:?}"),
    }
}

fn array(file: &str) -> (Vec<&str>, Option<(u64, SyntaxKind)>) {
    let found = find(file.as_bytes());
    assert!(matches!(found.layout, FileLayout::Array(_)), "{found:?}");
    (texts(file.as_bytes(), pieces_of(&found)), found.error)
}

fn lines(file: &str) -> Vec<&str> {
    let found = find(file.as_bytes());
    assert!(matches!(found.layout, FileLayout::Lines(_)), "{found:?}");
    assert_eq!(found.error, None);
    texts(file.as_bytes(), pieces_of(&found))
}

fn error(file: &str) -> Option<(u64, SyntaxKind)> {
    find(file.as_bytes()).error
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn pieces_are_the_values_of_the_parser(json in json(4), mut choices in choices()) {
        let printed = print(&json, &mut choices);
        let file = printed.text.as_bytes();
        let found = find(file);
        prop_assert_eq!(found.error, None);
        let mut parser = Parser::new();
        let tree = parser.parse(file).unwrap();
        let root = tree.root();
        let piece = |(start, end): (usize, usize)| Piece { start: start as u64, end: end as u64 };
        match found.layout {
            FileLayout::Array(pieces) => {
                let elements: Vec<_> = root.elements().map(Value::raw).collect();
                prop_assert_eq!(texts(file, &pieces), elements);
            }
            FileLayout::Object { whole, lists, others, members } => {
                prop_assert_eq!(whole, piece(printed.ranges[0]));
                let arrays = root.members().filter(|(_, v)| v.raw().starts_with('['));
                for (list, (key, value)) in lists.iter().zip(arrays.clone()) {
                    prop_assert_eq!(texts(file, &[list.key]), [key.raw()]);
                    let elements: Vec<_> = value.elements().map(Value::raw).collect();
                    prop_assert_eq!(texts(file, &list.pieces), elements);
                }
                prop_assert_eq!(lists.len(), arrays.count());
                let is_list = |value: &str| value.starts_with('[');
                let rest = root.members().flat_map(|(key, value)| [key.raw(), value.raw()]);
                let rest: Vec<_> = rest.filter(|value| !is_list(value)).collect();
                prop_assert_eq!(texts(file, &others), rest);
                let objects = root.members().filter(|(_, v)| v.raw().starts_with('{'));
                let objects = objects.map(|(key, value)| {
                    &printed.text[key.range().start as usize..value.range().end as usize]
                });
                prop_assert_eq!(texts(file, &members), objects.collect::<Vec<_>>());
            }
            FileLayout::Scalar(found) => prop_assert_eq!(found, piece(printed.ranges[0])),
            other => prop_assert!(false, "{other:?}"),
        }
    }

    /// A value a line, some of them damaged; the first two say that there are lines.
    #[test]
    fn lines_are_pieces_whatever_they_hold(
        values in prop::collection::vec((json(3), any::<Option<u8>>()), 1..6),
        choices in choices(),
    ) {
        let mut expected = vec!["{\"first\": true}".to_owned(), "{\"second\": true}".to_owned()];
        let mut file = expected.join("\n") + "\n";
        for (json, damage) in values {
            let mut line = on_one_line(&json, &choices);
            if let Some(at) = damage.map(usize::from).filter(|at| line.is_char_boundary(*at)) {
                line.truncate(at);
            }
            let line = line.trim_matches([' ', '\t', '\r']).to_owned();
            file.extend([" ", &line, "\t\r\n \n"]);
            expected.extend((!line.is_empty()).then_some(line));
        }
        prop_assert_eq!(lines(&file), expected);
    }
}

fn on_one_line(json: &Json, choices: &Choices) -> String {
    let text = print(json, &mut choices.clone()).text;
    text.trim_start_matches('\u{feff}').replace('\n', " ")
}

#[test]
fn arrays() {
    assert_eq!(array("[]"), (vec![], None));
    assert_eq!(array(" [ \n ] "), (vec![], None));
    let odd = "\u{feff}[{\"a\":\"]}\\\"\"} ,\r\n[1,[2]],\"x,]\\\\\",-1.5e3\n,null ]\n";
    let pieces = vec![r#"{"a":"]}\""}"#, "[1,[2]]", r#""x,]\\""#, "-1.5e3", "null"];
    assert_eq!(array(odd), (pieces, None));
    // Broken pieces hurt no others.
    let broken = r#"[{"a": 1}, {"b": tru, }, {"c": 01}, nope, {"d": 4}]"#;
    let pieces = vec![r#"{"a": 1}"#, r#"{"b": tru, }"#, r#"{"c": 01}"#, "nope", r#"{"d": 4}"#];
    assert_eq!(array(broken), (pieces, None));
    let long = format!("[{}]", vec![r#"{"k": "\\\"{["}"#; 40].join(",\n "));
    assert_eq!(array(&long).0, vec![r#"{"k": "\\\"{["}"#; 40]);
}

#[test]
fn a_broken_array_keeps_its_earlier_pieces() {
    use SyntaxKind::*;
    let cases = [
        ("[1, {}", vec!["1", "{}"], 0, ArrayNotClosed),
        ("[1, ", vec!["1"], 0, ArrayNotClosed),
        ("[{}, {\"a\": [1}", vec!["{}"], 5, FileEndsInside),
        ("[{}, \"ab", vec!["{}"], 5, StringNotClosed),
        ("[1, ]", vec!["1"], 4, ValueExpected),
        ("[,1]", vec![], 1, ValueExpected),
        ("[1,,2]", vec!["1"], 3, ValueExpected),
        ("[{} {}]", vec!["{}"], 4, CommaOrBracketExpected),
        ("[{}}, {}]", vec!["{}"], 3, CommaOrBracketExpected),
        ("[{}] x", vec!["{}"], 5, TrailingText),
        ("[{}]]", vec!["{}"], 4, TrailingText),
    ];
    for (file, pieces, at, kind) in cases {
        assert_eq!(array(file), (pieces, Some((at, kind))), "{file}");
    }
}

#[test]
fn a_value_a_line() {
    assert_eq!(lines("{}\n{}"), ["{}", "{}"]);
    assert_eq!(lines("\u{feff}{}\r\n\r\n {} \r\n"), ["{}", "{}"]);
    assert_eq!(lines("1\n\"a\"\n[2]\n"), ["1", "\"a\"", "[2]"]);
    assert_eq!(lines("{\"a\": [{}]}\n{\"a\": 1}"), ["{\"a\": [{}]}", "{\"a\": 1}"]);
    // Blank lines first.
    assert_eq!(lines("\n\n{}\n{}"), ["{}", "{}"]);
    assert_eq!(lines("\u{feff}\r\n {}\n{}"), ["{}", "{}"]);
    // Broken in every way but the first.
    let broken = "{\"a\": 1}\n{\"b\n]]\n\"\n{\"c\": 1}}\nnope\n{\"d\": 4}\n";
    let expected = ["{\"a\": 1}", "{\"b", "]]", "\"", "{\"c\": 1}}", "nope", "{\"d\": 4}"];
    assert_eq!(lines(broken), expected);
}

#[test]
fn objects() {
    let file = r#"{"meta": {"n": [1]}, "a": [], "b" :[ {"x": 1}, 2 ], "s": "t"}"#;
    let found = find(file.as_bytes());
    assert_eq!(found.error, None);
    let FileLayout::Object { whole, lists, others, members } = found.layout else {
        panic!("{found:?}");
    };
    let of = |pieces: &[Piece]| texts(file.as_bytes(), pieces);
    assert_eq!(of(&[whole]), [file]);
    let keys: Vec<_> = lists.iter().map(|list| list.key).collect();
    assert_eq!(of(&keys), [r#""a""#, r#""b""#]);
    assert!(lists[0].pieces.is_empty());
    assert_eq!(of(&lists[1].pieces), [r#"{"x": 1}"#, "2"]);
    let rest = [r#""meta""#, r#"{"n": [1]}"#, r#""a""#, r#""b""#, r#""s""#, r#""t""#];
    assert_eq!(of(&others), rest);
    assert_eq!(of(&members), [r#""meta": {"n": [1]}"#]);
}

#[test]
fn a_piece_may_be_a_member_of_an_object() {
    let text = "\"a\\u0062\" : {\"n\": [1]}\n";
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).unwrap();
    assert_eq!(tree.root().raw(), "{\"n\": [1]}");
    assert_eq!(tree.key().and_then(Value::as_str).as_deref(), Some("ab"));
    let values: Vec<_> = tree.values().map(Value::raw).collect();
    assert_eq!(values, ["{\"n\": [1]}", "[1]", "1"]);
    assert!(Parser::new().parse_str(text).is_err(), "it is not JSON");
    let alone = parser.parse_piece_str("{\"a\": 1}").unwrap();
    assert!(alone.key().is_none());
    assert_eq!(parser.parse_piece_str("\"a\"").unwrap().root().raw(), "\"a\"");
    for broken in
        ["\"a\": 1", "\"a\": [{}]", "\"a\":", "\"a\": {},", "\"a\": {", "\"\\q\": {}", ": {}"]
    {
        assert!(parser.parse_piece_str(broken).is_err(), "{broken}");
    }
}

#[test]
fn broken_objects_say_where() {
    use SyntaxKind::*;
    let cases = [
        ("{", 0, ObjectNotClosed),
        (" {\"a\": 1,", 1, ObjectNotClosed),
        ("{\"a\": [1,", 0, ObjectNotClosed),
        ("{\"a\": {\"b\": 1", 6, FileEndsInside),
        ("{\"a", 1, StringNotClosed),
        ("{\"a\": \"b", 6, StringNotClosed),
        ("{a: 1}", 1, KeyExpected),
        ("{,}", 1, KeyExpected),
        ("{\"a\": 1, }", 9, KeyExpected),
        ("{\"a\" 1}", 5, ColonExpected),
        ("{\"a\": }", 6, ValueExpected),
        ("{\"a\": [1, ]}", 10, ValueExpected),
        ("{\"a\": [1 2]}", 9, CommaOrBracketExpected),
        ("{\"a\": {} \"b\": 1}", 9, CommaOrBraceExpected),
        ("{\"a\": [1] \"b\": 1}", 10, CommaOrBraceExpected),
        ("{} {}", 3, TrailingText),
        ("{\n} {}", 4, TrailingText),
        ("{\n}\n{}", 4, TrailingText),
    ];
    for (file, at, kind) in cases {
        assert_eq!(error(file), Some((at, kind)), "{file:?}");
    }
}

#[test]
fn an_unclosed_object_keeps_the_pieces_of_its_lists() {
    let file = "{\"a\": [{\"x\": 1}, {\"x\": 2}, {\"x\"";
    let found = find(file.as_bytes());
    assert_eq!(found.error, Some((27, SyntaxKind::FileEndsInside)));
    match found.layout {
        FileLayout::Object { lists, .. } => {
            let pieces = texts(file.as_bytes(), &lists[0].pieces);
            assert_eq!(pieces, ["{\"x\": 1}", "{\"x\": 2}"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn scalars_and_nothing() {
    let piece = |start, end| Piece { start, end };
    let cases = [
        ("1", piece(0, 1)),
        (" -1.5 \n", piece(1, 5)),
        ("\"a b\"", piece(0, 5)),
        ("\u{feff}null\n\n", piece(3, 7)),
        ("nope", piece(0, 4)),
    ];
    for (file, expected) in cases {
        let found = find(file.as_bytes());
        assert_eq!(found.layout, FileLayout::Scalar(expected), "{file:?}");
        assert_eq!(found.error, None, "{file:?}");
    }
    for (file, at) in [("", 0), (" \r\n\t", 4), ("\u{feff}", 3), ("\u{feff} ", 4)] {
        let found = find(file.as_bytes());
        assert_eq!(found.layout, FileLayout::Empty, "{file:?}");
        assert_eq!(found.error, Some((at, SyntaxKind::Empty)), "{file:?}");
    }
}

/// Half a byte order mark does not count as a mark.
#[test]
fn marks_are_whole() {
    for file in [&b"\xef{}"[..], b"\xef\xbb[]", b"\xef\n{}", b"\xef\xbb 1"] {
        assert_eq!(find(file).error, Some((0, SyntaxKind::NotUtf8)), "{file:?}");
    }
    for (file, at) in [(&b" \xbb1"[..], 1), (b"\xbb\xbf1", 0)] {
        assert_eq!(find(file).error, Some((at, SyntaxKind::BadLiteral)), "{file:?}");
    }
}
