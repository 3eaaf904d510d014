//! JSON as part of a line of text: values, acts and payloads on one line, and the JSON inside strings that Taskmaster-4
//! uses for requests and responses, either as a list of arguments or with its error.

use crate::dialog::{Act, ActSlot, Content, Field, Payload};
use crate::json::{NodeKind, Parser, Position, Value};

/// Returns the arguments in the text of a request or response, as pairs of name and value.
///
/// # Errors
/// If it is not JSON: the reason, with line and column in the text.
pub fn arguments(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut parser = Parser::new();
    match parser.parse_str(text) {
        Ok(tree) if tree.root().kind() == NodeKind::Object => {
            let name = |key: Value<'_>| key.as_str().unwrap_or_default().into_owned();
            let members = tree.root().members();
            Ok(members.map(|(key, value)| (name(key), text_of(value))).collect())
        }
        Ok(tree) => Ok(vec![(String::new(), text_of(tree.root()))]),
        Err(error) => Err(format!("{error}, at {}", Position::of(text.as_bytes(), error.at))),
    }
}

fn text_of(value: Value<'_>) -> String {
    let text = value.as_str().map(std::borrow::Cow::into_owned);
    text.unwrap_or_else(|| one_line(value.raw()))
}

/// Acts on one line, those of one name in a row together: `REQUEST date, time · INFORM movie=Dune`.
pub fn shown_acts(acts: &[Act]) -> String {
    let slot = |slot: &ActSlot| match &slot.value {
        Some(value) => format!("{}={}", slot.slot, shown(value)),
        None => slot.slot.to_string(),
    };
    let group = |acts: &[Act]| {
        let slots = acts.iter().flat_map(|act| &act.slots);
        let slots: Vec<_> = slots.map(slot).collect();
        let name = &acts[0].name;
        if slots.is_empty() { name.to_string() } else { format!("{name} {}", slots.join(", ")) }
    };
    let groups = acts.chunk_by(|one, next| one.name == next.name);
    groups.map(group).collect::<Vec<_>>().join(" · ")
}

/// Arguments or a response in one line.
pub struct ShownPayload {
    pub line: String,
    /// Why the line is not JSON, where it should be.
    pub broken: Option<String>,
}

/// Returns arguments or a response in one line: `date=May 3, time=noon`, or its text.
pub fn shown_payload(payload: &Payload) -> ShownPayload {
    let (line, broken) = match payload {
        Payload::Fields(fields) => (joined(fields.iter().map(shown_field)), None),
        Payload::Embedded { text, .. } => match arguments(text) {
            Ok(pairs) => (joined(pairs.iter().map(|(name, value)| pair(name, value))), None),
            Err(why) => (text.to_string(), Some(why)),
        },
        Payload::Text { text, .. } => (text.to_string(), None),
    };
    ShownPayload { line, broken }
}

fn joined(pairs: impl Iterator<Item = String>) -> String {
    pairs.collect::<Vec<_>>().join(", ")
}

fn pair(name: &str, value: &str) -> String {
    match name {
        "" => value.to_owned(),
        _ => format!("{name}={value}"),
    }
}

/// Returns a field with its name on one line, `date=May 3`; only its value if it has none.
pub fn shown_field(field: &Field) -> String {
    pair(&field.name, &shown(&field.content))
}

/// Returns the value of a field, on one line.
pub fn shown(content: &Content) -> String {
    match content {
        Content::Text(text) => text.to_string(),
        Content::Raw(raw) => one_line(raw),
    }
}

/// Returns a JSON text without line breaks: a space after each colon and comma, everything else as written. Needs
/// no tree, so the depth of nesting does not matter.
pub fn one_line(raw: &str) -> String {
    let mut line = String::with_capacity(raw.len());
    let (mut inside, mut escaped) = (false, false);
    for char in raw.chars() {
        match char {
            '"' if !escaped => {
                inside = !inside;
                line.push(char);
            }
            ' ' | '\n' | '\r' | '\t' if !inside => {}
            ':' | ',' if !inside => line.extend([char, ' ']),
            _ => line.push(char),
        }
        escaped = inside && char == '\\' && !escaped;
    }
    line
}
