//! Reads calls, their arguments and responses.

use super::description::{CallRule, JsonForm};
use super::trail::{Trail, joined};
use crate::dialog::{ApiCall, Content, Field, Payload, Short};
use crate::format::read::{content, extent, field as member_field};
use crate::json::{NodeKind, Value};

pub fn call(rule: &CallRule, trail: &mut Trail<'_>) -> ApiCall {
    let arguments = rule.arguments.as_ref().and_then(|arguments| {
        let value = trail.find(arguments.at())?.value()?;
        Some(payload(value, arguments.at().last_name(), arguments.json()))
    });
    let response = rule
        .response
        .as_ref()
        .filter(|response| response.later().is_none());
    let response = response.and_then(|response| {
        let (at, json) = (response.at(), response.json());
        if !at.is_several() {
            let value = trail.find(at)?.value()?;
            return Some(payload(value, at.last_name(), json));
        }
        let list = at.steps.len() - 1;
        let mut results: Option<Vec<Field>> = None;
        trail.each_of(at, list, &mut |trail| {
            let results = results.get_or_insert_default();
            let mut number = 0;
            trail.walk(&at.steps[list..], &mut |trail| {
                number += 1;
                results.extend(result(trail.here().value, at.last_name(), number));
            });
        });
        results.map(Payload::Fields)
    });
    ApiCall {
        name: joined(&rule.name, trail),
        answered_as: None,
        arguments,
        response,
        fields: Vec::new(),
        at: extent(trail.here().value),
    }
}

/// The fields of one of several results. From the second on, their names are numbered.
fn result<'a>(
    value: Value<'a>,
    name: &'a str,
    number: usize,
) -> impl Iterator<Item = Field> + use<'a> {
    let numbered = move |mut field: Field| {
        if number > 1 {
            field.name.push_str(&format!("_{number}"));
        }
        field
    };
    let is_object = value.kind() == NodeKind::Object;
    let whole = (!is_object).then(|| field(name, content(value), value));
    let members = value
        .members()
        .map(|(key, value)| member_field(key, value, true));
    whole.into_iter().chain(members).map(numbered)
}

pub fn payload(value: Value<'_>, name: &str, json: Option<JsonForm>) -> Payload {
    let embedded = |text: Short| Payload::Embedded {
        text,
        at: extent(value),
    };
    match (value.kind(), json, value.as_str()) {
        (NodeKind::Object, ..) => {
            let members = value.members();
            let fields = members.map(|(key, value)| member_field(key, value, true));
            Payload::Fields(fields.collect())
        }
        (_, Some(JsonForm::String), Some(text)) => embedded(text.into()),
        (_, Some(JsonForm::StringOrText), Some(text))
            if text.trim_start().starts_with(['{', '[']) =>
        {
            embedded(text.into())
        }
        (_, Some(JsonForm::StringOrText), Some(text)) => Payload::Text {
            text: text.into(),
            at: extent(value),
        },
        _ => Payload::Fields(vec![field(name, content(value), value)]),
    }
}

/// A field without a name in the text.
fn field(name: &str, content: Content, value: Value<'_>) -> Field {
    Field {
        name: name.into(),
        content,
        known: true,
        at: extent(value),
    }
}
