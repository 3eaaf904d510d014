//! Counts over files in the form of SGD, by turnwise and by a plain loop over their JSON.

use std::path::Path;

use serde_json::Value;
use turnwise::dialog::{Content, Dialog, Payload};

use crate::support::files::{dialogs_of, neighbours, open, own_files, say};

#[derive(Debug, Default, PartialEq)]
struct Counts {
    dialogs: usize,
    turns: usize,
    spans: usize,
    acts: usize,
    act_values: usize,
    calls: usize,
    arguments: usize,
    results: usize,
    state_slots: usize,
    state_values: usize,
}

/// The elements of an array, or none.
fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn members(value: &Value) -> usize {
    value.as_object().map_or(0, serde_json::Map::len)
}

/// The counts of a file as its JSON has them.
fn plainly(bytes: &[u8]) -> Counts {
    let mut counts = Counts::default();
    for dialog in dialogs_of(bytes) {
        counts.dialogs += 1;
        for turn in list(&dialog, "turns") {
            counts.turns += 1;
            for frame in list(turn, "frames") {
                add_frame(frame, &mut counts);
            }
        }
    }
    counts
}

fn add_frame(frame: &Value, counts: &mut Counts) {
    // In MultiWOZ 2.2, slots that are copied have no place in the text.
    let has_place = |slot: &&Value| slot.get("start").is_some();
    counts.spans += list(frame, "slots").iter().filter(has_place).count();
    for action in list(frame, "actions") {
        counts.acts += 1;
        counts.act_values += list(action, "values").len();
    }
    if let Some(call) = frame.get("service_call") {
        counts.calls += 1;
        counts.arguments += members(&call["parameters"]);
        counts.results += list(frame, "service_results").iter().map(members).sum::<usize>();
    }
    for values in frame["state"]["slot_values"].as_object().into_iter().flatten() {
        counts.state_slots += 1;
        counts.state_values += values.1.as_array().unwrap().len();
    }
}

/// The same counts from dialogs as turnwise reads them.
fn by_turnwise(dialogs: &[Dialog]) -> Counts {
    let mut counts = Counts::default();
    for dialog in dialogs {
        counts.dialogs += 1;
        counts.turns += dialog.turns.len();
        for turn in &dialog.turns {
            counts.spans += turn.segments.len();
            counts.acts += turn.acts.len();
            let values = turn.acts.iter().flat_map(|act| &act.slots);
            counts.act_values += values.filter(|slot| slot.value.is_some()).count();
            counts.calls += turn.calls.len();
            for call in &turn.calls {
                counts.arguments += fields(call.arguments.as_ref());
                counts.results += fields(call.response.as_ref());
            }
            for slot in turn.state.iter().flatten() {
                counts.state_slots += 1;
                counts.state_values += values_of(&slot.value);
            }
        }
    }
    counts
}

fn fields(payload: Option<&Payload>) -> usize {
    match payload {
        Some(Payload::Fields(fields)) => fields.len(),
        Some(other) => panic!("not an object: {other:?}"),
        None => 0,
    }
}

/// How many values a slot has: the only one is shown as text, several as a list.
fn values_of(content: &Content) -> usize {
    match content {
        Content::Text(text) => usize::from(!text.is_empty()),
        Content::Raw(raw) => match serde_json::from_str(raw).unwrap() {
            Value::Array(values) => values.len(),
            _ => 1,
        },
    }
}

fn same_counts(path: &Path) -> Option<Counts> {
    let bytes = std::fs::read(path).unwrap();
    let file = open(bytes.clone());
    if file.format()?.name() != "sgd" {
        return None;
    }
    let positions = 0..file.index().pieces.len();
    let read = |position| file.dialog(position).unwrap().unwrap().0;
    let dialogs: Vec<_> = positions.map(read).collect();
    let expected = plainly(&bytes);
    assert_eq!(by_turnwise(&dialogs), expected, "{}", path.display());
    Some(expected)
}

#[test]
fn real_files_of_sgd_have_the_counts_of_their_json() {
    let real = neighbours("counting").into_iter().flatten();
    let (mut files, mut turns) = (0, 0);
    for path in own_files().into_iter().chain(real) {
        if let Some(counts) = same_counts(&path) {
            assert!(counts.dialogs > 0 && counts.turns > 0, "{}", path.display());
            (files, turns) = (files + 1, turns + counts.turns);
        }
    }
    say(&format!("{files} files of SGD with {turns} turns have the same counts"));
    assert!(files > 0);
}
