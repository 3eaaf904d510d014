//! The part of the oracle that is about whole turns.

use super::super::value::Json;
use super::exchange::remove;
use super::{chat, holder, insert, list, number, ordered, set};

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

pub fn add_turn(family: &str, dialog: &mut Json, turn: usize, speaker: &str, text: &str) {
    if family.starts_with("sim") {
        return add_utterance(family, dialog, turn, speaker, text);
    }
    let counting = counting(family, dialog);
    let whole = dialog.clone();
    // A message goes behind the one before it.
    let (turns, at) = match turn.checked_sub(1) {
        Some(before) => {
            let (turns, at) = place(family, dialog, before);
            (turns, at + 1)
        }
        None => place(family, dialog, 0),
    };
    let like = turns.get(at).or(turns.last()).expect("a turn").clone();
    let [role, said] = match family {
        "dbdc" => ["speaker", "utterance"],
        "messages" => ["role", "content"],
        "sharegpt" => ["from", "value"],
        _ => ["speaker", "text"],
    };
    let mut members = vec![(role, Json::text(speaker)), (said, Json::text(text))];
    if family == "messages" {
        let part = like.get("content").and_then(|said| said.elements().first());
        let kind = part.and_then(|part| part.get("type")?.as_str());
        if let Some(kind) = kind.filter(|kind| kind.ends_with("text")) {
            let has_value = part.is_some_and(|part| part.get("value").is_some());
            let key = if has_value { "value" } else { "text" };
            let part = vec![("type", Json::text(kind)), (key, Json::text(text))];
            members[1].1 = Json::Array(vec![Json::object(part)]);
        }
    }
    let before = turn.checked_sub(1).map(|before| {
        let mut whole = whole.clone();
        let (turns, at) = place(family, &mut whole, before);
        turns[at].clone()
    });
    for key in &counting {
        let is_one_more = |json: &Json| {
            let new = number(json) + 1;
            match json.as_str() {
                Some(_) if *key != own(family) => Json::String(new.to_string()),
                _ => Json::number(new),
            }
        };
        let number = match &before {
            Some(before) => before.get(key).map(is_one_more),
            None => like.get(key).cloned(),
        };
        members.extend(number.map(|number| (key.as_str(), number)));
    }
    if !["messages", "sharegpt"].contains(&family) {
        let turns = place(family, &mut whole.clone(), 0).0.clone();
        let all_have = |key: &str, is: &dyn Fn(&Json) -> bool| {
            turns.iter().all(|turn| turn.get(key).is_some_and(is))
        };
        for key in ["segments", "apis", "annotations"] {
            if all_have(key, &|json| matches!(json, Json::Array(_))) {
                members.push((key, Json::Array(Vec::new())));
            }
        }
        if family == "dbdc" && all_have("time", &|_| true) {
            members.push(("time", Json::text("")));
        }
    }
    let new = ordered(Some(&like), members);
    turns.insert(at, new);
    renumber(family, dialog, turn + 1, &counting, 1);
}

/// Adds what the system says to the exchange of a user, or an exchange in which a user speaks.
fn add_utterance(family: &str, dialog: &mut Json, turn: usize, speaker: &str, text: &str) {
    let said = if family == "sim-gen" {
        Json::text(text)
    } else {
        let tokens = text.split_whitespace().map(Json::text).collect();
        Json::object(vec![
            ("text", Json::text(text)),
            ("tokens", Json::Array(tokens)),
            ("slots", Json::Array(Vec::new())),
        ])
    };
    let whole = dialog.clone();
    let exchanges = list(dialog, "turns");
    let count = |exchange: &Json| {
        let sides = ["system_utterance", "user_utterance"];
        sides.iter().filter(|side| exchange.get(side).is_some()).count()
    };
    let (mut left, mut at) = (turn, 0);
    while left > 0 {
        left -= count(&exchanges[at]);
        at += 1;
    }
    if speaker == "system" {
        let exchange = &mut exchanges[at];
        assert_eq!(count(exchange), 1, "a user's turn alone");
        let utterance = holder(&whole, "system_utterance", &|_| true);
        let said = match utterance.and_then(|like| like.get("system_utterance")) {
            Some(like) if family == "sim" => ordered(Some(like), members_of(said)),
            _ => said,
        };
        insert(exchange, &whole, "system_utterance", said);
        return insert(exchange, &whole, "system_acts", Json::Array(Vec::new()));
    }
    let like = exchanges.get(at).or(exchanges.last()).cloned();
    let utterance = like.as_ref().and_then(|like| like.get("user_utterance"));
    let said = match family {
        "sim" => ordered(utterance, members_of(said)),
        _ => said,
    };
    let mut members = vec![("user_utterance", said), ("user_acts", Json::Array(Vec::new()))];
    let before = exchanges[..at].iter().rev();
    let mut states = before.filter_map(|exchange| exchange.get("dialogue_state"));
    let has_state = exchanges.iter().any(|e| e.get("dialogue_state").is_some());
    let none = match family {
        "sim-gen" => Json::Object(Vec::new()),
        _ => Json::Array(Vec::new()),
    };
    let state = states.next().cloned().or(has_state.then_some(none));
    members.extend(state.map(|state| ("dialogue_state", state)));
    let new = ordered(like.as_ref(), members);
    exchanges.insert(at, new);
}

/// Returns the members of an utterance.
fn members_of(json: Json) -> Vec<(&'static str, Json)> {
    let Json::Object(members) = json else {
        return Vec::new();
    };
    let keys = ["text", "tokens", "slots"];
    keys.into_iter()
        .filter_map(|key| Some((key, members.iter().find(|(k, _)| k == key)?.1.clone())))
        .collect()
}

/// Removes what the system says in an exchange, or the whole exchange.
fn remove_utterance(dialog: &mut Json, turn: usize) {
    let sides = ["system_utterance", "user_utterance"];
    let mut left = turn;
    for (number, exchange) in list(dialog, "turns").iter_mut().enumerate() {
        let said: Vec<_> = sides.into_iter().filter(|s| exchange.get(s).is_some()).collect();
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
    let ends = ["id", "idx", "index", "turn", "number", "num", "position"];
    let is_number = |key: &&String| ends.iter().any(|end| key.to_lowercase().ends_with(end));
    let keys = turns[0].members().iter().map(|(key, _)| key).filter(is_number);
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
    text.unwrap_or_else(|| json.value().to_string()).parse().ok()
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
