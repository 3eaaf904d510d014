//! Values inside JSON that is a string: each is changed alone, and every other byte of the string stays, escapes
//! and spaces included.

use turnwise::dialog::{CallPart, Edit, EditValue};
use turnwise::format::{detect, edit};
use turnwise::json::{Escapes, Parser};

/// Arguments as odd programs write them, in a JSON string.
const ARGUMENTS: &str = r#""{ \"city\" : \"Gent\\u00e9 \\\"x\\\" \\/\",\n  \"n\":1.50, \"b\":true,\t\"l\": [1,  2], \"caf\u00e9\":null }""#;

fn families() -> [(&'static str, String); 4] {
    let messages = format!(
        r#"{{"messages": [{{"role": "user", "content": "hi"}},
 {{"role":"assistant","tool_calls":[{{"id":"a","type":"function","function":{{"name":"f","arguments":{ARGUMENTS}}}}}]}},
 {{"role":"tool","tool_call_id":"a","content":"ok"}}]}}"#
    );
    let answer = format!(
        r#"{{"messages": [{{"role": "user", "content": "hi"}},
 {{"role":"assistant","tool_calls":[{{"id":"a","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},
 {{"role":"tool","tool_call_id":"a","content":{ARGUMENTS}}}]}}"#
    );
    let taskmaster = format!(
        r#"{{"conversation_id": "d", "vertical": "Coffee", "utterances": [{{"index": 0, "speaker": "user", "text": "hi"}},
 {{"index": 1, "speaker": "user", "text": "a latte", "annotations": [
  {{"name": "api_call", "value": "f", "context": "api_call_0"}},
  {{"name": "request", "value": {ARGUMENTS}, "context": "api_call_0"}}]}}]}}"#
    );
    let own = format!(
        r#"{{"own": 1, "turns": [{{"text": "hi"}}, {{"text": "ho", "calls": [{{"f": "f", "a": {ARGUMENTS}}}]}}]}}"#
    );
    [("messages", messages), ("answer", answer), ("taskmaster-4", taskmaster), ("own", own)]
}

fn format_of(name: &str, text: &str) -> &'static turnwise::format::Family {
    if name == "own" {
        let description = "name = \"own\"\nhas = [\"own\"]\n[turn]\nat = \"turns[*]\"\ntext = \"text\"\n\
            [call]\nat = \"calls[*]\"\nname = \"f\"\narguments = { at = \"a\", json = \"string\" }\n";
        let own = turnwise::format::Family::read_from(description, None);
        return own.ok().unwrap().keep();
    }
    let mut parser = Parser::new();
    detect(parser.parse_str(text).unwrap().root()).unwrap()
}

fn part(name: &str) -> CallPart {
    match name {
        "answer" => CallPart::Response,
        _ => CallPart::Arguments,
    }
}

fn changed(family: &str, text: &str, edits: &[Edit]) -> Result<String, String> {
    let format = format_of(family, text);
    edits.iter().try_fold(text.to_owned(), |text, change| {
        let outcome = edit(format, &text, Escapes::seen_in(&text), change);
        let outcome = outcome.map_err(|error| error.to_string())?;
        let back = outcome.patch.invert(&text).apply(&outcome.text);
        assert_eq!(back, text);
        Ok(outcome.text)
    })
}

#[test]
fn one_value_in_a_string_is_changed_alone() {
    for (family, text) in families() {
        let part = part(family);
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
            let after = changed(family, &text, std::slice::from_ref(&edit)).unwrap();
            // Removing takes the space on one of the sides.
            if let Edit::RemoveValue { name, .. } = &edit {
                assert!(!after.contains(&format!("\\\"{name}\\\"")), "{after}");
                assert!(after.len() < text.len() && after.contains(r#"\"n\":1.50"#));
                continue;
            }
            assert_eq!(after, text.replacen(old, new, 1), "{family} {edit:?}");
        }
        let new = changed(family, &text, &[set("new", words("x"))]).unwrap();
        assert!(new.contains(r#"\"new\""#) && new.contains(r#"\"caf\u00e9\":null,"#), "{new}");
        assert_eq!(changed(family, &new, &[remove("new")]).unwrap(), text);
        for (edit, why) in [
            (set("l", words("x")), "\"l\" is a list or an object, not one value"),
            (remove("x"), "no \"x\" in"),
            (rename("n", "b"), "\"b\" is already in"),
        ] {
            let refused = changed(family, &text, &[edit]).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
        for (old, why) in [
            ("\"{\"", "set_json replaces all of it"),
            ("\"[1]\"", "the string holds an array, not an object; set_json replaces all of it"),
        ] {
            let broken = text.replace(ARGUMENTS, old);
            let refused = changed(family, &broken, &[set("n", words("x"))]).unwrap_err();
            assert!(refused.contains(why), "{family}: {refused}");
        }
    }
}
