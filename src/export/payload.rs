//! The arguments and responses of API calls as JSON.

use crate::dialog::{Content, Payload};
use crate::format::embedded::one_line;
use crate::json::output;

/// Returns a value as JSON.
pub fn json(content: &Content) -> String {
    match content {
        // Cannot fail: it is a string.
        Content::Text(text) => output::to_string(&text.as_str()).unwrap_or_default(),
        Content::Raw(raw) => one_line(raw),
    }
}

/// Returns a payload as text: that of the corpus, or JSON of its value or its fields; None if it is null.
pub fn text(payload: &Payload) -> Option<String> {
    if let Some(value) = payload.value() {
        return Some(json(value)).filter(|value| value != "null");
    }
    Some(match payload {
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => text.to_string(),
        Payload::Fields(fields) => {
            let field = |field: &crate::dialog::Field| {
                let name = output::to_string(&field.name.as_str()).unwrap_or_default();
                format!("{name}: {}", json(&field.content))
            };
            let fields: Vec<_> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(", "))
        }
    })
}

/// Returns the fields of a payload with their values: texts as they are, everything else as JSON. A text that is
/// not a JSON object has none, and neither has a value without a name.
pub fn fields(payload: &Payload) -> Vec<(String, String)> {
    match payload {
        Payload::Fields(_) if payload.value().is_some() => Vec::new(),
        Payload::Fields(fields) => {
            let pair = |field: &crate::dialog::Field| {
                let value = match &field.content {
                    Content::Text(text) => text.to_string(),
                    Content::Raw(raw) => one_line(raw),
                };
                (field.name.to_string(), value)
            };
            fields.iter().map(pair).collect()
        }
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => {
            let named = crate::format::embedded::arguments(text).unwrap_or_default();
            let is_named = |(name, _): &(String, String)| !name.is_empty();
            named.into_iter().filter(is_named).collect()
        }
    }
}
