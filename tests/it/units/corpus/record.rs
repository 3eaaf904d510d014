//! Tests of `src/corpus/record.rs`.

use turnwise::corpus::*;
use turnwise::dialog::Edit;

#[test]
fn records_round_trip() {
    for line in [
        r#"{"dialog":"dlg-1","edit":"set_span","turn":7,"segment":1,"start":39,"end":54}"#,
        r#"{"dialog":0,"dialog_id":"dlg-1","edit":"remove_act","turn":0,"act":0}"#,
        r#"{"dialog":0,"edit":"add_segment","turn":0,"start":1,"end":2,"labels":["a"]}"#,
        r#"{"file":"x.json","dialog":0,"edit":"set_text","turn":0,"text":"t","drop":true,"by":"m","score":0.5,"why":"w"}"#,
        r#"{"dialog":"1","edit":"cast_vote","turn":1,"annotator":"me","breakdown":"X","ungrammatical":true}"#,
        r#"{"dialog":"1","edit":"withdraw_vote","turn":1,"annotator":"me"}"#,
        r#"{"dialog":"1","edit":"set_intents","turn":1,"intents":[],"on":"USER: hi"}"#,
    ] {
        let record: Record = line.parse().expect(line);
        assert_eq!(record.to_string(), line);
    }
}

/// A terminal may show stored records.
#[test]
fn control_characters_are_escaped() {
    let line = r#"{"dialog":"\u202e","edit":"set_text","turn":0,"text":"\u001b\u007f\u009bé"}"#;
    let record: Record = line.parse().expect(line);
    assert_eq!(record.dialog, DialogRef::Id("\u{202e}".to_owned()));
    assert_eq!(record.to_string(), line);
}

