//! Edits of every kind that a family has.

use turnwise::dialog::{
    ApiCall, CallPart, Dialog, Edit, EditKind, NamedValue, Payload, Short, SlotValue, Turn,
};
use turnwise::format::Family;

use crate::support::random::Random;

/// The dialog, even if values are not of the type of their place.
pub fn read_any(format: &'static Family, text: &str) -> Dialog {
    let mut parser = turnwise::json::Parser::new();
    format.read(parser.parse_piece_str(text).unwrap()).0
}

pub fn kind_of(edit: &Edit) -> String {
    let json = serde_json::to_value(edit).unwrap();
    json["edit"].as_str().unwrap().to_owned()
}

/// Edits of one turn, of every kind that the format has.
pub fn edits(
    format: &'static Family,
    dialog: &Dialog,
    number: usize,
    random: &mut Random,
) -> Vec<Edit> {
    let turn = &dialog.turns[number];
    let mut edits = Vec::new();
    for kind in format.has() {
        match kind {
            EditKind::Text => edits.push(Edit::SetText {
                turn: number,
                text: format!("Oh, {} ok", turn.text),
                drop: false,
                shrink: true,
            }),
            EditKind::Speaker => {
                let others = dialog.turns.iter().map(|turn| turn.speaker.name.as_str());
                let mut names: Vec<&str> = others.chain(["narrator"]).collect();
                names.sort_unstable();
                names.dedup();
                names.retain(|name| !name.is_empty());
                edits.extend(
                    names
                        .into_iter()
                        .map(|name| Edit::SetSpeaker { turn: number, speaker: name.to_owned() }),
                );
            }
            EditKind::Segments => segments(dialog, (number, turn), random, &mut edits),
            EditKind::Acts => acts((number, turn), random, &mut edits),
            EditKind::State => states((number, turn), random, &mut edits),
            EditKind::Calls => {
                let value = |name: &str| NamedValue {
                    name: name.to_owned(),
                    value: serde_json::from_str("\"seven\"").unwrap(),
                };
                for response in [None, Some(vec![value("b")])] {
                    edits.push(Edit::AddCall {
                        turn: number,
                        name: "Other".to_owned(),
                        arguments: vec![value("a"), value("b")],
                        response,
                    });
                }
                edits.extend(
                    (0..turn.calls.len()).map(|call| Edit::RemoveCall { turn: number, call }),
                );
                for (call, of) in turn.calls.iter().enumerate() {
                    calls((number, call), of, &mut edits);
                }
            }
            EditKind::Turns => {
                edits.push(Edit::RemoveTurn { turn: number });
                let speakers = dialog.turns.iter().take(2);
                edits.extend(speakers.map(|turn| Edit::AddTurn {
                    turn: random.position(dialog.turns.len() + 1),
                    speaker: turn.speaker.name.to_string(),
                    text: "Oh, so".to_owned(),
                }));
            }
            EditKind::Intents if !turn.intents.is_empty() => edits.push(Edit::SetIntents {
                turn: number,
                intents: vec!["Other".to_owned(); turn.intents.len()],
            }),
            _ => {}
        }
    }
    edits
}

fn segments(
    dialog: &Dialog,
    (turn, of): (usize, &Turn),
    random: &mut Random,
    edits: &mut Vec<Edit>,
) {
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
    let own = of.segments.iter().chain(all).next();
    if let Some(like) = own
        && of.length(dialog.units) > 2
    {
        edits.push(Edit::AddSegment {
            turn,
            start: 0,
            end: 2,
            labels: vec![like.labels[0].name.to_string()],
        });
    }
}

fn renamed(name: &Short) -> String {
    match name.rsplit_once('.') {
        Some((first, _)) => format!("{first}.other"),
        None => "other".to_owned(),
    }
}

fn acts((turn, of): (usize, &Turn), random: &mut Random, edits: &mut Vec<Edit>) {
    let slots = |slots: &[turnwise::dialog::ActSlot]| {
        let slot = |s: &turnwise::dialog::ActSlot| SlotValue {
            slot: s.slot.to_string(),
            value: s.value.as_ref().map(|_| serde_json::from_str("\"seven\"").unwrap()),
        };
        slots.iter().map(slot).collect::<Vec<_>>()
    };
    if of.acts.is_empty() {
        return;
    }
    let act = random.position(of.acts.len());
    edits.push(Edit::RemoveAct { turn, act });
    let name = of.acts[act].name.to_string();
    edits.push(Edit::SetAct { turn, act, name: name.clone(), slots: slots(&of.acts[act].slots) });
    edits.push(Edit::AddAct { turn, name, slots: slots(&of.acts[act].slots) });
}

fn states((turn, of): (usize, &Turn), random: &mut Random, edits: &mut Vec<Edit>) {
    let Some(state) = of.state.as_ref().filter(|state| !state.is_empty()) else {
        return;
    };
    let slot = &state[random.position(state.len())];
    let value = || serde_json::from_str("\"seven\"").unwrap();
    edits.push(Edit::SetState { turn, slot: slot.slot.to_string(), value: value() });
    edits.push(Edit::SetState { turn, slot: renamed(&slot.slot), value: value() });
    edits.push(Edit::RenameState { turn, slot: slot.slot.to_string(), to: renamed(&slot.slot) });
    edits.push(Edit::RemoveState { turn, slot: slot.slot.to_string(), value: None });
}

fn calls((turn, call): (usize, usize), of: &ApiCall, edits: &mut Vec<Edit>) {
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
        let value = || serde_json::from_str("\"seven\"").unwrap();
        for name in names {
            edits.push(Edit::SetValue { turn, call, part, name: name.clone(), value: value() });
            edits.push(Edit::RemoveValue { turn, call, part, name: name.clone() });
            edits.push(Edit::RenameValue {
                turn,
                call,
                part,
                to: name.replacen(char::is_alphabetic, "x", 1),
                name,
            });
        }
        edits.push(Edit::SetValue { turn, call, part, name: "new".to_owned(), value: value() });
    }
}
