//! Edits of every kind that a family has.

use std::collections::BTreeSet;

use turnwise::dialog::{
    ActSlot, ApiCall, CallPart, Dialog, Edit, EditKind, EditValue, NamedValue, Payload, Short,
    SlotValue, Turn,
};
use turnwise::format::Family;

use crate::support::random::Random;

pub fn kind_of(edit: &Edit) -> String {
    let json = serde_json::to_value(edit).unwrap();
    json["edit"].as_str().unwrap().to_owned()
}

fn seven() -> EditValue {
    EditValue::Text("seven".to_owned())
}

/// Edits of one turn, of every kind that the format has.
pub fn edits(
    format: &'static Family,
    dialog: &Dialog,
    turn: usize,
    random: &mut Random,
) -> Vec<Edit> {
    let of = &dialog.turns[turn];
    let mut edits = Vec::new();
    for kind in format.has() {
        match kind {
            EditKind::Text => {
                let text = format!("Oh, {} ok", of.text);
                edits.push(Edit::SetText { turn, text, drop: false, shrink: true });
            }
            EditKind::Speaker => {
                let others = dialog.turns.iter().map(|turn| turn.speaker.name.as_str());
                let mut names: BTreeSet<&str> = others.chain(["narrator"]).collect();
                names.remove("");
                let set = |name: &str| Edit::SetSpeaker { turn, speaker: name.to_owned() };
                edits.extend(names.into_iter().map(set));
            }
            EditKind::Segments => segments(dialog, turn, random, &mut edits),
            EditKind::Acts if !of.acts.is_empty() => acts(turn, of, random, &mut edits),
            EditKind::State => states(turn, of, random, &mut edits),
            EditKind::Calls => {
                let value = |name: &str| NamedValue { name: name.to_owned(), value: seven() };
                let add = |response| Edit::AddCall {
                    turn,
                    name: "Other".to_owned(),
                    arguments: vec![value("a"), value("b")],
                    response,
                };
                edits.extend([add(None), add(Some(vec![value("b")]))]);
                let calls = 0..of.calls.len();
                edits.extend(calls.map(|call| Edit::RemoveCall { turn, call }));
                for (call, of) in of.calls.iter().enumerate() {
                    values(turn, call, of, &mut edits);
                }
            }
            EditKind::Turns => {
                edits.push(Edit::RemoveTurn { turn });
                let speakers = dialog.turns.iter().take(2);
                edits.extend(speakers.map(|turn| Edit::AddTurn {
                    turn: random.position(dialog.turns.len() + 1),
                    speaker: turn.speaker.name.to_string(),
                    text: "Oh, so".to_owned(),
                }));
            }
            EditKind::Intents if !of.intents.is_empty() => {
                let intents = vec!["Other".to_owned(); of.intents.len()];
                edits.push(Edit::SetIntents { turn, intents });
            }
            _ => {}
        }
    }
    edits
}

fn segments(dialog: &Dialog, turn: usize, random: &mut Random, edits: &mut Vec<Edit>) {
    let of = &dialog.turns[turn];
    if !of.segments.is_empty() {
        let segment = random.position(of.segments.len());
        edits.push(Edit::RemoveSegment { turn, segment });
        let label = renamed(&of.segments[segment].labels[0].name);
        edits.push(Edit::SetLabels { turn, segment, labels: vec![label] });
        if of.segments[segment].quote.is_some() {
            edits.push(Edit::SetQuote { turn, segment, text: Some("seven".to_owned()) });
        }
    }
    let all = dialog.turns.iter().flat_map(|turn| &turn.segments);
    let like = of.segments.iter().chain(all).next();
    if let Some(like) = like.filter(|_| of.length(dialog.units) > 2) {
        let labels = vec![like.labels[0].name.to_string()];
        edits.push(Edit::AddSegment { turn, start: 0, end: 2, labels });
    }
}

fn renamed(name: &Short) -> String {
    match name.rsplit_once('.') {
        Some((first, _)) => format!("{first}.other"),
        None => "other".to_owned(),
    }
}

fn acts(turn: usize, of: &Turn, random: &mut Random, edits: &mut Vec<Edit>) {
    let act = random.position(of.acts.len());
    let slot = |slot: &ActSlot| SlotValue {
        slot: slot.slot.to_string(),
        value: slot.value.as_ref().map(|_| seven()),
    };
    let slots: Vec<_> = of.acts[act].slots.iter().map(slot).collect();
    let name = of.acts[act].name.to_string();
    edits.push(Edit::RemoveAct { turn, act });
    edits.push(Edit::SetAct { turn, act, name: name.clone(), slots: slots.clone() });
    edits.push(Edit::AddAct { turn, name, slots });
}

fn states(turn: usize, of: &Turn, random: &mut Random, edits: &mut Vec<Edit>) {
    let Some(state) = of.state.as_ref().filter(|state| !state.is_empty()) else {
        return;
    };
    let slot = &state[random.position(state.len())].slot;
    let (own, other) = (slot.to_string(), renamed(slot));
    edits.extend([
        Edit::SetState { turn, slot: own.clone(), value: seven() },
        Edit::SetState { turn, slot: other.clone(), value: seven() },
        Edit::RenameState { turn, slot: own.clone(), to: other },
        Edit::RemoveState { turn, slot: own, value: None },
    ]);
}

/// Edits of the name of a call, and of its arguments and its response.
fn values(turn: usize, call: usize, of: &ApiCall, edits: &mut Vec<Edit>) {
    edits.push(Edit::SetApi { turn, call, name: "Other".to_owned() });
    let parts = [(CallPart::Arguments, &of.arguments), (CallPart::Response, &of.response)];
    for (part, payload) in parts {
        let names: Vec<String> = match payload {
            Some(Payload::Fields(fields)) => {
                let fields = fields.iter().take(2).chain(fields.last());
                fields.map(|field| field.name.to_string()).collect()
            }
            Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => {
                match serde_json::from_str(text) {
                    Ok(serde_json::Value::Object(members)) => members.keys().cloned().collect(),
                    _ => continue,
                }
            }
            None => continue,
        };
        for name in names {
            let to = name.replacen(char::is_alphabetic, "x", 1);
            edits.extend([
                Edit::SetValue { turn, call, part, name: name.clone(), value: seven() },
                Edit::RemoveValue { turn, call, part, name: name.clone() },
                Edit::RenameValue { turn, call, part, name, to },
            ]);
        }
        edits.push(Edit::SetValue { turn, call, part, name: "new".to_owned(), value: seven() });
    }
}
