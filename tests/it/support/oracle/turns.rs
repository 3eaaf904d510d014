//! The part of the oracle that is about whole turns.

use super::super::value::Json;
use super::exchange::remove;
use super::{chat, list, number, set};

/// The list that holds the turn `turn` of the model, and its place in that.
fn place<'a>(family: &str, dialog: &'a mut Json, turn: usize) -> (&'a mut Vec<Json>, usize) {
    match family {
        "dbdc" => (list(dialog, "turns"), turn),
        "sharegpt" => (list(dialog, "conversations"), turn),
        "messages" => chat::place(dialog, turn),
        _ => (list(dialog, "utterances"), turn),
    }
}

pub fn remove_turn(family: &str, dialog: &mut Json, turn: usize) {
    if family.starts_with("sim") {
        return remove_utterance(dialog, turn);
    }
    let counting = counting(family, dialog);
    let (turns, at) = place(family, dialog, turn);
    turns.remove(at);
    renumber(family, dialog, turn, &counting, -1);
}

/// Removes what the system says in an exchange, or the whole exchange.
fn remove_utterance(dialog: &mut Json, turn: usize) {
    let sides = ["system_utterance", "user_utterance"];
    let mut left = turn;
    for (number, exchange) in list(dialog, "turns").iter_mut().enumerate() {
        let said: Vec<_> = sides
            .into_iter()
            .filter(|s| exchange.get(s).is_some())
            .collect();
        if left >= said.len() {
            left -= said.len();
            continue;
        }
        if said.len() == 1 {
            list(dialog, "turns").remove(number);
        } else {
            assert_eq!(said[left], "system_utterance", "the user's turn stays");
            remove(exchange, "system_utterance");
            remove(exchange, "system_acts");
        }
        return;
    }
    panic!("no turn {turn}");
}

/// The members of turns that count them: the number of the family, and any that counts from 0 or 1.
fn counting(family: &str, dialog: &Json) -> Vec<String> {
    let mut dialog = dialog.clone();
    let count = match family {
        "messages" => chat::count(&dialog),
        _ => place(family, &mut dialog, 0).0.len(),
    };
    let turns: Vec<Json> = (0..count)
        .map(|turn| {
            let (list, at) = place(family, &mut dialog, turn);
            list[at].clone()
        })
        .collect();
    let counts = |key: &&String| {
        let at = |turn: &Json| integer(turn.get(key)?);
        let first = at(&turns[0]);
        let from = first.filter(|from| [0, 1].contains(from) && turns.len() > 1);
        from.is_some_and(|from| {
            let mut later = turns.iter().enumerate();
            later.all(|(number, turn)| at(turn) == Some(from + number as i64))
        })
    };
    let keys = turns[0].members().iter().map(|(key, _)| key);
    let mut keys: Vec<_> = keys.filter(counts).cloned().collect();
    keys.push(own(family).to_owned());
    keys.dedup();
    keys
}

/// The member with the number of a turn.
fn own(family: &str) -> &'static str {
    match family {
        "dbdc" => "turn-index",
        "messages" | "sharegpt" => "\0",
        _ => "index",
    }
}

fn integer(json: &Json) -> Option<i64> {
    let text = json.as_str().map(str::to_owned);
    text.unwrap_or_else(|| json.value().to_string())
        .parse()
        .ok()
}

/// Adds `by` to the numbers of turns behind the place `turn`.
fn renumber(family: &str, dialog: &mut Json, turn: usize, counting: &[String], by: i64) {
    let count = match family {
        "messages" => chat::count(dialog),
        _ => place(family, dialog, 0).0.len(),
    };
    for turn in turn..count {
        let (turns, at) = place(family, dialog, turn);
        let later = &mut turns[at];
        let moved = |json: &Json| {
            let new = number(json) as i64 + by;
            match json.as_str() {
                Some(_) => Json::String(new.to_string()),
                None => Json::number(new),
            }
        };
        let before = later.get("index").and_then(integer);
        for key in counting {
            if let Some(old) = later.get(key) {
                let new = moved(old);
                set(later, key, new);
            }
        }
        if family == "taskmaster-3" && later.get("apis").is_some() {
            for call in list(later, "apis") {
                if call.get("index").is_some() && call.get("index").and_then(integer) == before {
                    let new = moved(call.get("index").expect("just seen"));
                    set(call, "index", new);
                }
            }
        }
    }
}
