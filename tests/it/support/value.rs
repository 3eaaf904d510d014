//! JSON as the tests see it, read without the project's own parser.
//!
//! Key order, repeated keys and the spelling of numbers are kept, so that two texts can be compared
//! for more than what they mean.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`, `true`, `false` or a number, as it is written.
    Bare(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(InOrder)
    }
}

impl Json {
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let text = text.trim_matches([' ', '\t', '\r', '\n']);
        Ok(match text.as_bytes().first() {
            Some(b'{') => {
                let Members(members) = serde_json::from_str(text)?;
                let parse = |(key, raw): (String, &RawValue)| Ok((key, Self::parse(raw.get())?));
                Self::Object(members.into_iter().map(parse).collect::<Result<_, _>>()?)
            }
            Some(b'[') => {
                let elements: Vec<&RawValue> = serde_json::from_str(text)?;
                let parse = |raw: &RawValue| Self::parse(raw.get());
                Self::Array(elements.into_iter().map(parse).collect::<Result<_, _>>()?)
            }
            Some(b'"') => Self::String(serde_json::from_str(text)?),
            _ => {
                let _: serde_json::Value = serde_json::from_str(text)?;
                Self::Bare(text.to_owned())
            }
        })
    }

    pub fn text(text: &str) -> Self {
        Self::String(text.to_owned())
    }

    pub fn number(number: impl fmt::Display) -> Self {
        Self::Bare(number.to_string())
    }

    /// The member `key`; of a repeated key the last one.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let found = self.members().iter().rev().find(|(k, _)| k == key);
        found.map(|(_, value)| value)
    }

    pub fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    pub fn elements(&self) -> &[Self] {
        match self {
            Self::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Its meaning to a reader that ignores order and spelling.
    pub fn value(&self) -> serde_json::Value {
        match self {
            Self::Bare(raw) => serde_json::from_str(raw).expect("checked when it was read"),
            Self::String(text) => text.as_str().into(),
            Self::Array(elements) => elements.iter().map(Self::value).collect(),
            Self::Object(members) => {
                let member = |(key, value): &(String, Self)| (key.clone(), value.value());
                serde_json::Value::Object(members.iter().map(member).collect())
            }
        }
    }
}

/// `text` with lone surrogates, which the reader used here refuses, written as U+FFFD.
pub fn mended(text: &str) -> String {
    let bytes = text.as_bytes();
    let unit = |at: usize| {
        let escape = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(escape, 16).ok()
    };
    let (mut out, mut kept, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        let length = match (unit(at), unit(at + 6)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => 12,
            (Some(0xD800..0xE000), _) => {
                out.push_str(&text[kept..at]);
                out.push_str("\\ufffd");
                kept = at + 6;
                6
            }
            _ => 2,
        };
        at += length;
    }
    out.push_str(&text[kept..]);
    out
}

#[test]
fn lone_surrogates_are_mended_and_pairs_kept() {
    let text = r#"["\ud83d\ude00","\ud83d","\\ud83d","\udc00\ud83dx"]"#;
    assert_eq!(mended(text), r#"["\ud83d\ude00","\ufffd","\\ud83d","\ufffd\ufffdx"]"#);
}

#[test]
fn order_repeats_and_spelling_are_kept() {
    let json = Json::parse(r#" {"b": 29.0, "a": [1e2, null], "b": "x"} "#).unwrap();
    assert_eq!(json.members().len(), 3);
    assert_eq!(json.get("b"), Some(&Json::text("x")));
    assert_eq!(json.members()[0].1, Json::number("29.0"));
    assert_eq!(json.value(), serde_json::json!({"a": [100.0, null], "b": "x"}));
}
