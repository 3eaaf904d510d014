//! Tests of `src/corpus/ids.rs`.

use turnwise::corpus::*;
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
