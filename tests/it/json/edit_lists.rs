//! Lists that are replaced, and members that are added.

use turnwise::json::{NewValue, Value};

use super::{at, edited, object, set_list, string};

fn tokens(before: &str, texts: &[&str]) -> String {
    edited(before, "tokens", |editor, v| set_list(editor, v, texts, Some, string))
}

fn labels(before: &str, texts: &[&str]) -> String {
    let name = |v: Value<'_>| v.get("name").map(Value::range);
    edited(before, "labels", |editor, v| {
        let said = |v: Value<'_>| editor.tree().value_at(name(v)?.start);
        set_list(editor, v, texts, said, |text| object(&[("name", string(text))]))
    })
}

#[test]
fn tokens_on_one_line() {
    let before = r#"{"tokens": ["hi", "\u0032", "for", "dune"]}"#;
    let after = |inside: &str| format!(r#"{{"tokens": [{inside}]}}"#);
    for (texts, inside) in [
        ("hi 2 for dune", r#""hi", "\u0032", "for", "dune""#),
        ("hi 3 for dune", r#""hi", "3", "for", "dune""#),
        ("hi 2 for dune .", r#""hi", "\u0032", "for", "dune", ".""#),
        ("oh hi 2 for dune", r#""oh", "hi", "\u0032", "for", "dune""#),
        ("hi 2 seats for dune", r#""hi", "\u0032", "seats", "for", "dune""#),
        ("2 for dune", r#""\u0032", "for", "dune""#),
        ("hi 2", r#""hi", "\u0032""#),
        ("", ""),
    ] {
        let texts: Vec<_> = texts.split_whitespace().collect();
        assert_eq!(tokens(before, &texts), after(inside), "{texts:?}");
    }
}

/// Two spellings of a string may mean the same.
#[test]
fn tokens_that_look_like_the_escapes_of_others() {
    let before = r#"{"tokens": ["\\", "\n"]}"#;
    let after = r#"{"tokens": ["\\\\", "\\n"]}"#;
    assert_eq!(tokens(before, &[r"\\", r"\n"]), after);
    assert_eq!(tokens(before, &[r"\", "\n"]), before);
}

#[test]
fn tokens_in_other_layouts() {
    let cases = [
        // Before, after; the tokens become a, b, c.
        ("{\"tokens\":[\"a\"]}", "{\"tokens\":[\"a\",\"b\",\"c\"]}"),
        ("{\"tokens\": [\"a\"]}", "{\"tokens\": [\"a\", \"b\", \"c\"]}"),
        ("{\"tokens\": []}", "{\"tokens\": [\"a\", \"b\", \"c\"]}"),
        ("{\"tokens\":[]}", "{\"tokens\":[\"a\",\"b\",\"c\"]}"),
        ("{\"tokens\": [ ]}", "{\"tokens\": [\"a\", \"b\", \"c\"]}"),
        (
            "{\n\t\"tokens\": [\n\t\t\"a\"\n\t]\n}",
            "{\n\t\"tokens\": [\n\t\t\"a\",\n\t\t\"b\",\n\t\t\"c\"\n\t]\n}",
        ),
        (
            "{\r\n  \"tokens\": [\r\n    \"a\",\r\n    \"c\"\r\n  ]\r\n}",
            "{\r\n  \"tokens\": [\r\n    \"a\",\r\n    \"b\",\r\n    \"c\"\r\n  ]\r\n}",
        ),
        (
            "{\n  \"x\": 1, \n  \"tokens\": [\n    \"a\"\n  ]\n}",
            "{\n  \"x\": 1, \n  \"tokens\": [\n    \"a\", \n    \"b\", \n    \"c\"\n  ]\n}",
        ),
        // Filled lines.
        (
            "{\"tokens\": [\"x\", \"a\",\n            \"b\"]}",
            "{\"tokens\": [\"a\", \"b\",\n            \"c\"]}",
        ),
        (
            "{\n  \"id\": 1,\n  \"tokens\": [\"a\", \"b\"]\n}",
            "{\n  \"id\": 1,\n  \"tokens\": [\"a\", \"b\", \"c\"]\n}",
        ),
        (
            "{\n  \"id\": 1,\n  \"tokens\": [\"a\"]\n}",
            "{\n  \"id\": 1,\n  \"tokens\": [\"a\", \"b\", \"c\"]\n}",
        ),
    ];
    for (before, after) in cases {
        assert_eq!(tokens(before, &["a", "b", "c"]), after);
    }
}

#[test]
fn labels_keep_what_else_they_hold() {
    let before = r#"{"labels": [{"name": "a", "sure": 1.0}, {"name": "b"}, {"sure": 0}]}"#;
    let cases: [(&[&str], &str); 5] = [
        (&["a", "x"], r#"{"labels": [{"name": "a", "sure": 1.0}, {"name": "x"}]}"#),
        (
            &["x", "b", "c"],
            r#"{"labels": [{"name": "x", "sure": 1.0}, {"name": "b"}, {"name": "c"}]}"#,
        ),
        (&["a"], r#"{"labels": [{"name": "a", "sure": 1.0}]}"#),
        (
            &["a", "b", "c", "d"],
            r#"{"labels": [{"name": "a", "sure": 1.0}, {"name": "b"}, {"name": "c"}, {"name": "d"}]}"#,
        ),
        (&[], r#"{"labels": []}"#),
    ];
    for (texts, after) in cases {
        assert_eq!(labels(before, texts), after);
    }
}

#[test]
fn members_take_the_place_they_have_elsewhere() {
    let before = r#"{
    "like": {
        "id": "1",
        "comment": "c",
        "flag": "",
        "end": 0
    },
    "new": {
        "id": "2",
        "end": 0
    },
    "none": {}
}"#;
    let add = |path: &str, key: &str, new: NewValue| {
        edited(before, path, |editor, v| {
            let like = at(editor.tree().root(), "like");
            vec![editor.add_member(v, key, &new, Some(like))]
        })
    };
    assert_eq!(
        add("new", "comment", string("x")),
        before.replace("\"2\",\n", "\"2\",\n        \"comment\": \"x\",\n")
    );
    assert_eq!(
        add("none", "flag", string("x")),
        before.replace("{}", "{\n        \"flag\": \"x\"\n    }")
    );
    // A key that no neighbour has goes last.
    assert_eq!(
        add("new", "more", NewValue::Array(vec![NewValue::Integer(1)])),
        before.replace(
            "0\n    },\n    \"none\"",
            "0,\n        \"more\": [\n            1\n        ]\n    },\n    \"none\""
        )
    );
}

#[test]
fn members_in_other_layouts() {
    let cases = [
        (r#"{"a":1}"#, r#"{"a":1,"b":[{"c":null}]}"#),
        (r#"{"a": 1}"#, r#"{"a": 1, "b": [{"c": null}]}"#),
        (r#"{ "a" : 1 }"#, r#"{ "a" : 1, "b" : [ { "c" : null } ] }"#),
        ("{}", r#"{"b": [{"c": null}]}"#),
        (r#"[{},{"x":[]}]"#, r#"[{"b":[{"c":null}]},{"x":[]}]"#),
        (
            "{\n\t\"a\": 1, \n\t\"x\": 2\n}",
            "{\n\t\"a\": 1, \n\t\"x\": 2, \n\t\"b\": [\n\t\t{\n\t\t\t\"c\": null\n\t\t}\n\t]\n}",
        ),
        (
            "{\r\n \"a\":1\r\n}",
            "{\r\n \"a\":1,\r\n \"b\":[\r\n  {\r\n   \"c\":null\r\n  }\r\n ]\r\n}",
        ),
    ];
    for (before, after) in cases {
        let path = if before.starts_with('[') { "0" } else { "" };
        let new = NewValue::Array(vec![object(&[("c", NewValue::Null)])]);
        let added = edited(before, path, |editor, v| vec![editor.add_member(v, "b", &new, None)]);
        assert_eq!(added, after);
    }
}

#[test]
fn removing_takes_one_comma_with_each() {
    let remove = |before: &str, range: std::ops::Range<usize>| {
        edited(before, "", |editor, v| vec![editor.remove(v, range.clone())])
    };
    assert_eq!(remove("[1, 2 ,3]", 0..1), "[2 ,3]");
    assert_eq!(remove("[1, 2 ,3]", 1..2), "[1, 3]");
    assert_eq!(remove("[1, 2 ,3]", 2..3), "[1, 2]");
    assert_eq!(remove("[1, 2 ,3]", 0..2), "[3]");
    assert_eq!(remove("[1, 2 ,3]", 1..3), "[1]");
    assert_eq!(remove("[1, 2 ,3]", 1..1), "[1, 2 ,3]");
    assert_eq!(remove("[\n  1,\n  2\n]\n", 0..1), "[\n  2\n]\n");
    assert_eq!(remove("[\n  1,\n  2\n]\n", 1..2), "[\n  1\n]\n");
    assert_eq!(remove("[\n  1,\n  2\n]\n", 0..2), "[]\n");
    assert_eq!(remove("[ 1\n, 2\n, 3\n]", 0..1), "[ 2\n, 3\n]");
    assert_eq!(remove("[ 1\n, 2\n, 3\n]", 2..3), "[ 1\n, 2\n]");
    assert_eq!(remove(r#"{"a": 1, "b": 2}"#, 0..1), r#"{"b": 2}"#);
    assert_eq!(remove(r#"{"a": 1, "b": 2}"#, 1..2), r#"{"a": 1}"#);
}

#[test]
fn integers_stay_what_they_were() {
    let set = |before: &str| edited(before, "", |editor, v| vec![editor.set_integer(v, 12)]);
    assert_eq!(set(" 7 "), " 12 ");
    assert_eq!(set("\"7\""), "\"12\"");
    assert_eq!(set("-7.5e3"), "12");
    assert_eq!(set("null"), "12");
}
