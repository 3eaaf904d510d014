//! Checks a value against the part of JSON Schema that declarations of tools use: `type`, `enum`,
//! `properties`, `required`, `items`. Where a schema says more (`anyOf`, `$ref`), anything is accepted.

use std::fmt::Write as _;
use std::ops::Range;

use crate::format::brief;
use crate::json::{NodeKind, Value};
use crate::ontology::near;

/// A value that does not follow its schema. Names are the way to a value: `flights[0].date`.
#[derive(Debug)]
pub enum SchemaFault {
    Missing(String),
    Unknown {
        name: String,
        /// Names that the schema has and the value lacks.
        near: Vec<String>,
    },
    Type {
        name: String,
        expected: String,
        found: String,
        /// A new text for bytes of the value's text, if it is clear how the value is meant.
        better: Option<(Range<usize>, String)>,
    },
}

impl SchemaFault {
    /// Returns the name that an unknown one is meant to be, if that is clear.
    pub fn meant(&self) -> Option<&String> {
        match self {
            Self::Unknown { near, .. } => near.first().filter(|_| near.len() == 1),
            _ => None,
        }
    }
}

/// The depth down to which nested values are checked.
const DEEPEST: usize = 12;

/// Returns the faults of `value`, about `most` of them.
pub fn check(schema: Value<'_>, value: Value<'_>, most: usize) -> Vec<SchemaFault> {
    let mut found = Vec::new();
    at(schema, value, &mut Vec::new(), &mut found, most);
    found
}

/// A step on the way to a value.
enum Step<'v> {
    Member(Value<'v>),
    Element(usize),
}

fn name(way: &[Step<'_>], last: Option<&str>) -> String {
    let mut name = String::new();
    let member = |key: &str, name: &mut String| {
        if !name.is_empty() {
            name.push('.');
        }
        name.push_str(key);
    };
    for step in way {
        match step {
            Step::Member(key) => member(&key.as_str().unwrap_or_default(), &mut name),
            Step::Element(number) => _ = write!(name, "[{number}]"),
        }
    }
    if let Some(last) = last {
        member(last, &mut name);
    }
    name
}

/// The members of a schema that this check understands.
#[derive(Default)]
struct Schema<'s> {
    types: Option<Value<'s>>,
    listed: Option<Value<'s>>,
    items: Option<Value<'s>>,
    properties: Option<Value<'s>>,
    others: Option<Value<'s>>,
    patterns: Option<Value<'s>>,
    required: Option<Value<'s>>,
}

impl<'s> Schema<'s> {
    /// Reads a schema in one pass; None if it is not an object, or has members that are not understood.
    fn of(schema: Value<'s>) -> Option<Self> {
        if schema.kind() != NodeKind::Object {
            return None;
        }
        let mut read = Self::default();
        for (key, value) in schema.members() {
            let place = match key.as_str()?.as_ref() {
                "type" => &mut read.types,
                "enum" => &mut read.listed,
                "items" => &mut read.items,
                "properties" => &mut read.properties,
                "additionalProperties" => &mut read.others,
                "patternProperties" => &mut read.patterns,
                "required" => &mut read.required,
                "$ref" | "anyOf" | "oneOf" | "allOf" | "not" | "if" | "$dynamicRef" => return None,
                _ => continue,
            };
            *place = Some(value);
        }
        Some(read)
    }
}

fn at<'v>(
    schema: Value<'_>,
    value: Value<'v>,
    way: &mut Vec<Step<'v>>,
    found: &mut Vec<SchemaFault>,
    most: usize,
) {
    if way.len() > DEEPEST || found.len() >= most {
        return;
    }
    let Some(schema) = Schema::of(schema) else {
        return;
    };
    if let Some(fault) = wrong_type(&schema, value, way).or_else(|| not_listed(&schema, value, way))
    {
        found.push(fault);
        return;
    }
    if let Some(items) = schema.items {
        for (number, element) in value.elements().enumerate() {
            way.push(Step::Element(number));
            at(items, element, way, found, most);
            way.pop();
        }
    }
    if value.kind() == NodeKind::Object {
        object(&schema, value, way, found, most);
    }
}

