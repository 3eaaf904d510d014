//! The part of the oracle that is about API calls.

use turnwise::dialog::{CallPart, Edit, NamedValue};

use super::super::style::Style;
use super::super::value::Json;
use super::exchange::{json, remove};
use super::{append, list, ordered, set, sibling};

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
        Edit::SetValue { call, part, name, value, .. } => {
            let call = &mut list(turn, "apis")[*call];
            set(call.get_mut(key(part)).expect("values"), name, json(value));
        }
        Edit::RenameValue { call, part, name, to, .. } => {
            let call = &mut list(turn, "apis")[*call];
            if let Some(Json::Object(members)) = call.get_mut(key(part)) {
                let old = members.iter_mut().find(|(key, _)| key == name);
                to.clone_into(&mut old.expect("it").0);
            }
        }
        Edit::RemoveValue { call, part, name, .. } => {
            let call = &mut list(turn, "apis")[*call];
            remove(call.get_mut(key(part)).expect("values"), name);
        }
        _ => unreachable!(),
    }
}

/// The values of a new call, in an object.
pub fn values(values: &[NamedValue]) -> Json {
    let members = values.iter().map(|v| (v.name.clone(), json(&v.value)));
    Json::Object(members.collect())
}

/// An object as JSON in a string, laid out as the first such text that is not empty: of this turn and those before
/// it, from the last on, then of those behind.
pub fn in_string<'t>(mut like: impl Iterator<Item = &'t str>, object: &Json) -> Json {
    let is_filled = |text: &&str| Json::parse(text).is_ok_and(|json| !json.members().is_empty());
    let like = like.find(is_filled).unwrap_or(r#"{"a": 1}"#);
    // One member shows no comma: a space follows it if one follows the colon.
    let like = match (like.contains([',', '\n']), like.contains("\": ")) {
        (true, _) => like,
        (false, true) => r#"{"a": "b", "c": "d"}"#,
        (false, false) => r#"{"a":"b","c":"d"}"#,
    };
    let style = Style::of(like, like).unwrap_or_else(|| panic!("a style: {like}"));
    Json::String(style.render(object))
}

pub fn add(family: &str, turn: &mut Json, dialog: &Json, edit: &Edit) {
    let Edit::AddCall { turn: at, name, arguments, response } = edit else { unreachable!() };
    if family == "taskmaster-3" {
        let utterances = dialog.get("utterances").expect("turns").elements();
        let mut calls = utterances.iter().filter_map(|u| u.get("apis"));
        let is_numbered =
            calls.any(|apis| apis.elements().iter().any(|a| a.get("index").is_some()));
        let index = turn.get("index").filter(|_| is_numbered).cloned();
        let mut members: Vec<_> = index.map(|index| ("index", index)).into_iter().collect();
        members.push(("name", Json::text(name)));
        members.push(("args", values(arguments)));
        members.extend(response.as_ref().map(|response| ("response", values(response))));
        let new = ordered(sibling(turn, dialog, "apis"), members);
        return append(turn, dialog, "apis", new);
    }
    let utterances = dialog.get("utterances").expect("turns").elements();
    let all = |number: usize| {
        let of = utterances[number].get("annotations");
        of.map_or(&[][..], Json::elements).iter()
    };
    let text = |annotation: &'_ Json, key: &str| {
        annotation.get(key).and_then(Json::as_str).unwrap_or_default().to_owned()
    };
    let numbers = (0..utterances.len()).flat_map(all).filter_map(|annotation| {
        text(annotation, "context").rsplit('_').next()?.parse::<u32>().ok()
    });
    let number = numbers.max().map_or(0, |last| last + 1);
    // In the order in which the texts of a kind are near.
    let order = (0..=*at).rev().chain(at + 1..utterances.len());
    let texts = |kind: &str| -> Vec<String> {
        let of_kind = order.clone().flat_map(|number| {
            let calls = calls(&utterances[number]);
            let list = utterances[number].get("annotations").map_or(&[][..], Json::elements);
            let place = |call: &Call| {
                if kind == "request" { call.request } else { call.response }
            };
            let places: Vec<_> = calls.iter().rev().filter_map(place).collect();
            places.into_iter().map(|place| text(&list[place], "value")).collect::<Vec<_>>()
        });
        of_kind.collect()
    };
    let new = |kind: &str, value: Json, context: &str| {
        let members = vec![
            ("name", Json::text(kind)),
            ("value", value),
            ("context", Json::String(format!("{context}_{number}"))),
        ];
        ordered(sibling(turn, dialog, "annotations"), members)
    };
    let requests = texts("request");
    let requests = requests.iter().map(String::as_str);
    let mut all = vec![
        new("api_call", Json::text(name), "api_call"),
        new("request", in_string(requests, &values(arguments)), "api_call"),
    ];
    if let Some(response) = response {
        let responses = texts("response");
        let responses = responses.iter().map(String::as_str);
        let response = in_string(responses, &values(response));
        all.push(new("api_response", Json::text(name), "api_response"));
        all.push(new("response", response, "api_response"));
    }
    for annotation in all {
        append(turn, dialog, "annotations", annotation);
    }
}

pub fn remove_call(family: &str, turn: &mut Json, call: usize) {
    if family == "taskmaster-3" {
        list(turn, "apis").remove(call);
        if list(turn, "apis").is_empty() {
            remove(turn, "apis");
        }
        return;
    }
    let of = &calls(turn)[call];
    let mut places: Vec<_> = [of.made, of.request, of.response].into_iter().flatten().collect();
    places.extend(&of.again);
    places.sort_unstable();
    for place in places.into_iter().rev() {
        list(turn, "annotations").remove(place);
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
        let number = context.rsplit('_').next().filter(|n| n.parse::<u32>().is_ok());
        let number = number.map(str::to_owned);
        let same = calls.iter().rposition(|call| call.context == number && number.is_some());
        let kind = text(annotation, "name").unwrap_or_default();
        let call = match (kind.as_str(), same) {
            ("api_call", _) | ("request" | "response", None) => {
                calls.push(Call { context: number, ..Call::default() });
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
                set(&mut list(turn, "annotations")[again], "value", Json::text(name));
            }
            (calls[*call].made, name)
        }
        Edit::SetJson { call, part, text, .. } => match part {
            CallPart::Arguments => (calls[*call].request, text),
            CallPart::Response => (calls[*call].response, text),
        },
        _ => unreachable!(),
    };
    let annotation = &mut list(turn, "annotations")[at.expect("it")];
    set(annotation, "value", Json::text(text));
}
