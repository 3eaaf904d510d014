//! Ids, and records of edits.

use turnwise::corpus::*;
use turnwise::dialog::Edit;
use turnwise::format::FileFormat;
use turnwise::json::decode;

#[test]
fn every_spelling_of_an_id_passes_the_prefilter() {
    for id in ["dlg-7", "dé", "a/b", "\"\\", "\u{8}\t\n\u{c}\r", "😀", "\u{fffd}", "ἀ"] {
        let prefilter = IdPrefilter::new([id].into_iter());
        let plain = id.replace('\\', "\\\\").replace('"', "\\\"");
        let chars: Vec<char> = id.chars().collect();
        for (at, char) in chars.iter().enumerate() {
            let mut spellings = vec![plain.clone()];
            let mut units = [0; 2];
            let units = char.encode_utf16(&mut units).iter();
            let hex: Vec<_> = units.map(|unit| format!("\\u{unit:04X}")).collect();
            let hex = hex.concat();
            let short = match char {
                '\u{8}' => "\\b".to_owned(),
                '\t' => "\\t".to_owned(),
                '\n' => "\\n".to_owned(),
                '\u{c}' => "\\f".to_owned(),
                '\r' => "\\r".to_owned(),
                '/' | '"' | '\\' => format!("\\{char}"),
                '\u{fffd}' => "\\uDc00".to_owned(),
                _ => hex.clone(),
            };
            for escape in [hex.to_lowercase(), hex, short] {
                let mut spelled: Vec<String> = chars.iter().map(char::to_string).collect();
                spelled[at] = escape;
                spellings.push(spelled.concat());
            }
            for spelling in &spellings[1..] {
                let is_id = decode(spelling) == id;
                assert!(is_id || chars.contains(&'\\'), "{spelling}");
            }
            for spelling in spellings {
                let dialog = format!("{{\"x\": \"\\\\\", \"id\": \"{spelling}\"}}");
                assert!(prefilter.may_have(dialog.as_bytes()), "{dialog}");
            }
        }
    }
    let prefilter = IdPrefilter::new(["dlg-7"].into_iter());
    let other = r#"{"id": "dlg-8", "text": "caf\u00e9 \"\n\\u0064 \ud83d\ude00 \/"}"#;
    assert!(!prefilter.may_have(other.as_bytes()));
}

#[test]
fn ids_of_broken_dialogs_are_read_if_they_are_there() {
    let format = turnwise::format::named("taskmaster-3").expect("it is one");
    let format = FileFormat::new(format, turnwise::format::Formats::default());
    let id = |text: &str| id_of(&format, text.as_bytes());
    let some = |id: &str| Some(id.to_owned());
    assert_eq!(id(r#"{"conversation_id": "a", "utterances": []}"#), some("a"));
    assert_eq!(id(r#"{"conversation_id" : "a\"\u0062","x"#), some("a\"b"));
    assert_eq!(id(r#"{"x": [1 2], "conversation_id":"c"}"#), some("c"));
    for none in [
        r#"{"conversation_id": "a"#,
        r#"{"conversation_id": "a\"#,
        r#"{"conversation_id": 7,"#,
        r#"{"conversation_id""#,
        r#"{"conversation_id":"#,
        r#"{"conversation_id": "\q", "#,
        r#"{"x": "#,
    ] {
        assert_eq!(id(none), None, "{none}");
    }
}

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
    assert_eq!(kinds, Edit::kinds().collect::<Vec<_>>());
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
            let why = format!("`{without}` is missing; in {}, it should be ", kind.kind);
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
