//! Writes new values as text, in the layout of an example or of their surroundings.

use super::edit::Editor;
use super::layout::{Gaps, NewContainer, around_key, indent_of, last_indent, reindent};
use super::lookup::TextLookup;
use super::tree::{NodeKind, Value};

/// A value to write.
#[derive(Clone, Debug, PartialEq)]
pub enum NewValue {
    Null,
    Bool(bool),
    Integer(i64),
    /// A number or any other JSON text, written as it is.
    Raw(String),
    String(String),
    Array(Vec<NewValue>),
    /// An object whose members are written in the order of the example.
    Object(Vec<(String, NewValue)>),
    /// An object whose names are data; its members keep their order.
    Map(Vec<(String, NewValue)>),
}

impl NewValue {
    fn kind(&self) -> Option<NodeKind> {
        match self {
            Self::Array(_) => Some(NodeKind::Array),
            Self::Object(_) | Self::Map(_) => Some(NodeKind::Object),
            _ => None,
        }
    }

    fn holds_containers(&self) -> bool {
        match self {
            Self::Array(items) => items.iter().any(|v| v.kind().is_some()),
            Self::Object(members) | Self::Map(members) => {
                members.iter().any(|(_, v)| v.kind().is_some())
            }
            _ => false,
        }
    }
}

/// The place of a new value.
#[derive(Clone, Copy)]
pub(super) struct NewValuePlace<'p> {
    /// The indentation of its line.
    indent: &'p str,
    /// True if its parent is on one line.
    on_one_line: bool,
    /// Its byte offset in the text.
    at: usize,
}

impl<'p> NewValuePlace<'p> {
    /// Between the brackets of `container`.
    pub fn inside(lookup: &TextLookup<'_>, container: Value<'_>, indent: &'p str) -> Self {
        Self {
            indent,
            on_one_line: lookup.is_on_one_line(container),
            at: container.range().start as usize,
        }
    }

    /// In place of `value`.
    pub fn of(lookup: &TextLookup<'p>, value: Value<'_>) -> Self {
        let parent = lookup.parent(value);
        Self {
            indent: indent_of(lookup, value),
            on_one_line: parent.is_some_and(|parent| lookup.is_on_one_line(parent)),
            at: value.range().start as usize,
        }
    }
}

impl<'a> Editor<'a> {
    pub(super) fn string(&self, text: &str, out: &mut String) {
        out.push('"');
        self.escapes.encode(text, out);
        out.push('"');
    }

    /// Writes `new` in the layout of the value `like`.
    pub(super) fn render(
        &self,
        new: &NewValue,
        like: Option<Value<'a>>,
        place: NewValuePlace<'_>,
        out: &mut String,
    ) {
        match new {
            NewValue::Null => out.push_str("null"),
            NewValue::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            NewValue::Integer(number) => out.push_str(&number.to_string()),
            NewValue::Raw(text) => out.push_str(text),
            NewValue::String(text) => self.string(text, out),
            NewValue::Array(items) => {
                let like = like.filter(|v| v.kind() == NodeKind::Array);
                let first = like.and_then(|v| v.elements().next());
                let items: Vec<_> = items.iter().map(|item| (None, item, first)).collect();
                self.container(new, &items, like, place, out);
            }
            NewValue::Object(members) | NewValue::Map(members) => {
                let like = like.filter(|v| v.kind() == NodeKind::Object);
                let mut members: Vec<_> = members
                    .iter()
                    .map(|(key, value)| (Some(key.as_str()), value, like.and_then(|v| v.get(key))))
                    .collect();
                let there = |key: Option<&str>| {
                    like?.members().position(|(k, _)| key.is_some_and(|key| k.is_text(key)))
                };
                if matches!(new, NewValue::Object(_)) {
                    members.sort_by_key(|(key, _, _)| there(*key).unwrap_or(usize::MAX));
                }
                self.container(new, &members, like, place, out);
            }
        }
    }

    fn container(
        &self,
        new: &NewValue,
        items: &[(Option<&str>, &NewValue, Option<Value<'a>>)],
        like: Option<Value<'a>>,
        place: NewValuePlace<'_>,
        out: &mut String,
    ) {
        let kind = new.kind().unwrap_or(NodeKind::Array);
        let (open, close) = if kind == NodeKind::Object { ('{', '}') } else { ('[', ']') };
        out.push(open);
        if !items.is_empty() {
            let wanted = NewContainer {
                kind,
                of_containers: new.holds_containers(),
                on_one_line: place.on_one_line,
                at: place.at,
            };
            let gaps = like
                .and_then(|v| Gaps::of(&self.lookup, v, 1))
                .unwrap_or_else(|| Gaps::like(&self.lookup, wanted));
            let here = |gap: &str| reindent(gap, &gaps.indent, place.indent);
            let lead = here(&gaps.lead);
            for (i, (key, value, value_like)) in items.iter().enumerate() {
                // A member that the example also has gets its layout from there.
                let there = key.and_then(|key| around_key(like?, key));
                let (before, colon) = there.unwrap_or((None, &gaps.colon));
                let gap = if i == 0 { lead.clone() } else { here(before.unwrap_or(&gaps.between)) };
                out.push_str(&gap);
                if let Some(key) = key {
                    self.string(key, out);
                    out.push_str(&here(colon));
                }
                let indent = last_indent(&gap).or(last_indent(&lead));
                let inner = NewValuePlace {
                    indent: indent.unwrap_or(place.indent),
                    on_one_line: place.on_one_line
                        || like.is_some_and(|v| self.lookup.is_on_one_line(v)),
                    ..place
                };
                self.render(value, *value_like, inner, out);
            }
            out.push_str(&here(&gaps.tail));
        }
        out.push(close);
    }
}
