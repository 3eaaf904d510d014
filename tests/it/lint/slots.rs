//! Faults are planted in simulated dialogues, one at a time, wherever possible: they are found, and the
//! first fix restores the original. No fix adds a second value next to
//! the broken one.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnwise::lint::{Applicability, Diagnostic, Selection, Severity};

use super::fixes::{apply, every_fix, promises_are_kept};
use super::found_in;
use crate::support::files::{dialogs_of, own, real_files, say, spread};

/// A change of one exchange of a dialog; false if it does not apply there.
type Fault<'f> = &'f dyn Fn(&mut Vec<Value>, usize) -> bool;

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

fn real() -> Vec<Value> {
    let files = real_files("planting faults in slots").unwrap_or_default();
    let dev = |path: &&std::path::PathBuf| {
        let path = path.to_string_lossy();
        path.contains("sim-") && path.ends_with("dev.json")
    };
    files
        .iter()
        .filter(dev)
        .flat_map(|path| spread(dialogs_of(&std::fs::read(path).unwrap()), 20))
        .collect()
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

fn plant(dialogs: &[Value], fault: Fault<'_>, every_repair: bool) -> Fared {
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
            if every_repair {
                every_fix(&text, false);
                promises_are_kept(&text, &mut BTreeMap::new());
            }
        }
    }
    fared
}

