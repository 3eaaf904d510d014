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

pub fn with_segment(before: &str, path: &str, index: usize) -> String {
    edited(before, path, |editor, array| {
        vec![editor.insert(array, index, &[segment()], editor.namesake("segments", array))]
    })
}

/// Adds a segment behind the first, in front of it, and removes each of both again.
fn check(before: &str, appended: &str, prepended: &str) {
    assert_eq!(with_segment(before, "segments", 1), appended);
    assert_eq!(with_segment(before, "segments", 0), prepended);
    let without = |text: &str, i: usize| {
        edited(text, "segments", |editor, v| vec![editor.remove(v, i..i + 1)])
    };
    assert_eq!(without(appended, 1), before);
    assert_eq!(without(prepended, 0), before);
}

const OLD: &str = r#"{
  "id": "a",
  "segments": [
    {
      "text": "old",
      "start": 1,
      "names": [
        {
          "name": "m"
        }
      ]
    }
  ]
}
"#;

const APPENDED: &str = r#"{
  "id": "a",
  "segments": [
    {
      "text": "old",
      "start": 1,
      "names": [
        {
          "name": "m"
        }
      ]
    },
    {
      "text": "new",
      "start": 7,
      "names": [
        {
          "name": "n"
        }
      ]
    }
  ]
}
"#;

const PREPENDED: &str = r#"{
  "id": "a",
  "segments": [
    {
      "text": "new",
      "start": 7,
      "names": [
        {
          "name": "n"
        }
      ]
    },
    {
      "text": "old",
      "start": 1,
      "names": [
        {
          "name": "m"
        }
      ]
    }
  ]
}
"#;

#[test]
fn one_value_a_line() {
    check(OLD, APPENDED, PREPENDED);
    let restyled: [&dyn Fn(&str) -> String; 8] = [
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
    ];
    for restyle in restyled {
        check(&restyle(OLD), &restyle(APPENDED), &restyle(PREPENDED));
    }
    let marked = |text: &str| format!("\u{feff}{text}");
    check(&marked(OLD), &marked(APPENDED), &marked(PREPENDED));
}

#[test]
fn minified() {
    check(
        r#"{"id":"a","segments":[{"text":"old","start":1,"names":[{"name":"m"}]}]}"#,
        r#"{"id":"a","segments":[{"text":"old","start":1,"names":[{"name":"m"}]},{"text":"new","start":7,"names":[{"name":"n"}]}]}"#,
        r#"{"id":"a","segments":[{"text":"new","start":7,"names":[{"name":"n"}]},{"text":"old","start":1,"names":[{"name":"m"}]}]}"#,
    );
}

#[test]
fn one_line_with_spaces() {
    check(
        r#"{ "id": "a", "segments": [ { "text": "old", "start": 1, "names": [ { "name": "m" } ] } ] }"#,
        r#"{ "id": "a", "segments": [ { "text": "old", "start": 1, "names": [ { "name": "m" } ] }, { "text": "new", "start": 7, "names": [ { "name": "n" } ] } ] }"#,
        r#"{ "id": "a", "segments": [ { "text": "new", "start": 7, "names": [ { "name": "n" } ] }, { "text": "old", "start": 1, "names": [ { "name": "m" } ] } ] }"#,
    );
}

#[test]
fn one_object_a_line() {
    check(
        r#"{
    "id": "a",
    "segments": [
        {"text": "old", "start": 1, "names": [{"name": "m"}]}
    ]
}"#,
        r#"{
    "id": "a",
    "segments": [
        {"text": "old", "start": 1, "names": [{"name": "m"}]},
        {"text": "new", "start": 7, "names": [{"name": "n"}]}
    ]
}"#,
        r#"{
    "id": "a",
    "segments": [
        {"text": "new", "start": 7, "names": [{"name": "n"}]},
        {"text": "old", "start": 1, "names": [{"name": "m"}]}
    ]
}"#,
    );
}

#[test]
fn brackets_that_hug() {
    check(
        r#"{
  "id": "a",
  "segments": [{
    "text": "old",
    "start": 1,
    "names": [{"name": "m"}]
  }]
}"#,
        r#"{
  "id": "a",
  "segments": [{
    "text": "old",
    "start": 1,
    "names": [{"name": "m"}]
  }, {
    "text": "new",
    "start": 7,
    "names": [{"name": "n"}]
  }]
}"#,
        r#"{
  "id": "a",
  "segments": [{
    "text": "new",
    "start": 7,
    "names": [{"name": "n"}]
  }, {
    "text": "old",
    "start": 1,
    "names": [{"name": "m"}]
  }]
}"#,
    );
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
    let before = r#"{"id": "a", "segments":
   [ {"text": "old", "start": 1,
        "names": [ {"name": "m"} ] },
     {"text": "old", "start": 2,
        "names": [ {"name": "m"},
                   {"name": "m"} ] } ],
 "end": true}"#;
    let appended = r#"{"id": "a", "segments":
   [ {"text": "old", "start": 1,
        "names": [ {"name": "m"} ] },
     {"text": "old", "start": 2,
        "names": [ {"name": "m"},
                   {"name": "m"} ] },
     {"text": "new", "start": 7,
        "names": [ {"name": "n"} ] } ],
 "end": true}"#;
    assert_eq!(with_segment(before, "segments", 2), appended);
}
