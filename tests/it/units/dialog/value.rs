//! Tests of `src/dialog/value.rs`.

use turnwise::dialog::*;

#[test]
fn values_other_than_texts_keep_their_spelling() {
    let number = Content::Raw("1".into());
    let numbers = "0 1 -0.0 1e3 1E400 1.50 1e-7 1000.0 12345678901234567890123 9007199254740993";
    for text in numbers.split(' ').chain(["null", "true", "false"]) {
        let value = EditValue::like(Some(&number), text);
        assert_eq!(value.content(), Content::Raw(text.into()));
        let record = serde_json::to_string(&value).unwrap();
        let read: EditValue = serde_json::from_str(&record).unwrap();
        assert_eq!(read.content(), value.content(), "{record}");
    }
    for text in ["007", "", " 1", "1 ", "NaN", "inf", "[1]", "\"1\"", "+1", "1."] {
        let value = EditValue::like(Some(&number), text);
        assert_eq!(value, EditValue::Text(text.to_owned()));
    }
    assert!(serde_json::from_str::<EditValue>(r#"{"json":"007"}"#).is_err());
}

#[test]
fn a_value_is_copied_as_it_is_or_not_at_all() {
    let raw = |raw: &str| Content::Raw(raw.into());
    for content in [
        Content::Text("[\"a\"]".into()),
        Content::Text("1".into()),
        raw("1.50"),
        raw("null"),
        raw(r#"["a", "b"]"#),
        raw(r#"["a", 1e3, null, "\"é"]"#),
    ] {
        let value = EditValue::of(&content).unwrap();
        assert_eq!(value.content(), content);
    }
    for content in [raw("{}"), raw(r#"["a", ["b"]]"#), raw(r#"[{"a": 1}, 2]"#)] {
        assert_eq!(EditValue::of(&content), None);
    }
}
