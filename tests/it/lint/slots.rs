//! Faults are planted in simulated dialogues, one at a time, wherever possible: they are found, and the
//! first fix restores the original. No fix adds a second value next to
//! the broken one.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise::lint::{Applicability, Diagnostic, Selection, Severity};

use super::fixes::{apply, every_fix, promises_are_kept};
use super::found_in;
use crate::support::files::{dialogs_of, own};

/// A change of one exchange of a dialog; false if it does not apply there.
type Fault = fn(&mut Vec<Value>, usize) -> bool;

/// How faults of one kind fared.
#[derive(Debug, Default)]
struct Fared {
    planted: usize,
    found: usize,
    /// The first fix of the first problem gives back the dialog.
    repaired: usize,
    /// Wrong fixes that are marked as safe.
    spoiled: usize,
}

fn demo() -> Vec<Value> {
    let read = |name| std::fs::read(own("assets/demo").join(name)).unwrap();
    ["sim-m.json", "sim-r.json"].into_iter().flat_map(|name| dialogs_of(&read(name))).collect()
}

/// The problems that careful people would fix.
fn told(text: &str) -> Vec<Diagnostic> {
    let mut found = found_in(text, &Selection::default());
    found.retain(|d| d.severity > Severity::Note);
    found
}

/// Slots and states have no order that says anything.
fn sorted(dialog: &Value) -> Value {
    let mut dialog = dialog.clone();
    for turn in dialog["turns"].as_array_mut().unwrap() {
        for list in ["/dialogue_state", "/user_utterance/slots", "/system_utterance/slots"] {
            if let Some(Value::Array(list)) = turn.pointer_mut(list) {
                list.sort_by_key(Value::to_string);
            }
        }
    }
    dialog
}

fn plant(dialogs: &[Value], fault: Fault) -> Fared {
    let mut fared = Fared::default();
    for dialog in dialogs {
        // The demo has problems of its own.
        let known = told(&dialog.to_string());
        let is_new = |d: &Diagnostic| {
            let same =
                |k: &Diagnostic| k.message == d.message && k.location.turn == d.location.turn;
            !known.iter().any(same)
        };
        for exchange in 0..dialog["turns"].as_array().unwrap().len() {
            let mut broken = dialog.clone();
            let turns = broken["turns"].as_array_mut().unwrap();
            if !fault(turns, exchange) || broken == *dialog {
                continue;
            }
            let text = broken.to_string();
            let mut found = told(&text);
            found.retain(is_new);
            fared.planted += 1;
            fared.found += usize::from(!found.is_empty());
            if let Some(fix) = found.iter().find_map(|d| d.fixes.first()) {
                let mended: Value = serde_json::from_str(&apply(&text, fix)).unwrap();
                let right = sorted(&mended) == sorted(dialog);
                fared.repaired += usize::from(right);
                fared.spoiled += usize::from(!right && fix.applicability == Applicability::Safe);
            }
            every_fix(&text, false);
            promises_are_kept(&text, &mut BTreeMap::new());
        }
    }
    fared
}

/// Plants faults of each kind and asks for these shares of them to be found and repaired, in per cent.
fn fare(faults: &[(&str, Fault, usize, usize)]) {
    let dialogs = demo();
    for (name, fault, found, repaired) in faults {
        let fared = plant(&dialogs, *fault);
        assert!(fared.planted > 8, "{name}: {fared:?}");
        assert!(
            fared.found * 100 >= fared.planted * found
                && fared.repaired * 100 >= fared.planted * repaired
                && fared.spoiled == 0,
            "{name}: {fared:?}"
        );
    }
}

/// The utterance of an exchange that has slots, the system's in every second one.
fn utterance(turns: &mut [Value], at: usize) -> Option<&mut Value> {
    let mut sides = vec!["system_utterance", "user_utterance"];
    sides.retain(|side| {
        let slots = turns[at][*side]["slots"].as_array();
        slots.is_some_and(|slots| !slots.is_empty())
    });
    if at.is_multiple_of(2) {
        sides.reverse();
    }
    let side = *sides.first()?;
    Some(&mut turns[at][side])
}

/// New numbers of a slot, from those it has and the number of tokens.
type Numbers = fn(u64, u64, u64) -> (u64, u64);

/// Changes the numbers of a slot, given those it has and the number of tokens.
fn renumber(turns: &mut [Value], at: usize, new: Numbers) -> bool {
    let Some(utterance) = utterance(turns, at) else {
        return false;
    };
    let tokens = utterance["tokens"].as_array().unwrap().len() as u64;
    let slots = utterance["slots"].as_array_mut().unwrap();
    let place = at % slots.len();
    let slot = &mut slots[place];
    let (start, end) = (&slot["start"], &slot["exclusive_end"]);
    let (start, end) = new(start.as_u64().unwrap(), end.as_u64().unwrap(), tokens);
    *slot = json!({"slot": slot["slot"], "start": start, "exclusive_end": end});
    true
}

