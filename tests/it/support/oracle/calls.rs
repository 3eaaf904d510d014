//! The part of the oracle that is about API calls.

use turnwise::dialog::{CallPart, Edit};

use super::super::value::Json;
use super::exchange::{json, remove};
use super::{list, set};

pub fn apply(family: &str, turn: &mut Json, edit: &Edit) {
    if family == "taskmaster-4" {
        return embedded(turn, edit);
    }
    let key = |part: &CallPart| match part {
        CallPart::Arguments => "args",
        CallPart::Response => "response",
    };
    match edit {
        Edit::SetApi { call, name, .. } => {
            set(&mut list(turn, "apis")[*call], "name", Json::text(name));
        }
        Edit::SetValue {
            call,
            part,
            name,
            value,
            ..
        } => {
            let call = &mut list(turn, "apis")[*call];
            set(call.get_mut(key(part)).expect("values"), name, json(value));
        }
        Edit::RenameValue {
            call,
            part,
            name,
            to,
            ..
        } => {
            let call = &mut list(turn, "apis")[*call];
            if let Some(Json::Object(members)) = call.get_mut(key(part)) {
                let old = members.iter_mut().find(|(key, _)| key == name);
                to.clone_into(&mut old.expect("it").0);
            }
        }
        Edit::RemoveValue {
            call, part, name, ..
        } => {
            let call = &mut list(turn, "apis")[*call];
            remove(call.get_mut(key(part)).expect("values"), name);
        }
        _ => unreachable!(),
    }
}

/// The annotations that make up one call of Taskmaster-4, by their position.
#[derive(Default)]
struct Call {
    context: Option<String>,
    made: Option<usize>,
    request: Option<usize>,
    response: Option<usize>,
    again: Option<usize>,
}

fn calls(turn: &Json) -> Vec<Call> {
    let annotations = turn.get("annotations").map_or(&[][..], Json::elements);
    let text = |json: &Json, key: &str| json.get(key).and_then(Json::as_str).map(str::to_owned);
    let mut calls: Vec<Call> = Vec::new();
    for (i, annotation) in annotations.iter().enumerate() {
        let context = text(annotation, "context").unwrap_or_default();
        let number = context
            .rsplit('_')
            .next()
            .filter(|n| n.parse::<u32>().is_ok());
        let number = number.map(str::to_owned);
        let same = calls
            .iter()
            .rposition(|call| call.context == number && number.is_some());
        let kind = text(annotation, "name").unwrap_or_default();
        let call = match (kind.as_str(), same) {
            ("api_call", _) | ("request" | "response", None) => {
                calls.push(Call {
                    context: number,
                    ..Call::default()
                });
                calls.len() - 1
            }
            (_, Some(same)) => same,
            _ => continue,
        };
        match kind.as_str() {
            "api_call" => calls[call].made = Some(i),
            "request" => calls[call].request = Some(i),
            "response" => calls[call].response = Some(i),
            "api_response" => calls[call].again = Some(i),
            _ => {}
        }
    }
    calls
}

fn embedded(turn: &mut Json, edit: &Edit) {
    let calls = calls(turn);
    let (at, text) = match edit {
        Edit::SetApi { call, name, .. } => {
            if let Some(again) = calls[*call].again {
                set(
                    &mut list(turn, "annotations")[again],
                    "value",
                    Json::text(name),
                );
            }
            (calls[*call].made, name)
        }
        Edit::SetJson {
            call, part, text, ..
        } => match part {
            CallPart::Arguments => (calls[*call].request, text),
            CallPart::Response => (calls[*call].response, text),
        },
        _ => unreachable!(),
    };
    let annotation = &mut list(turn, "annotations")[at.expect("it")];
    set(annotation, "value", Json::text(text));
}
