//! Values in edits.
//!
//! Most values are strings. Any other value keeps the spelling in which it was typed or already written,
//! because `1.50` and `1.5` differ when files are compared.

use std::hash::{Hash, Hasher};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::model::Content;
use crate::json::{NewValue, NodeKind, Parser};

/// A value: usually a string.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EditValue {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
    /// A value that the other variants cannot hold or would spell differently: `null`, `1.50`, `1e3`.
    Spelled {
        /// A JSON number, `true`, `false` or `null`.
        #[serde(deserialize_with = "scalar")]
        json: String,
    },
    /// A list: the values of a slot of the dialogue state, or a new argument.
    #[serde(skip_deserializing)]
    Several(Vec<Self>),
}

/// Returns the content of a list of values: nothing if it is empty, its only value, or JSON with one space after
/// each comma, however the file writes it.
pub fn content_of_list(values: impl IntoIterator<Item = Content>) -> Content {
    let mut values: Vec<_> = values.into_iter().collect();
    if values.len() < 2 {
        return values.pop().unwrap_or_else(|| Content::Text("".into()));
    }
    let all: Vec<_> = values.iter().map(Content::json).collect();
    Content::Raw(format!("[{}]", all.join(", ")).into())
}

/// Reads a value that need not be there, as [`one_or_several`] does.
pub fn some_or_several<'de, D: Deserializer<'de>>(from: D) -> Result<Option<EditValue>, D::Error> {
    one_or_several(from).map(Some)
}

/// Reads one value, or a list of several.
pub fn one_or_several<'de, D: Deserializer<'de>>(from: D) -> Result<EditValue, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Values {
        Several(Vec<EditValue>),
        One(EditValue),
    }
    Ok(match Values::deserialize(from)? {
        Values::Several(values) => EditValue::Several(values),
        Values::One(value) => value,
    })
}

/// JSON has no NaN, so equality is reflexive.
impl Eq for EditValue {}

impl Hash for EditValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Flag(flag) => flag.hash(state),
            Self::Whole(whole) => whole.hash(state),
            // 0 and -0 are equal.
            Self::Number(number) => (number + 0.0).to_bits().hash(state),
            Self::Text(text) | Self::Spelled { json: text } => text.hash(state),
            Self::Several(values) => values.hash(state),
        }
    }
}

impl EditValue {
    /// Returns the value that a typed `text` means in place of `old`: it keeps the type of `old` if possible.
    pub fn like(old: Option<&Content>, text: &str) -> Self {
        let plain = || Self::Text(text.to_owned());
        let Some(Content::Raw(_)) = old else {
            return plain();
        };
        if !is_scalar(text) {
            return plain();
        }
        let flag = text.parse().map(Self::Flag);
        let whole = flag.or_else(|_| text.parse().map(Self::Whole));
        let number = whole.or_else(|_| text.parse().map(Self::Number));
        let same = |other: &Self| other.content().as_str() == text;
        number.ok().filter(same).unwrap_or_else(|| Self::Spelled { json: text.to_owned() })
    }

    /// Returns the value with this content, for an edit that writes it somewhere else: a list stays a list.
    /// None if no edit can hold it: an object, or a list with lists or objects.
    pub fn of(content: &Content) -> Option<Self> {
        let value = match content {
            Content::Text(text) => Self::Text(text.to_string()),
            Content::Raw(raw) => Self::list(raw).unwrap_or_else(|| Self::like(Some(content), raw)),
        };
        (value.content() == *content).then_some(value)
    }

    pub fn content(&self) -> Content {
        match self {
            Self::Flag(flag) => Content::Raw(flag.to_string().into()),
            Self::Whole(whole) => Content::Raw(whole.to_string().into()),
            // With a point or an exponent, so that it is read as the same kind of number again.
            Self::Number(number) => Content::Raw(format!("{number:?}").into()),
            Self::Text(text) => Content::Text(text.as_str().into()),
            Self::Spelled { json } => Content::Raw(json.as_str().into()),
            Self::Several(values) => content_of_list(values.iter().map(Self::content)),
        }
    }

    /// Returns the list that a typed `text` means: a JSON array of strings, numbers, booleans or null. None if it is
    /// anything else.
    pub fn list(text: &str) -> Option<Self> {
        let mut parser = Parser::new();
        let tree = parser.parse_str(text).ok()?;
        if tree.root().kind() != NodeKind::Array {
            return None;
        }
        let value = |value: crate::json::Value<'_>| match value.kind() {
            NodeKind::String => value.as_str().map(|text| Self::Text(text.into_owned())),
            NodeKind::Array | NodeKind::Object => None,
            _ => Some(Self::Spelled { json: value.raw().to_owned() }),
        };
        let values: Option<Vec<_>> = tree.root().elements().map(value).collect();
        values.map(Self::Several)
    }
}

impl From<&EditValue> for NewValue {
    fn from(value: &EditValue) -> Self {
        (&value.content()).into()
    }
}

/// True for a JSON number, `true`, `false` or `null`, without anything around it.
fn is_scalar(text: &str) -> bool {
    let mut parser = Parser::new();
    parser.parse_str(text).is_ok_and(|tree| {
        let root = tree.root();
        let kind = matches!(
            root.kind(),
            NodeKind::Number | NodeKind::True | NodeKind::False | NodeKind::Null
        );
        kind && root.raw() == text
    })
}

fn scalar<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    if is_scalar(&text) {
        return Ok(text);
    }
    Err(D::Error::custom("expected a JSON number, true, false or null"))
}
