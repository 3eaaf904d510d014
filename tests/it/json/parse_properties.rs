//! Any printed JSON is read with its meaning, and damaged JSON is refused or accepted correctly.

use proptest::prelude::*;
use turnwise::json::{Editor, Escapes, Parser, Tree, Value, decode};

use super::odd::{Json, choices, json, print};
use super::verdicts::serde_accepts;

/// Bytes that JSON treats in a way of their own, to be put where they hurt.
const SHARP: &[u8] = b"\"\\{}[]:,0-.eE+tfnu/ \n\t\r\x00\x0c\x7f\x80\xc3\xed\xef\xff'a";

proptest! {
    #[test]
    fn ranges_cover_what_was_printed(json in json(5), mut choices in choices()) {
        let printed = print(&json, &mut choices);
        let mut parser = Parser::new();
        let tree = parser.parse(printed.text.as_bytes()).unwrap();
        prop_assert_eq!(ranges(tree), printed.ranges);
    }

    #[test]
    fn values_say_what_was_meant(json in json(5), mut choices in choices()) {
        let printed = print(&json, &mut choices);
        let mut parser = Parser::new();
        let tree = parser.parse_str(&printed.text).unwrap();
        says(tree.root(), &json)?;
    }

    #[test]
    fn values_know_their_place(json in json(4), mut choices in choices()) {
        let printed = print(&json, &mut choices);
        let mut parser = Parser::new();
        let tree = parser.parse_str(&printed.text).unwrap();
        let editor = Editor::new(&tree, Escapes::default());
        prop_assert!(editor.parent(tree.root()).is_none());
        for value in tree.values() {
            prop_assert_eq!(tree.value_at(value.range().start).map(Value::range), Some(value.range()));
            let elements = value.elements().chain(value.members().map(|(_, value)| value));
            for child in elements {
                prop_assert_eq!(editor.parent(child).map(Value::range), Some(value.range()));
            }
        }
    }

    #[test]
    fn damage_is_judged_rightly(
        json in json(5),
        mut choices in choices(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0..3, any_byte()), 1..3),
    ) {
        let mut bytes = print(&json, &mut choices).text.into_bytes();
        for (at, how, byte) in damage {
            if bytes.is_empty() || how == 0 {
                bytes.insert(at.index(bytes.len() + 1), byte);
                continue;
            }
            let at = at.index(bytes.len());
            match how {
                1 => bytes[at] = byte,
                _ => drop(bytes.remove(at)),
            }
        }
        verdicts_agree(&bytes)?;
    }

    #[test]
    fn soup_of_tokens_is_judged_rightly(bytes in prop::collection::vec(any_byte(), 0..80)) {
        verdicts_agree(&bytes)?;
    }

    /// Of strings with any escapes, good and bad, all lengths across a block.
    #[test]
    fn escapes_are_judged_rightly(
        shift in 0_usize..64,
        inside in r#"(\\{1,4}|["u0-9a-fxd8nb/]{1,3}|\\u[0-9a-f]{3,4}){0,20}"#,
    ) {
        let text = format!("{}\"{inside}\"", " ".repeat(shift));
        verdicts_agree(text.as_bytes())?;
    }

    #[test]
    fn decoding_agrees(text in any::<String>()) {
        let written = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(decode(&written[1..written.len() - 1]), text);
    }
}

fn any_byte() -> impl Strategy<Value = u8> {
    prop_oneof![prop::sample::select(SHARP), any::<u8>()]
}

fn verdicts_agree(bytes: &[u8]) -> Result<(), TestCaseError> {
    let ours = Parser::new().parse(bytes).map(|_| ());
    if let Err(error) = ours {
        prop_assert!(error.at <= bytes.len(), "{error:?} in {bytes:?}");
    }
    prop_assert_eq!(ours.is_ok(), serde_accepts(bytes), "{:?}", bytes);
    Ok(())
}

/// Bytes of every key and value in their order.
fn ranges(tree: Tree<'_>) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    note(tree.root(), &mut ranges);
    ranges
}

fn note(value: Value<'_>, ranges: &mut Vec<(usize, usize)>) {
    let range = |value: Value<'_>| (value.range().start as usize, value.range().end as usize);
    ranges.push(range(value));
    value.elements().for_each(|value| note(value, ranges));
    for (key, value) in value.members() {
        ranges.push(range(key));
        note(value, ranges);
    }
}

fn says(value: Value<'_>, json: &Json) -> Result<(), TestCaseError> {
    match json {
        Json::Literal(text) => prop_assert_eq!(value.raw(), *text),
        Json::Number(text) => {
            prop_assert_eq!(value.raw(), text);
            prop_assert_eq!(value.as_number(), text.parse().ok());
        }
        Json::String(text) => {
            prop_assert_eq!(value.as_str().unwrap(), text.as_str());
            prop_assert!(value.is_text(text));
            prop_assert_eq!(value.is_text(value.quoted()), value.quoted() == text);
        }
        Json::Array(items) => {
            prop_assert_eq!(value.elements().count(), items.len());
            for (value, item) in value.elements().zip(items) {
                says(value, item)?;
            }
        }
        Json::Object(members) => {
            prop_assert_eq!(value.members().count(), members.len());
            for ((key, value), (name, member)) in value.members().zip(members) {
                prop_assert!(key.is_text(name));
                says(value, member)?;
            }
            for (name, member) in members {
                says(value.get(name).unwrap(), member)?;
            }
        }
    }
    Ok(())
}

#[test]
fn of_a_repeated_key_the_last_counts() {
    let mut parser = Parser::new();
    let tree = parser.parse_str(r#"{"a": 1, "\u0061": 2, "b": 3}"#).unwrap();
    assert_eq!(tree.root().get("a").unwrap().raw(), "2");
    assert_eq!(tree.root().members().count(), 3);
}

#[test]
fn whole_numbers_in_all_spellings() {
    let cases = [
        ("29", Some(29)),
        ("-0", Some(0)),
        ("29.0", Some(29)),
        ("2.9e1", Some(29)),
        ("290E-1", Some(29)),
        ("-1.20e2", Some(-120)),
        ("9223372036854775807", Some(i64::MAX)),
        ("9007199254740992.0", Some(9_007_199_254_740_992)),
        ("9223372036854775808", None),
        ("1e400", None),
        ("29.5", None),
        ("1e-400", Some(0)),
        ("\"29\"", None),
        ("null", None),
    ];
    for (text, expected) in cases {
        let mut parser = Parser::new();
        let tree = parser.parse_str(text).unwrap();
        assert_eq!(tree.root().as_integer(), expected, "{text}");
    }
}
