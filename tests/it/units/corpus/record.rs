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