#[test]
fn all_kinds_are_named() {
    let error = serde_json::from_str::<Edit>(r#"{"edit":"?"}"#).expect_err("no kind");
    let error = error.to_string();
    let (_, kinds) = error.split_once("expected one of ").expect("a list");
    let kinds: Vec<_> = kinds.split('`').skip(1).step_by(2).collect();
    assert_eq!(kinds, Edit::KINDS);
}

/// Returns an example value for each field.
fn sample(field: &str) -> &str {
    match field {
        "turn" | "segment" | "call" | "act" | "start" | "end" => "1",
        "labels" | "tokens" | "intents" => "[\"a\"]",
        "shrink" | "drop" | "ungrammatical" => "true",
        "breakdown" => "\"O\"",
        "path" => "\"/a\"",
        "json" | "was" => "\"1\"",
        "part" => "\"response\"",
        "arguments" | "response" => r#"[{"name":"date","value":3}]"#,
        "judgement" => r#"{"dialog":"d","by":"mk","note":"why"}"#,
        "slots" => r#"[{"slot":"date","value":3}]"#,
        _ => "\"a\"",
    }
}

#[test]
fn the_fields_of_all_kinds_are_known() {
    for kind in Edit::FIELDS {
        let record = |fields: &[&str]| {
            let fields = fields.iter().map(|f| format!(",\"{f}\":{}", sample(f)));
            let fields: String = fields.collect();
            format!(r#"{{"dialog":0,"edit":"{}"{fields}}}"#, kind.kind)
        };
        let all: Vec<_> = kind.names().collect();
        record(&all).parse::<Record>().expect(kind.kind);
        let (required, _) = all.split_at(kind.all_required().count());
        record(required).parse::<Record>().expect(kind.kind);
        for without in required {
            let others: Vec<_> = all.iter().copied().filter(|f| f != without).collect();
            let error = record(&others).parse::<Record>().expect_err(without);
            let why = format!("`{without}` is missing; {} needs it, ", kind.kind);
            assert!(error.to_string().starts_with(&why), "{error}");
            // The check is as strict as the reader.
            let edit = record(&others).replace("\"dialog\":0,", "");
            assert!(serde_json::from_str::<Edit>(&edit).is_err(), "{edit}");
        }
        for field in &all {
            for wrong in ["null", "{}", "-1", "1.5", "[1]", "\"a\"", "true", "9e99"] {
                let members = record(&all).replacen(
                    &format!("\"{field}\":{}", sample(field)),
                    &format!("\"{field}\":{wrong}"),
                    1,
                );
                let edit = members.replace("\"dialog\":0,", "");
                let read = serde_json::from_str::<Edit>(&edit).is_ok();
                match members.parse::<Record>() {
                    Ok(_) => assert!(read, "{members}"),
                    Err(BadRecord::BadField { .. }) => assert!(!read, "{members}"),
                    Err(other) => panic!("{members}: {other}"),
                }
            }
        }
    }
}

#[test]
fn bad_records_say_why() {
    let why = |line: &str| line.parse::<Record>().expect_err(line).to_string();
    let kinds = Edit::KINDS.join(", ");
    let cases = [
        ("[]", "a JSON object was expected, found a list".to_owned()),
        ("\"x\"", "a JSON object was expected, found a string".to_owned()),
        (r#"{"dialog""#, "not JSON at column 1: `{` is never closed".to_owned()),
        (
            r#"{"dialog":"\ud83d"}"#,
            "not JSON at column 18: unexpected end of hex escape".to_owned(),
        ),
        (
            r#"{"dialog":0,"edit":"remove_segment","turn":0,"segment":0,"t\u0075rn":1}"#,
            "`turn` appears more than once; keep one of them".to_owned(),
        ),
        (
            r#"{"dialog":0,"edit":"set_state","turn":0,"slot":"a","value":{"json":"1","json":"2"}}"#,
            "`json` appears more than once; keep one of them".to_owned(),
        ),
        (
            r#"{"edit":"set_span"}"#,
            "`dialog` is missing; it should be an id, or a number from 0 on".to_owned(),
        ),
        (
            r#"{"dialog":-1,"edit":"set_span"}"#,
            "`-1` is neither an id nor a number from 0 on".to_owned(),
        ),
        (
            r#"{"edit":"remov_segment"}"#,
            format!(
                "unknown edit \"remov_segment\" (did you mean remove_segment?); the edits are {kinds}"
            ),
        ),
        (
            r#"{"dialog":0,"edit":"shrink","turn":0}"#,
            format!("unknown edit \"shrink\"; the edits are {kinds}"),
        ),
        (
            r#"{"dialog":0,"turn":0}"#,
            format!("`edit` is missing; it should be one of {kinds}"),
        ),
        (
            r#"{"dialog":0,"edit":5}"#,
            "`edit` should be the name of an edit, found 5".to_owned(),
        ),
        (
            r#"{"dialog":0,"edit":"remove_segment","turn":0}"#,
            "`segment` is missing; remove_segment needs it, a number from 0 on".to_owned(),
        ),
        (
            r#"{"dialog":0,"edit":"remove_segment","turn":"3","segment":0}"#,
            "`turn` should be a number from 0 on, found \"3\"".to_owned(),
        ),
        (
            r#"{"dialog":0,"edit":"remove_segment","turn":0,"segment":0,"sgement":1}"#,
            "unknown field \"sgement\" (did you mean segment?); remove_segment has turn, segment"
                .to_owned(),
        ),
        (
            r#"{"dialog":0,"edit":"cast_vote","turn":0,"annotator":"a","breakdown":"Q"}"#,
            "`breakdown` should be \"O\", \"T\" or \"X\", found \"Q\"".to_owned(),
        ),
        (
            r#"{"dialog":0,"edit":"set_state","turn":0,"slot":"a","value":null}"#,
            "`value` should be a string, a number, true, false, or an object such as {\"json\":\"null\"}, found null"
                .to_owned(),
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(why(line), expected);
    }
    let deep = "[".repeat(200) + &"]".repeat(200);
    assert_eq!(why(&deep), "not JSON at column 128: nested too deeply");
}