/// Plants faults and asks for these shares of them to be found and repaired, in per cent.
fn fare(name: &str, fault: Fault<'_>, found: usize, repaired: usize) {
    for (dialogs, own) in [(demo(), true), (real(), false)] {
        let fared = plant(&dialogs, fault, own);
        if !own && !dialogs.is_empty() {
            say(&format!("{name}: {fared:?}"));
        }
        assert!(fared.planted > 8 || dialogs.is_empty(), "{name}: {fared:?}");
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

#[test]
fn slots_that_slip_are_moved_back_in_real_corpora() {
    let kinds: [(&str, Numbers); 6] = [
        ("reversed", |start, end, _| (end, start)),
        ("empty", |start, _, _| (start, start)),
        ("out of range", |start, _, tokens| (start, tokens + 2)),
        ("start moved", |start, end, _| (start + 1, end)),
        ("end moved", |start, end, tokens| (start, tokens.min(end + 1))),
        ("shifted", |start, end, tokens| {
            let by = u64::from(end < tokens);
            (start + by, end + by)
        }),
    ];
    for (name, numbers) in kinds {
        let fault = |turns: &mut Vec<Value>, at: usize| renumber(turns, at, numbers);
        fare(name, &fault, 97, 95);
    }
}

#[test]
fn slots_with_a_wrong_name_are_renamed_in_real_corpora() {
    let cut = |name: &str| name[..name.len() - 1].to_owned();
    let misspelt = |turns: &mut Vec<Value>, at: usize| rename(turns, at, cut);
    // Misspelt short names have no fix if their value was mentioned before.
    fare("name cut", &misspelt, 100, 85);
    let other = |name: &str| match name {
        "date" => "time".to_owned(),
        _ => "date".to_owned(),
    };
    let misnamed = |turns: &mut Vec<Value>, at: usize| rename(turns, at, other);
    fare("another name", &misnamed, 95, 90);
}

#[test]
fn acts_that_slip_are_mended_in_real_corpora() {
    let act = |turns: &mut Vec<Value>, at: usize, change: fn(&mut Value)| {
        let acts = turns[at]["system_acts"].as_array_mut();
        let said = |act: &&mut Value| act["value"].is_string() && act["value"] != "dontcare";
        acts.and_then(|acts| acts.iter_mut().find(said)).map(change).is_some()
    };
    let value = |turns: &mut Vec<Value>, at: usize| {
        act(turns, at, |act| {
            act["value"] = format!("{} x", act["value"].as_str().unwrap()).into();
        })
    };
    fare("another value", &value, 100, 90);
    let slot = |turns: &mut Vec<Value>, at: usize| {
        act(turns, at, |act| {
            act.as_object_mut().unwrap().remove("slot");
        })
    };
    fare("a value of no slot", &slot, 100, 90);
}

#[test]
fn slots_of_states_with_another_name_are_renamed_in_real_corpora() {
    let fault = |turns: &mut Vec<Value>, at: usize| {
        let all: Vec<String> = turns.iter().flat_map(names).collect();
        let here = names(&turns[at]);
        let Some(other) = all.into_iter().find(|name| !here.contains(name)) else {
            return false;
        };
        let slot = turns[at].pointer_mut("/dialogue_state/0/slot");
        slot.map(|slot| *slot = other.into()).is_some()
    };
    fare("another name in one state", &fault, 95, 90);
}

/// The slots of the state after an exchange.
fn names(turn: &Value) -> Vec<String> {
    let state = turn["dialogue_state"].as_array().into_iter().flatten();
    state.map(|slot| slot["slot"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn misspelt_slots_of_acts_and_states_are_not_spread_in_real_corpora() {
    let one = |turns: &mut Vec<Value>, at: usize| {
        let slot = turns[at].pointer_mut("/dialogue_state/0/slot");
        slot.map(|slot| *slot = format!("{}s", slot.as_str().unwrap()).into()).is_some()
    };
    fare("misspelt in one state", &one, 100, 100);
    let all = |turns: &mut Vec<Value>, at: usize| {
        let Some(name) = names(&turns[at]).pop() else {
            return false;
        };
        for turn in &mut turns[at..] {
            for slot in turn["dialogue_state"].as_array_mut().unwrap() {
                if slot["slot"] == name.as_str() {
                    slot["slot"] = format!("{name}s").into();
                }
            }
        }
        true
    };
    fare("misspelt from there on", &all, 100, 100);
    let act = |turns: &mut Vec<Value>, at: usize| {
        let slot = turns[at].pointer_mut("/system_acts/0/slot");
        slot.map(|slot| *slot = format!("{}s", slot.as_str().unwrap()).into()).is_some()
    };
    fare("misspelt in an act", &act, 100, 100);
}

#[test]
fn tokens_that_are_not_those_of_the_text_are_taken_from_it_in_real_corpora() {
    let tokens = |turns: &mut Vec<Value>, at: usize, change: fn(&mut Vec<Value>, usize)| {
        let Some(utterance) = utterance(turns, at) else {
            return false;
        };
        let tokens = utterance["tokens"].as_array_mut().unwrap();
        let place = at * 7 % tokens.len();
        change(tokens, place);
        true
    };
    let lost = |turns: &mut Vec<Value>, at: usize| {
        tokens(turns, at, |tokens, place| {
            tokens.remove(place);
        })
    };
    fare("a token lost", &lost, 100, 95);
    let more = |turns: &mut Vec<Value>, at: usize| {
        tokens(turns, at, |tokens, place| {
            tokens.insert(place, "the".into());
        })
    };
    fare("a token too many", &more, 100, 95);
    let other = |turns: &mut Vec<Value>, at: usize| {
        tokens(turns, at, |tokens, place| {
            tokens[place] = format!("{}x", tokens[place].as_str().unwrap()).into();
        })
    };
    fare("another token", &other, 100, 95);
}

/// No repair that comes first makes a text shorter; where slots, acts and tokens agree, the text is
/// made theirs.
#[test]
fn texts_are_mended_where_slots_and_acts_agree_with_the_tokens() {
    let dialog = |text: &str, tokens: &[&str]| {
        let slot = json!({"slot": "movie", "start": 2, "exclusive_end": 3});
        json!({"dialogue_id": "d", "turns": [{
            "user_acts": [{"type": "INFORM"}], "user_intents": [],
            "dialogue_state": [{"slot": "movie", "value": "ouija"}],
            "user_utterance": {"text": text, "tokens": tokens, "slots": [slot]}}]})
        .to_string()
    };
    let titles = |text: &str, tokens: &[&str]| -> Vec<String> {
        let found = told(&dialog(text, tokens));
        let fixes = found.into_iter().flat_map(|d| d.fixes);
        fixes.map(|fix| fix.title).collect()
    };
    let (take, make) = ("set the tokens from the text", "change the text");
    let first = titles("two for ouijas", &["two", "for", "ouija"]);
    assert!(first[0].starts_with(make), "{first:?}");
    let first = titles("two for ouija", &["two", "for", "ouijas"]);
    assert!(first[0] == take, "{first:?}");
    let first = titles("two for", &["two", "for", "ouija"]);
    assert!(first[0].starts_with(make), "{first:?}");
    let first = titles("just two for ouija", &["two", "for", "ouija"]);
    assert!(first[0].ends_with("move the slots with their words"), "{first:?}");
    let first = titles("two for ouija", &["two", "ouija"]);
    assert!(first[0] == take, "{first:?}");
}

#[test]
fn duplicates_are_found_in_real_corpora() {
    let twice = |turns: &mut Vec<Value>, at: usize| {
        let state = turns[at]["dialogue_state"].as_array_mut().unwrap();
        let first = state.first().cloned();
        first.map(|first| state.push(first)).is_some()
    };
    fare("a slot twice in a state", &twice, 100, 100);
    let other = |turns: &mut Vec<Value>, at: usize| {
        let state = turns[at]["dialogue_state"].as_array_mut().unwrap();
        let Some(mut first) = state.first().cloned() else {
            return false;
        };
        first["value"] = "a slip".into();
        state.push(first);
        true
    };
    fare("a slot twice with another value", &other, 100, 100);
    let doubled = |turns: &mut Vec<Value>, at: usize| {
        let again = turns[at].clone();
        turns.insert(at, again);
        true
    };
    fare("an exchange twice", &doubled, 100, 0);
}