fn object<'v>(
    schema: &Schema<'_>,
    value: Value<'v>,
    way: &mut Vec<Step<'v>>,
    found: &mut Vec<SchemaFault>,
    most: usize,
) {
    let known = schema.properties.filter(|v| v.kind() == NodeKind::Object);
    let others = schema.others;
    let open =
        others.is_some_and(|others| others.kind() != NodeKind::False) || schema.patterns.is_some();
    for (key, member) in value.members() {
        let text = key.as_str().unwrap_or_default();
        match known.and_then(|known| known.get(&text)) {
            Some(schema) => {
                way.push(Step::Member(key));
                at(schema, member, way, found, most);
                way.pop();
            }
            // Inside an argument, other members are allowed unless the schema says otherwise.
            None if known.is_some() && !open && (way.is_empty() || others.is_some()) => {
                let keys = known.into_iter().flat_map(Value::members);
                let keys: Vec<_> = keys.filter_map(|(key, _)| key.as_str()).collect();
                let free = keys.iter().filter(|key| value.get(key).is_none());
                let near = near(&text, free.map(AsRef::as_ref));
                found.push(SchemaFault::Unknown {
                    name: name(way, Some(&text)),
                    near: near.iter().map(|near| near.name.to_owned()).collect(),
                });
            }
            None => {}
        }
    }
    for required in schema.required.into_iter().flat_map(Value::elements) {
        if let Some(required) = required.as_str()
            && value.get(&required).is_none()
        {
            found.push(SchemaFault::Missing(name(way, Some(&required))));
        }
    }
}

fn is_type(kind: &str, value: Value<'_>) -> bool {
    match kind {
        "string" => value.kind() == NodeKind::String,
        "integer" => value.as_integer().is_some() || is_whole(value),
        "number" => value.kind() == NodeKind::Number,
        "boolean" => matches!(value.kind(), NodeKind::True | NodeKind::False),
        "array" => value.kind() == NodeKind::Array,
        "object" => value.kind() == NodeKind::Object,
        "null" => value.kind() == NodeKind::Null,
        // Some declarations use the names of another language.
        _ => true,
    }
}

/// True for a large number without a fraction.
fn is_whole(value: Value<'_>) -> bool {
    value.as_number().is_some_and(|number| number.fract() == 0.0)
}

fn wrong_type(schema: &Schema<'_>, value: Value<'_>, way: &[Step<'_>]) -> Option<SchemaFault> {
    let kinds = schema.types?;
    let one = kinds.as_str();
    let all = || one.iter().cloned().chain(kinds.elements().filter_map(Value::as_str));
    if all().next().is_none() || all().any(|kind| is_type(&kind, value)) {
        return None;
    }
    let names: Vec<_> = all().map(|kind| with_article(&kind)).collect();
    let better = all().find_map(|kind| as_type(&kind, value));
    let Range { start, end } = value.range().bytes();
    Some(SchemaFault::Type {
        name: name(way, None),
        expected: names.join(" or "),
        found: brief(value),
        better: better.map(|better| (start..end, better)),
    })
}

fn with_article(kind: &str) -> String {
    match kind {
        "null" => kind.to_owned(),
        "integer" | "array" | "object" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

/// Returns the value written as another type, if that loses nothing: `"4"` as an integer, `4` as a string.
fn as_type(kind: &str, value: Value<'_>) -> Option<String> {
    let text = value.as_str();
    let text = text.as_deref().map(str::trim);
    match kind {
        "integer" | "number" => {
            let text = text?;
            let mut parser = crate::json::Parser::new();
            let tree = parser.parse_str(text).ok()?;
            is_type(kind, tree.root()).then(|| text.to_owned())
        }
        "boolean" => {
            let text = text?.to_ascii_lowercase();
            matches!(text.as_str(), "true" | "false").then_some(text)
        }
        "string" => {
            matches!(value.kind(), NodeKind::Number).then(|| format!("\"{}\"", value.raw()))
        }
        _ => None,
    }
}

fn not_listed(schema: &Schema<'_>, value: Value<'_>, way: &[Step<'_>]) -> Option<SchemaFault> {
    let list = schema.listed.filter(|v| v.kind() == NodeKind::Array)?;
    let text = value.as_str();
    let same = |listed: Value<'_>| match &text {
        Some(text) => listed.is_text(text),
        None => {
            listed.raw() == value.raw()
                || listed.as_number().is_some() && listed.as_number() == value.as_number()
        }
    };
    if value.is_container() || list.elements().any(same) {
        return None;
    }
    let texts: Vec<_> = list.elements().filter_map(Value::as_str).collect();
    let near = text.map_or_else(Vec::new, |text| near(&text, texts.iter().map(AsRef::as_ref)));
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let listed: Vec<_> = list.elements().take(5).map(brief).collect();
    let Range { start, end } = value.range().bytes();
    Some(SchemaFault::Type {
        name: name(way, None),
        expected: format!("one of {}", listed.join(", ")),
        found: brief(value),
        better: match &near[..] {
            [only] => Some((start..end, quoted(only.name))),
            _ => None,
        },
    })
}
