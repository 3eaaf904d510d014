//! Values inside JSON that is a string: each is changed alone, and every other byte of the string stays, escapes
//! and spaces included.

use turnwise::dialog::{CallPart, Edit, EditValue};
use turnwise::format::{Family, edit};
use turnwise::json::Escapes;

use super::format;

/// Arguments as odd programs write them, in a JSON string.
const ARGUMENTS: &str = r#""{ \"city\" : \"Gent\\u00e9 \\\"x\\\" \\/\",\n  \"n\":1.50, \"b\":true,\t\"l\": [1,  2], \"caf\u00e9\":null }""#;

/// The descriptions and dialogs whose second turn has a call with them, as its arguments or as its response.
fn families() -> [(&'static Family, CallPart, String); 4] {
    let messages = |arguments: &str, answer: &str| {
        format!(
            r#"{{"messages": [{{"role": "user", "content": "hi"}},
 {{"role":"assistant","tool_calls":[{{"id":"a","type":"function","function":{{"name":"f","arguments":{arguments}}}}}]}},
 {{"role":"tool","tool_call_id":"a","content":{answer}}}]}}"#
        )
    };
    let taskmaster = format!(
        r#"{{"conversation_id": "d", "vertical": "Coffee", "utterances": [{{"index": 0, "speaker": "user", "text": "hi"}},
 {{"index": 1, "speaker": "user", "text": "a latte", "annotations": [
  {{"name": "api_call", "value": "f", "context": "api_call_0"}},
  {{"name": "request", "value": {ARGUMENTS}, "context": "api_call_0"}}]}}]}}"#
    );
    let own = format!(
        r#"{{"own": 1, "turns": [{{"text": "hi"}}, {{"text": "ho", "calls": [{{"f": "f", "a": {ARGUMENTS}}}]}}]}}"#
    );
    let description = "name = \"own\"\nhas = [\"own\"]\n[turn]\nat = \"turns[*]\"\ntext = \"text\"\n\
        [call]\nat = \"calls[*]\"\nname = \"f\"\narguments = { at = \"a\", json = \"string\" }\n";
    let described = Family::read_from(description, None).ok().unwrap().keep();
    [
        (format("messages"), CallPart::Arguments, messages(ARGUMENTS, r#""ok""#)),
        (format("messages"), CallPart::Response, messages(r#""{}""#, ARGUMENTS)),
        (format("taskmaster-4"), CallPart::Arguments, taskmaster),
        (described, CallPart::Arguments, own),
    ]
}

fn changed(family: &'static Family, text: &str, change: &Edit) -> Result<String, String> {
    let outcome = edit(family, text, Escapes::seen_in(text), change);
    let outcome = outcome.map_err(|error| error.to_string())?;
    assert_eq!(outcome.patch.invert(text).apply(&outcome.text), text);
    Ok(outcome.text)
}

#[test]
fn one_value_in_a_string_is_changed_alone() {
    for (family, part, text) in families() {
        let set = |name: &str, value: EditValue| Edit::SetValue {
            turn: 1,
            call: 0,
            part,
            name: name.to_owned(),
            value,
        };
        let rename = |name: &str, to: &str| Edit::RenameValue {
            turn: 1,
            call: 0,
            part,
            name: name.to_owned(),
            to: to.to_owned(),
        };
        let remove =
            |name: &str| Edit::RemoveValue { turn: 1, call: 0, part, name: name.to_owned() };
        let words = |text: &str| EditValue::Text(text.to_owned());
        let spelled = |json: &str| EditValue::Spelled { json: json.to_owned() };
        let cases = [
            (set("n", EditValue::Whole(2)), "1.50", "2"),
            (set("n", spelled("1.5")), "1.50", "1.5"),
            (set("b", words("no")), ":true", r#":\"no\""#),
            (set("city", words("Gent\u{e9} \"x\" /!")), r#"\\/\""#, r#"\\/!\""#),
            (set("caf\u{e9}", words("a\\b")), ":null", r#":\"a\\\\b\""#),
            (rename("city", "town"), r#"\"city\""#, r#"\"town\""#),
            (remove("b"), r#" \"b\":true,\t"#, r"\t"),
            (remove("city"), r#" \"city\" : \"Gent\\u00e9 \\\"x\\\" \\/\",\n  "#, " "),
        ];
        for (edit, old, new) in cases {
            assert!(text.contains(old), "{old}");
            let after = changed(family, &text, &edit).unwrap();
            // Removing takes the space on one of the sides.
            if let Edit::RemoveValue { name, .. } = &edit {
                assert!(!after.contains(&format!("\\\"{name}\\\"")), "{after}");
                assert!(after.len() < text.len() && after.contains(r#"\"n\":1.50"#));
                continue;
            }
            assert_eq!(after, text.replacen(old, new, 1), "{family:?} {edit:?}");
        }
        let new = changed(family, &text, &set("new", words("x"))).unwrap();
        assert!(new.contains(r#"\"new\""#) && new.contains(r#"\"caf\u00e9\":null,"#), "{new}");
        assert_eq!(changed(family, &new, &remove("new")).unwrap(), text);
        for (edit, why) in [
            (set("l", words("x")), "\"l\" is a list or an object, not one value"),
            (remove("x"), "no \"x\" in"),
            (rename("n", "b"), "\"b\" is already in"),
        ] {
            let refused = changed(family, &text, &edit).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
        for (old, why) in [
            ("\"{\"", "to replace the whole string"),
            (
                "\"[1]\"",
                "the string holds an array, not an object; to replace the whole string, use `set_json`",
            ),
        ] {
            let broken = text.replace(ARGUMENTS, old);
            let refused = changed(family, &broken, &set("n", words("x"))).unwrap_err();
            assert!(refused.contains(why), "{family:?}: {refused}");
        }
    }
}
