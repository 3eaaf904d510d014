//! Every file of the demo and of other corpora that a description reads: edges moved there and back, edits of every kind
//! made and taken back.

use std::collections::BTreeMap;
use std::path::Path;

use turnwise::dialog::{
    ApiCall, CallPart, Content, Dialog, Edit, EditKind, Field, NamedValue, Payload, Short,
    SlotValue, Turn,
};
use turnwise::format::Family;

use super::{dialogs, edited, read};
use crate::support::files::{neighbours, open, own_files, own_sessions, say, traces};
use crate::support::random::Random;

/// Dialogs of each file.
const DIALOGS: usize = 6;

/// Calls `visit` with dialogs of every file of a declared format.
fn each_dialog(test: &str, mut visit: impl FnMut(&Path, &'static Family, &str)) {
    for path in own_files()
        .into_iter()
        .chain(neighbours(test).into_iter().flatten())
        .chain(own_sessions())
        .chain(traces(test).into_iter().flatten())
    {
        let file = open(std::fs::read(&path).unwrap());
        let Some(format) = file.format().filter(|format| format.is_described()) else {
            continue;
        };
        for text in dialogs(&file, DIALOGS) {
            visit(&path, format, &text);
        }
    }
}

#[test]
fn an_edge_moved_there_and_back_leaves_the_same_bytes() {
    let (mut moved, mut refused) = (0, BTreeMap::new());
    each_dialog("edges", |path, format, text| {
        let dialog = read_any(format, text);
        for (number, turn) in dialog.turns.iter().enumerate() {
            let length = turn.length(dialog.units) as u32;
            for (segment, of) in turn.segments.iter().enumerate() {
                let Some(span) = of.span.filter(|s| s.start < s.end && s.end <= length) else {
                    continue;
                };
                let to = |start: u32, end: u32| Edit::SetSpan { turn: number, segment, start, end };
                let back = to(span.start, span.end);
                let others = [
                    (span.start + 1, span.end),
                    (span.start, span.end - 1),
                    (span.start.saturating_sub(1), span.end),
                    (span.start, (span.end + 1).min(length)),
                ];
                for (start, end) in others {
                    if start >= end || (start, end) == (span.start, span.end) {
                        continue;
                    }
                    let place = path.display();
                    match edited(format, text, &to(start, end)) {
                        Ok(there) => {
                            assert_ne!(there.text, text, "{place}");
                            let again = edited(format, &there.text, &back).unwrap();
                            // A quote that differed from the text follows it.
                            let quote = of.quote.as_deref();
                            if quote.is_none_or(|q| {
                                turn.covered(span, dialog.units).as_deref() == Some(q)
                            }) {
                                assert_eq!(again.text, text, "{place}");
                            }
                            moved += 1;
                        }
                        Err(error) => *refused.entry(error.to_string()).or_insert(0) += 1,
                    }
                }
            }
        }
    });
    say(&format!("{moved} edges moved; refused: {refused:?}"));
    assert!(refused.is_empty(), "{refused:?}");
}

/// The dialog, even if values are not of the type of their place.
pub fn read_any(format: &'static Family, text: &str) -> Dialog {
    let mut parser = turnwise::json::Parser::new();
    format.read(parser.parse_piece_str(text).unwrap()).0
}

#[test]
fn random_edits_change_one_turn_and_can_be_taken_back() {
    let mut random = Random(7);
    let (mut made, mut refused) = (BTreeMap::new(), BTreeMap::new());
    each_dialog("edits", |path, format, text| {
        let dialog = read_any(format, text);
        if dialog.turns.is_empty() {
            return;
        }
        for _ in 0..12 {
            let number = random.position(dialog.turns.len());
            let all = edits(format, &dialog, number, &mut random);
            for edit in all.into_iter().chain(fields(&dialog)) {
                let kind = format!("{} {}", format.name(), kind_of(&edit));
                match edited(format, text, &edit) {
                    Ok(outcome) => {
                        *made.entry(kind).or_insert(0) += 1;
                        check(path, &dialog, text, &edit, &outcome);
                    }
                    Err(error) => {
                        let reason = format!("{kind}: {error}");
                        *refused.entry(reason).or_insert(0) += 1;
                    }
                }
            }
        }
    });
    say(&format!("made: {made:#?}\nrefused: {refused:#?}"));
    // What a format does not have is found by reading the result; the writer tries little else.
    let count = |counts: &BTreeMap<String, usize>, of: &str| -> usize {
        counts.iter().filter(|(reason, _)| reason.contains(of)).map(|(_, count)| count).sum()
    };
    let unmade = count(&refused, "read back");
    assert!(unmade * 100 < count(&made, ""), "{unmade}: {refused:#?}");
}

/// The patch leads back, and changes nothing outside the turn and the next one, which may hold its state.
fn check(
    path: &Path,
    dialog: &Dialog,
    text: &str,
    edit: &Edit,
    outcome: &turnwise::format::EditOutcome,
) {
    let place = format!("{}: {edit:?}", path.display());
    assert_eq!(outcome.patch.apply(text), outcome.text, "{place}");
    if edit.about() == EditKind::Turns {
        // The numbers of later turns follow, and nothing else.
        let turn = edit.turn();
        let (mut left, found) = (dialog.clone(), &outcome.dialog);
        let others = |dialog: &Dialog| -> Vec<String> {
            dialog.turns.iter().map(|turn| turn.text.clone()).collect()
        };
        if let Edit::AddTurn { text, .. } = edit {
            let new = Turn { text: text.clone(), ..Turn::default() };
            left.turns.insert(turn, new);
        } else {
            left.turns.remove(turn);
        }
        assert_eq!(others(&left), others(found), "{place}");
        return;
    }
    let turns = &dialog.turns[edit.turn()..];
    let first = turns[0].whole();
    let last = turns.iter().take(2).map(|turn| turn.whole().end).max().unwrap();
    if matches!(edit, Edit::SetSpeaker { .. } | Edit::SetField { .. }) {
        // The names of the speakers may be in a list beside the turns.
        return assert!(outcome.patch.splices().len() < 2, "{place}");
    }
    for splice in outcome.patch.splices() {
        assert!(splice.range.start >= first.start as usize, "{place}");
        assert!(splice.range.end <= last as usize, "{place}");
    }
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

/// Other texts of the dialog itself.
fn fields(dialog: &Dialog) -> Vec<Edit> {
    let is_text = |field: &&Field| matches!(field.content, Content::Text(_));
    let texts = dialog.fields.iter().filter(is_text).take(3);
    let set = |field: &Field| Edit::SetField {
        name: field.name.to_string(),
        text: format!("{} ok", field.content.as_str()),
    };
    texts.map(set).collect()
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

#[test]
fn dialogs_of_real_files_are_read_wholly() {
    each_dialog("reading", |path, format, text| {
        // Some ratings of Topical-Chat are empty.
        let dialog = match format.name() {
            "topical-chat" => read_any(format, text),
            _ => read(format, text),
        };
        assert!(!dialog.turns.is_empty(), "{}", path.display());
    });
}
