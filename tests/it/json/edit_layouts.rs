//! Edits in texts of many layouts, compared to the byte with what a careful human would write.

use turnwise::json::NewValue;

use super::{edited, object, string};

/// A segment as the corpora have them, keys in an order that is not that of all texts.
fn segment() -> NewValue {
    object(&[
        ("start", NewValue::Integer(7)),
        ("text", string("new")),
        ("names", NewValue::Array(vec![object(&[("name", string("n"))])])),
    ])
}

fn with_segment(before: &str, path: &str, index: usize) -> String {
    edited(before, path, |editor, array| {
        vec![editor.insert(array, index, &[segment()], editor.namesake("segments", array))]
    })
}

/// The text with this segment, `old` in it with `start` 1 and names `m`, the new one behind it, and the new one before it.
fn texts(head: &str, old: &str, between: &str, tail: &str) -> [String; 3] {
    let new = old.replace("old", "new").replace("\"m\"", "\"n\"").replace(": 1", ": 7");
    let new = new.replace(":1", ":7");
    [old.to_owned(), format!("{old}{between}{new}"), format!("{new}{between}{old}")]
        .map(|segments| format!("{head}{segments}{tail}"))
}

/// Adds a segment behind the first, in front of it, and removes each of both again.
fn check([before, appended, prepended]: [String; 3]) {
    assert_eq!(with_segment(&before, "segments", 1), appended);
    assert_eq!(with_segment(&before, "segments", 0), prepended);
    let without = |text: &str, i: usize| {
        edited(text, "segments", |editor, v| vec![editor.remove(v, i..i + 1)])
    };
    assert_eq!(without(&appended, 1), before);
    assert_eq!(without(&prepended, 0), before);
}

const HEAD: &str = r#"{
  "id": "a",
  "segments": [
    "#;

const OLD: &str = r#"{
      "text": "old",
      "start": 1,
      "names": [
        {
          "name": "m"
        }
      ]
    }"#;

#[test]
fn one_value_a_line() {
    let plain = texts(HEAD, OLD, ",\n    ", "\n  ]\n}\n");
    let restyled: [&dyn Fn(&str) -> String; 10] = [
        &|text| text.to_owned(),
        // Four spaces, one, a tab.
        &|text| text.replace("  ", "    "),
        &|text| text.replace("  ", " "),
        &|text| text.replace("  ", "\t"),
        // No blank before a value, one before a colon, one after a comma.
        &|text| text.replace(": ", ":"),
        &|text| text.replace(": ", " : "),
        &|text| text.replace(",\n", ", \n"),
        // Line endings of Windows, and a space after each comma.
        &|text| text.replace('\n', "\r\n"),
        &|text| text.replace(",\n", ", \n").replace('\n', "\r\n"),
        // A byte order mark.
        &|text| format!("\u{feff}{text}"),
    ];
    for restyle in restyled {
        check(plain.each_ref().map(|text| restyle(text)));
    }
}

#[test]
fn several_values_a_line() {
    let object = r#"{"text": "old", "start": 1, "names": [{"name": "m"}]}"#;
    for (head, old, between, tail) in [
        // Minified, and on one line with spaces.
        (
            r#"{"id":"a","segments":["#,
            r#"{"text":"old","start":1,"names":[{"name":"m"}]}"#,
            ",",
            "]}",
        ),
        (
            r#"{ "id": "a", "segments": [ "#,
            r#"{ "text": "old", "start": 1, "names": [ { "name": "m" } ] }"#,
            ", ",
            " ] }",
        ),
        // An object a line.
        (
            "{\n    \"id\": \"a\",\n    \"segments\": [\n        ",
            object,
            ",\n        ",
            "\n    ]\n}",
        ),
        // Brackets that hug.
        (
            "{\n  \"id\": \"a\",\n  \"segments\": [",
            "{\n    \"text\": \"old\",\n    \"start\": 1,\n    \"names\": [{\"name\": \"m\"}]\n  }",
            ", ",
            "]\n}",
        ),
    ] {
        check(texts(head, old, between, tail));
    }
}

