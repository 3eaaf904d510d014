//! The part of the oracle that is about chats of `ShareGPT`.

use turnwise::dialog::{CallPart, Edit};

use super::super::style::Style;
use super::super::value::Json;
use super::exchange::{json, remove};
use super::{list, set};

fn message(dialog: &mut Json, number: usize) -> &mut Json {
    &mut list(dialog, "conversations")[number]
}

/// Changes a call in the JSON of a message's value, which is printed as it was.
fn change(dialog: &mut Json, edit: &Edit, call: usize, change: impl Fn(&mut Json)) {
    let message = message(dialog, edit.turn());
    let text = message.get("value").and_then(Json::as_str).expect("a text").to_owned();
    let mut inner = Json::parse(&text).expect("a call");
    match &mut inner {
        Json::Array(calls) => change(&mut calls[call]),
        one => change(one),
    }
    let style = Style::of(&text, &text).expect("a style");
    set(message, "value", Json::text(&style.render(&inner)));
}

pub fn apply(dialog: &mut Json, edit: &Edit) {
    match edit {
        Edit::SetSpeaker { turn, speaker } => {
            set(message(dialog, *turn), "from", Json::text(speaker));
        }
        Edit::SetText { turn, text, .. } => set(message(dialog, *turn), "value", Json::text(text)),
        Edit::SetJson { turn, call, part: CallPart::Response, text } => {
            set(message(dialog, turn + 1 + call), "value", Json::text(text));
        }
        Edit::SetJson { call, text, .. } => change(dialog, edit, *call, |call| {
            set(call, "arguments", Json::text(text));
        }),
        Edit::SetApi { call, name, .. } => change(dialog, edit, *call, |call| {
            set(call, "name", Json::text(name));
        }),
        Edit::SetValue { call, name, value, .. } => change(dialog, edit, *call, |call| {
            set(call.get_mut("arguments").expect("values"), name, json(value));
        }),
        Edit::RenameValue { call, name, to, .. } => change(dialog, edit, *call, |call| {
            if let Some(Json::Object(members)) = call.get_mut("arguments") {
                let old = members.iter_mut().find(|(key, _)| key == name);
                to.clone_into(&mut old.expect("it").0);
            }
        }),
        Edit::RemoveValue { call, name, .. } => change(dialog, edit, *call, |call| {
            remove(call.get_mut("arguments").expect("values"), name);
        }),
        _ => unreachable!(),
    }
}
