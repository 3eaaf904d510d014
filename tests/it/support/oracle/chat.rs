//! The part of the oracle that is about chats of messages.

use turnwise::dialog::{CallPart, Edit};

use super::super::value::Json;
use super::calls::{in_string, values};
use super::exchange::{json, remove};
use super::{insert, list, ordered, set};

/// The lists of messages of a dialog, in their order.
fn lists(dialog: &Json) -> Vec<&'static str> {
    let all = ["messages", "conversation", "conversations", "traj"];
    if let Some(one) = all.iter().find(|key| dialog.get(key).is_some()) {
        return vec![one];
    }
    let is_list = |key: &str| matches!(dialog.get(key), Some(Json::Array(_)));
    let answer = ["chosen", "completion"].into_iter().find(|key| is_list(key));
    let prompt = ["prompt"].into_iter().filter(|key| is_list(key));
    let lists: Vec<_> = prompt.chain(answer).collect();
    if lists.is_empty() && dialog.get("conversation_b").is_some() {
        return vec!["conversation_a"];
    }
    lists
}

fn message(dialog: &mut Json, number: usize) -> &mut Json {
    let (list, at) = place(dialog, number);
    &mut list[at]
}

/// The list that holds a message, and its place in that.
pub fn place(dialog: &mut Json, mut number: usize) -> (&mut Vec<Json>, usize) {
    for key in lists(dialog) {
        let length = list(dialog, key).len();
        if number < length {
            return (list(dialog, key), number);
        }
        number -= length;
    }
    panic!("no message {number}");
}

pub fn count(dialog: &Json) -> usize {
    let length = |key: &&str| dialog.get(key).map_or(0, |list| list.elements().len());
    lists(dialog).iter().map(length).sum()
}

fn text<'a>(json: &'a Json, key: &str) -> Option<&'a str> {
    json.get(key).and_then(Json::as_str)
}

/// The ids of the calls of a message; None for a call without an id.
fn calls(message: &Json) -> Vec<Option<String>> {
    let calls = message.get("tool_calls").map_or(&[][..], Json::elements);
    let id = |call: &Json| text(call, "id").map(str::to_owned);
    let mut calls: Vec<_> = calls.iter().map(id).collect();
    let old = message.get("function_call").filter(|v| !v.members().is_empty());
    calls.extend(old.map(|_| None));
    calls
}

/// The message that answers a call, found by going through all messages in their order.
fn answer(dialog: &mut Json, turn: usize, call: usize) -> Option<usize> {
    let mut open: Vec<(usize, usize, Option<String>)> = Vec::new();
    let mut waiting = None;
    for number in 0..count(dialog) {
        let message = message(dialog, number);
        let role = text(message, "role").unwrap_or_default().to_owned();
        if role == "user" || role == "assistant" {
            waiting = None;
        }
        for (place, id) in calls(message).into_iter().enumerate() {
            waiting = Some(number);
            open.push((number, place, id));
        }
        if role != "tool" && role != "function" {
            continue;
        }
        let place = match text(message, "tool_call_id") {
            Some(id) => {
                // The first call with this id in the last message that has one.
                let has_id = |call: &&(usize, usize, Option<String>)| call.2.as_deref() == Some(id);
                let last = open.iter().rev().find(has_id).map(|(asked, ..)| *asked);
                open.iter().position(|call| has_id(&call) && Some(call.0) == last)
            }
            None => open.iter().position(|(asked, ..)| Some(*asked) == waiting),
        };
        if let Some(place) = place {
            let (asked, place, _) = open.remove(place);
            if (asked, place) == (turn, call) {
                return Some(number);
            }
        }
    }
    None
}

/// True for a call whose `function` is its name, as in logs of Inspect.
fn is_named(call: &Json) -> bool {
    text(call, "function").is_some()
}

/// The object with the name and the arguments of a call.
fn function(message: &mut Json, call: usize) -> &mut Json {
    let count = message.get("tool_calls").map_or(0, |calls| calls.elements().len());
    if call == count {
        return message.get_mut("function_call").expect("a call");
    }
    let call = &mut list(message, "tool_calls")[call];
    if matches!(call.get("function"), Some(Json::Object(_))) {
        return call.get_mut("function").expect("just seen");
    }
    call
}

fn set_content(dialog: &mut Json, number: usize, new: &str) {
    let whole = dialog.clone();
    let message = message(dialog, number);
    match message.get_mut("content") {
        Some(Json::Array(parts)) => {
            let part = parts.iter_mut().find(|part| text(part, "type") == Some("text"));
            let part = part.expect("a text");
            let key = if part.get("value").is_some() { "value" } else { "text" };
            set(part, key, Json::text(new));
        }
        // What has no text keeps its null if it gets none.
        Some(content) if content.as_str().is_some() || !new.is_empty() => {
            *content = Json::text(new);
        }
        Some(_) => {}
        None => insert(message, &whole, "content", Json::text(new)),
    }
}