#[test]
fn commas_that_begin_lines() {
    let appended = r#"{ "id": "a"
, "segments":
  [ { "text": "old"
    , "start": 1
    , "names": [ { "name": "m" } ]
    }
  , { "text": "old"
    , "start": 2
    , "names": [ { "name": "m" } ]
    }
  , { "text": "new"
    , "start": 7
    , "names": [ { "name": "n" } ]
    }
  ]
}"#;
    let before = edited(appended, "segments", |editor, v| vec![editor.remove(v, 2..3)]);
    assert_eq!(with_segment(&before, "segments", 2), appended);
}

#[test]
fn brackets_on_their_own_lines() {
    let before = r#"{
    "id": "a",
    "segments":
    [
        {
            "text": "old",
            "start": 1,
            "names":
            [
                { "name": "m" }
            ]
        }
    ],
    "more":
    {
        "segments":
        []
    }
}"#;
    let new = r#"        {
            "text": "new",
            "start": 7,
            "names":
            [
                { "name": "n" }
            ]
        }"#;
    let appended = before.replacen("        }\n    ],", &format!("        }},\n{new}\n    ],"), 1);
    assert_eq!(with_segment(before, "segments", 1), appended);
    // Deeper than the part that is imitated.
    let deeper = new.replace('\n', "\n    ");
    let filled = before.replace("[]", &format!("[\n    {deeper}\n        ]"));
    assert_eq!(with_segment(before, "more.segments", 0), filled);
}

#[test]
fn indented_by_hand() {
    let appended = r#"{"id": "a", "segments":
   [ {"text": "old", "start": 1,
        "names": [ {"name": "m"} ] },
     {"text": "old", "start": 2,
        "names": [ {"name": "m"},
                   {"name": "m"} ] },
     {"text": "new", "start": 7,
        "names": [ {"name": "n"} ] } ],
 "end": true}"#;
    let before = edited(appended, "segments", |editor, v| vec![editor.remove(v, 2..3)]);
    assert_eq!(with_segment(&before, "segments", 2), appended);
}

#[test]
fn empty_arrays_are_filled_like_their_namesakes() {
    for (empty, blank) in [("[]", ""), ("[ ]", " "), ("[\n  ]", "\n  ")] {
        let others = format!(
            "{{\n  \"a\": {{\"segments\": [\n    {{\"text\": \"x\", \"start\": 1}}\n  ]}},\n  \"segments\": {empty}\n}}"
        );
        let filled =
            "[\n    {\"text\": \"new\", \"start\": 7, \"names\": [{\"name\": \"n\"}]}\n  ]";
        assert_eq!(
            with_segment(&others, "segments", 0),
            others.replace(&format!(": [{blank}]"), &format!(": {filled}"))
        );
    }
}

#[test]
fn empty_arrays_are_filled_like_the_text_around_them() {
    assert_eq!(
        with_segment(r#"{"segments":[]}"#, "segments", 0),
        r#"{"segments":[{"start":7,"text":"new","names":[{"name":"n"}]}]}"#
    );
    assert_eq!(
        with_segment(r#"{"id": "a", "segments": []}"#, "segments", 0),
        r#"{"id": "a", "segments": [{"start": 7, "text": "new", "names": [{"name": "n"}]}]}"#
    );
    // There is no other array to imitate: it is written like the object around it, one value per line.
    let before = "{\n  \"id\": \"a\",\n  \"segments\": []\n}";
    let after = "{
  \"id\": \"a\",
  \"segments\": [
    {
      \"start\": 7,
      \"text\": \"new\",
      \"names\": [
        {
          \"name\": \"n\"
        }
      ]
    }
  ]
}";
    assert_eq!(with_segment(before, "segments", 0), after);
}