/// Gives the first slot of an utterance another name.
fn rename(turns: &mut [Value], at: usize, new: fn(&str) -> String) -> bool {
    let Some(utterance) = utterance(turns, at) else {
        return false;
    };
    let slot = &mut utterance["slots"][0]["slot"];
    *slot = new(slot.as_str().unwrap()).into();
    true
}

/// Changes the first value of an exchange at this place; false if there is none.
fn change(turn: &mut Value, place: &str, change: fn(&str) -> String) -> bool {
    let value = turn.pointer_mut(place);
    value.map(|value| *value = change(value.as_str().unwrap()).into()).is_some()
}

/// Changes an act that has a value.
fn act(turns: &mut [Value], at: usize, change: fn(&mut Value)) -> bool {
    let acts = turns[at]["system_acts"].as_array_mut();
    let said = |act: &&mut Value| act["value"].is_string() && act["value"] != "dontcare";
    acts.and_then(|acts| acts.iter_mut().find(said)).map(change).is_some()
}

/// Changes the tokens of an utterance, at one of their places.
fn tokens(turns: &mut [Value], at: usize, change: fn(&mut Vec<Value>, usize)) -> bool {
    let Some(utterance) = utterance(turns, at) else {
        return false;
    };
    let tokens = utterance["tokens"].as_array_mut().unwrap();
    let place = at * 7 % tokens.len();
    change(tokens, place);
    true
}

/// Adds the first slot of a state again.
fn twice(turn: &mut Value, change: fn(&mut Value)) -> bool {
    let state = turn["dialogue_state"].as_array_mut().unwrap();
    let first = state.first().cloned();
    let Some(mut first) = first else {
        return false;
    };
    change(&mut first);
    state.push(first);
    true
}

/// The slots of the state after an exchange.
fn names(turn: &Value) -> Vec<String> {
    let state = turn["dialogue_state"].as_array().into_iter().flatten();
    state.map(|slot| slot["slot"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn slots_that_slip_are_moved_back_or_renamed() {
    let shifted: Fault = |turns, at| {
        renumber(turns, at, |start, end, all| {
            let by = u64::from(end < all);
            (start + by, end + by)
        })
    };
    // Misspelt short names have no fix if their value was mentioned before.
    let cut: Fault = |turns, at| rename(turns, at, |name| name[..name.len() - 1].to_owned());
    let other: Fault = |turns, at| {
        rename(turns, at, |name| if name == "date" { "time" } else { "date" }.to_owned())
    };
    fare(&[
        ("reversed", |turns, at| renumber(turns, at, |start, end, _| (end, start)), 97, 95),
        ("empty", |turns, at| renumber(turns, at, |start, _, _| (start, start)), 97, 95),
        ("too far", |turns, at| renumber(turns, at, |start, _, all| (start, all + 2)), 97, 95),
        ("later start", |turns, at| renumber(turns, at, |start, end, _| (start + 1, end)), 97, 95),
        ("shifted", shifted, 97, 95),
        ("name cut", cut, 100, 85),
        ("another name", other, 95, 90),
    ]);
}

#[test]
fn acts_and_tokens_that_slip_are_mended() {
    let value: Fault = |turns, at| {
        act(turns, at, |act| act["value"] = format!("{} x", act["value"].as_str().unwrap()).into())
    };
    let slot: Fault = |turns, at| {
        act(turns, at, |act| {
            act.as_object_mut().unwrap().remove("slot");
        })
    };
    let lost: Fault = |turns, at| {
        tokens(turns, at, |tokens, place| {
            tokens.remove(place);
        })
    };
    let other: Fault = |turns, at| {
        tokens(turns, at, |tokens, place| {
            tokens[place] = format!("{}x", tokens[place].as_str().unwrap()).into();
        })
    };
    fare(&[
        ("another value", value, 100, 90),
        ("a value of no slot", slot, 100, 90),
        ("a token lost", lost, 100, 95),
        ("another token", other, 100, 95),
    ]);
}

#[test]
fn slots_of_states_and_acts_are_renamed_or_removed() {
    let other: Fault = |turns, at| {
        let all: Vec<String> = turns.iter().flat_map(names).collect();
        let here = names(&turns[at]);
        let Some(other) = all.into_iter().find(|name| !here.contains(name)) else {
            return false;
        };
        let slot = turns[at].pointer_mut("/dialogue_state/0/slot");
        slot.map(|slot| *slot = other.into()).is_some()
    };
    let one: Fault =
        |turns, at| change(&mut turns[at], "/dialogue_state/0/slot", |name| format!("{name}s"));
    let act: Fault =
        |turns, at| change(&mut turns[at], "/system_acts/0/slot", |name| format!("{name}s"));
    fare(&[
        ("another name in one state", other, 95, 90),
        ("misspelt in one state", one, 100, 100),
        ("misspelt in an act", act, 100, 100),
        ("a slot twice", |turns, at| twice(&mut turns[at], |_| ()), 100, 100),
        (
            "with another value",
            |turns, at| twice(&mut turns[at], |s| s["value"] = "x".into()),
            100,
            100,
        ),
    ]);
}