/// Adds a call with an id that no other has, in the form of the others.
fn add_call(dialog: &mut Json, edit: &Edit) {
    let Edit::AddCall { turn, name, arguments, .. } = edit else { unreachable!() };
    let whole = dialog.clone();
    let all: Vec<Json> = (0..count(dialog)).map(|number| message(dialog, number).clone()).collect();
    let of =
        |message: &Json| message.get("tool_calls").map_or(Vec::new(), |c| c.elements().to_vec());
    let order = (0..=*turn).rev().chain(turn + 1..all.len());
    let near: Vec<Json> = order
        .flat_map(|number| {
            let mut calls = of(&all[number]);
            // From the last call before the new one on; behind it, the first counts.
            calls.reverse();
            calls
        })
        .collect();
    let before: Vec<Json> = (0..=*turn).flat_map(|number| of(&all[number])).collect();
    let after = (turn + 1..all.len()).flat_map(|number| of(&all[number]));
    let like = before.last().cloned().or_else(|| after.clone().next());
    let ids: Vec<String> = before
        .iter()
        .cloned()
        .chain(after)
        .filter_map(|call| text(&call, "id").map(str::to_owned))
        .collect();
    let id = (1..=ids.len() + 1).map(|n| format!("call_{n}")).find(|id| !ids.contains(id)).unwrap();
    let inner = |call: &Json| call.get("function").unwrap_or(call).clone();
    let texts: Vec<String> =
        near.iter().filter_map(|call| text(&inner(call), "arguments").map(str::to_owned)).collect();
    let are_objects = like
        .as_ref()
        .is_some_and(|like| matches!(inner(like).get("arguments"), Some(Json::Object(_))));
    let given = if are_objects {
        values(arguments)
    } else {
        in_string(texts.iter().map(String::as_str), &values(arguments))
    };
    let function = vec![("name", Json::text(name)), ("arguments", given)];
    let place = before.iter().rev().take(of(&all[*turn]).len()).count();
    let known = |key: &str| like.as_ref().is_none_or(|like| like.get(key).is_some());
    let mut members = Vec::new();
    if known("id") {
        members.push(("id", Json::String(id)));
    }
    if known("type") {
        let kind = like.as_ref().and_then(|like| like.get("type")).cloned();
        members.push(("type", kind.unwrap_or_else(|| Json::text("function"))));
    }
    if like.as_ref().is_some_and(|like| like.get("index").is_some()) {
        members.push(("index", Json::number(place as u32)));
    }
    let nested = like.as_ref().is_none_or(|like| like.get("function").is_some());
    if like.as_ref().is_some_and(is_named) {
        members.extend(function.into_iter().map(|(key, value)| match key {
            "name" => ("function", value),
            _ => (key, value),
        }));
    } else if nested {
        let like = like.as_ref().and_then(|like| like.get("function"));
        members.push(("function", ordered(like, function)));
    } else {
        members.extend(function);
    }
    let new = ordered(like.as_ref(), members);
    let message = message(dialog, *turn);
    match message.get_mut("tool_calls") {
        Some(Json::Array(calls)) => calls.push(new),
        Some(other) => *other = Json::Array(vec![new]),
        None => insert(message, &whole, "tool_calls", Json::Array(vec![new])),
    }
}

pub fn apply(dialog: &mut Json, edit: &Edit) {
    let turn = edit.turn();
    match edit {
        Edit::AddCall { .. } => add_call(dialog, edit),
        Edit::RemoveCall { call, .. } => {
            let message = message(dialog, turn);
            let count = message.get("tool_calls").map_or(0, |c| c.elements().len());
            if *call == count {
                remove(message, "function_call");
            } else if count == 1 {
                remove(message, "tool_calls");
            } else {
                list(message, "tool_calls").remove(*call);
            }
        }
        Edit::SetText { text, .. } => set_content(dialog, turn, text),
        Edit::SetSpeaker { speaker, .. } => {
            set(message(dialog, turn), "role", Json::text(speaker));
        }
        Edit::SetApi { call, name, .. } => {
            let answer = answer(dialog, turn, *call);
            let function = function(message(dialog, turn), *call);
            let key = if is_named(function) { "function" } else { "name" };
            set(function, key, Json::text(name));
            if let Some(answer) = answer.map(|number| message(dialog, number))
                && text(answer, "name").is_some()
            {
                set(answer, "name", Json::text(name));
            }
        }
        Edit::SetJson { call, part: CallPart::Response, text, .. } => {
            let answer = answer(dialog, turn, *call).expect("an answer");
            set_content(dialog, answer, text);
        }
        Edit::SetJson { call, text, .. } => {
            let function = function(message(dialog, turn), *call);
            set(function, "arguments", Json::text(text));
        }
        Edit::SetValue { call, name, value, .. } => {
            let function = function(message(dialog, turn), *call);
            set(function.get_mut("arguments").expect("values"), name, json(value));
        }
        Edit::RenameValue { call, name, to, .. } => {
            let function = function(message(dialog, turn), *call);
            if let Some(Json::Object(members)) = function.get_mut("arguments") {
                let old = members.iter_mut().find(|(key, _)| key == name);
                to.clone_into(&mut old.expect("it").0);
            }
        }
        Edit::RemoveValue { call, name, .. } => {
            let function = function(message(dialog, turn), *call);
            remove(function.get_mut("arguments").expect("values"), name);
        }
        _ => unreachable!(),
    }
}
