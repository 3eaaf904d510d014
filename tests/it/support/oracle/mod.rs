//! The expected result of an edit, computed a second time and as plainly as possible.

mod calls;
mod chat;
mod exchange;
mod kept;
mod sharegpt;
mod turns;
mod votes;

use turnwise::dialog::{Edit, EditKind};

use super::value::Json;
use kept::Kept;

/// The place of a turn of the model in the JSON of a dialog.
fn turn_mut<'a>(family: &str, dialog: &'a mut Json, turn: usize) -> &'a mut Json {
    if family.starts_with("taskmaster") {
        return &mut list(dialog, "utterances")[turn];
    }
    if family == "dbdc" {
        return &mut list(dialog, "turns")[turn];
    }
    let mut left = turn;
    for exchange in list(dialog, "turns") {
        for side in ["system_utterance", "user_utterance"] {
            if exchange.get(side).is_none() {
                continue;
            }
            if left == 0 {
                return exchange.get_mut(side).expect("just seen");
            }
            left -= 1;
        }
    }
    panic!("no turn {turn}");
}

fn list<'a>(object: &'a mut Json, key: &str) -> &'a mut Vec<Json> {
    let member = object.get_mut(key).and_then(Json::elements_mut);
    member.unwrap_or_else(|| panic!("no array {key}"))
}

/// Sets a member; a new one goes behind the last.
fn set(object: &mut Json, key: &str, value: Json) {
    if let Some(member) = object.get_mut(key) {
        *member = value;
    } else if let Json::Object(members) = object {
        members.push((key.to_owned(), value));
    }
}

/// `members` in the order in which `like` has them.
fn ordered(like: Option<&Json>, members: Vec<(&str, Json)>) -> Json {
    let mut members = members;
    let place = |key: &str| like?.members().iter().position(|(k, _)| k == key);
    members.sort_by_key(|(key, _)| place(key).unwrap_or(usize::MAX));
    Json::object(members)
}

/// A model for a new element of the list `key`: the list's last one, or any elsewhere.
fn sibling<'a>(turn: &'a Json, dialog: &'a Json, key: &str) -> Option<&'a Json> {
    let last = turn.get(key).and_then(|list| list.elements().last());
    last.or_else(|| {
        let filled = |json: &Json| json.get(key).is_some_and(|v| !v.elements().is_empty());
        holder(dialog, key, &filled)?.get(key)?.elements().last()
    })
}

/// Any object of the dialog that has `key` and is as wanted.
fn holder<'a>(json: &'a Json, key: &str, wanted: &dyn Fn(&Json) -> bool) -> Option<&'a Json> {
    if json.get(key).is_some() && wanted(json) {
        return Some(json);
    }
    let elements = json.elements().iter();
    let mut inner = elements.chain(json.members().iter().map(|(_, value)| value));
    inner.find_map(|value| holder(value, key, wanted))
}

/// `dialog` after `edit`, which must fit it.
pub fn apply(family: &str, dialog: &Json, edit: &Edit) -> Json {
    let mut after = dialog.clone();
    if let Edit::SetField { name, text } = edit {
        set(&mut after, name, Json::text(text));
        return after;
    }
    if let Edit::RemoveTurn { turn } = edit {
        turns::remove_turn(family, &mut after, *turn);
        return after;
    }
    if let Edit::AddTurn { turn, speaker, text } = edit {
        turns::add_turn(family, &mut after, *turn, speaker, text);
        return after;
    }
    if family == "messages" {
        chat::apply(&mut after, edit);
        return after;
    }
    if family == "sharegpt" {
        sharegpt::apply(&mut after, edit);
        return after;
    }
    if matches!(edit.about(), EditKind::Acts | EditKind::Intents | EditKind::State) {
        exchange::apply(family, dialog, &mut after, edit);
        return after;
    }
    let turn = turn_mut(family, &mut after, edit.turn());
    let tokens = family == "sim";
    let key = if tokens { "slots" } else { "segments" };
    match edit {
        Edit::SetSpan { segment, start, end, .. } => {
            let covered = covered(turn, *start, *end);
            let segment = &mut list(turn, key)[*segment];
            set_span(tokens, segment, *start, *end);
            if !tokens && segment.get("text").is_some() {
                set(segment, "text", Json::String(covered));
            }
        }
        Edit::AddSegment { start, end, labels, .. } => {
            let new = if tokens {
                slot(sibling(turn, dialog, key), *start, *end, &labels[0])
            } else {
                segment(family, turn, dialog, (*start, *end), labels)
            };
            let at = if tokens { "start" } else { "start_index" };
            let starts = turn.get(key).map(|list| starts(list, at)).unwrap_or_default();
            let is_in_order = starts.iter().all(Option::is_some) && starts.is_sorted();
            let before = |own: &Option<f64>| *own <= Some(f64::from(*start));
            let place = is_in_order.then(|| starts.partition_point(before));
            match place.filter(|place| *place < starts.len()) {
                Some(place) => list(turn, key).insert(place, new),
                None => append(turn, dialog, key, new),
            }
        }
        Edit::RemoveSegment { segment, .. } => {
            list(turn, key).remove(*segment);
        }
        Edit::SetLabels { segment, labels, .. } => {
            let segment = &mut list(turn, key)[*segment];
            if tokens {
                set(segment, "slot", Json::text(&labels[0]));
            } else {
                rename(segment, labels);
            }
        }
        Edit::SetQuote { segment, text, .. } => {
            let quoted = &list(turn, key)[*segment];
            let at = |key| number(quoted.get(key).expect(key)) as u32;
            let (start, end) = (at("start_index"), at("end_index"));
            let text = text.clone().unwrap_or_else(|| covered(turn, start, end));
            set(&mut list(turn, key)[*segment], "text", Json::String(text));
        }
        Edit::SetText { text, .. } => set_text(family, turn, text),
        Edit::SetSpeaker { speaker, .. } => set(turn, "speaker", Json::text(speaker)),
        Edit::SetTokens { tokens, .. } => {
            let tokens = tokens.iter().map(|token| Json::text(token)).collect();
            set(turn, "tokens", Json::Array(tokens));
        }
        Edit::CastVote { annotator, .. } => votes::cast(turn, dialog, annotator, edit),
        Edit::WithdrawVote { annotator, .. } => {
            list(turn, "annotations").retain(|vote| !votes::is_by(vote, annotator));
        }
        Edit::AddCall { .. } => calls::add(family, turn, dialog, edit),
        Edit::RemoveCall { call, .. } => calls::remove_call(family, turn, *call),
        other => calls::apply(family, turn, other),
    }
    after
}

fn covered(turn: &Json, start: u32, end: u32) -> String {
    let text = turn.get("text").and_then(Json::as_str).unwrap_or_default();
    let chars = text.chars().skip(start as usize);
    chars.take((end - start) as usize).collect()
}

fn set_span(tokens: bool, segment: &mut Json, start: u32, end: u32) {
    let keys = if tokens { ["start", "exclusive_end"] } else { ["start_index", "end_index"] };
    for (key, number) in keys.into_iter().zip([start, end]) {
        let old = segment.get(key);
        // 29.0 has the same value as 29 and stays as it is.
        let says = |v: &Json| v.as_str().is_none() && v.value().as_f64() == Some(f64::from(number));
        if old.is_some_and(says) {
            continue;
        }
        let as_string = old.is_some_and(|v| v.as_str().is_some());
        set(segment, key, offset(as_string, number));
    }
}

fn offset(as_string: bool, number: u32) -> Json {
    if as_string { Json::String(number.to_string()) } else { Json::number(number) }
}

fn names(labels: &[String]) -> Json {
    let name = |label: &String| Json::object(vec![("name", Json::text(label))]);
    Json::Array(labels.iter().map(name).collect())
}

/// Gives a segment other labels; other fields of a label stay in their place.
fn rename(segment: &mut Json, labels: &[String]) {
    let Json::Array(mut named) = names(labels) else {
        return;
    };
    let old = segment.get("annotations").map_or(&[][..], Json::elements);
    for ((new, label), old) in named.iter_mut().zip(labels).zip(old) {
        *new = old.clone();
        set(new, "name", Json::text(label));
    }
    set(segment, "annotations", Json::Array(named));
}

fn slot(like: Option<&Json>, start: u32, end: u32, label: &str) -> Json {
    let members = vec![
        ("slot", Json::text(label)),
        ("start", Json::number(start)),
        ("exclusive_end", Json::number(end)),
    ];
    ordered(like, members)
}

fn segment(
    family: &str,
    turn: &Json,
    dialog: &Json,
    (start, end): (u32, u32),
    labels: &[String],
) -> Json {
    let like = sibling(turn, dialog, "segments");
    let seen = like.and_then(|v| v.get("start_index"));
    let as_string = seen.map_or(family == "taskmaster-4", |v| v.as_str().is_some());
    let members = vec![
        ("start_index", offset(as_string, start)),
        ("end_index", offset(as_string, end)),
        ("text", Json::String(covered(turn, start, end))),
        ("annotations", names(labels)),
    ];
    ordered(like, members)
}

/// Adds to a list, which is made where turns elsewhere have it: behind the key before it.
fn append(turn: &mut Json, dialog: &Json, key: &str, new: Json) {
    if turn.get(key).is_some() {
        list(turn, key).push(new);
    } else {
        insert(turn, dialog, key, Json::Array(vec![new]));
    }
}

/// The first unit of each segment of a list, as far as it is a number.
fn starts(list: &Json, key: &str) -> Vec<Option<f64>> {
    let Json::Array(all) = list else {
        return Vec::new();
    };
    let start = |one: &Json| match one.get(key)? {
        Json::Bare(number) => number.parse().ok(),
        Json::String(text) => text.parse().ok(),
        Json::Array(_) | Json::Object(_) => None,
    };
    all.iter().map(start).collect()
}

/// Adds a member that objects elsewhere have: behind the key before it.
fn insert(object: &mut Json, dialog: &Json, key: &str, value: Json) {
    let like = holder(dialog, key, &|_| true);
    let Json::Object(members) = object else {
        panic!("it is an object");
    };
    let before = |like: &Json| {
        let keys = like.members().iter().map(|(k, _)| k).take_while(|k| *k != key);
        let here = keys.filter_map(|k| members.iter().position(|(m, _)| m == k));
        here.max().map_or(0, |position| position + 1)
    };
    let at = like.map_or(members.len(), before);
    members.insert(at, (key.to_owned(), value));
}

fn set_text(family: &str, turn: &mut Json, text: &str) {
    match family {
        "sim-gen" => *turn = Json::text(text),
        "dbdc" => set(turn, "utterance", Json::text(text)),
        "sim" => {
            let strings = |json: &Json| json.as_str().expect("a token").to_owned();
            let old = turn.get("tokens").expect("tokens").elements().iter();
            let old: Vec<_> = old.map(strings).collect();
            let new: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
            if old != new {
                shift(turn, "slots", &Kept::of_tokens(&old, &new));
            }
            let new = new.into_iter().map(Json::String).collect();
            set(turn, "tokens", Json::Array(new));
            set(turn, "text", Json::text(text));
        }
        _ => {
            let old = turn.get("text").and_then(Json::as_str).expect("a text");
            if old != text {
                let kept = Kept::of_text(old, text);
                shift(turn, "segments", &kept);
            }
            set(turn, "text", Json::text(text));
        }
    }
}

/// Moves the spans that stay, and removes the others.
fn shift(turn: &mut Json, key: &str, kept: &Kept) {
    if turn.get(key).is_none() {
        return;
    }
    let tokens = key == "slots";
    let [start_key, end_key] =
        if tokens { ["start", "exclusive_end"] } else { ["start_index", "end_index"] };
    let segments = std::mem::take(list(turn, key));
    for mut segment in segments {
        let at = |key| number(segment.get(key).expect(key));
        if let Some((start, end)) = kept.span(at(start_key), at(end_key)) {
            set_span(tokens, &mut segment, start as u32, end as u32);
            list(turn, key).push(segment);
        }
    }
}

fn number(json: &Json) -> usize {
    let text = json.as_str().map(str::to_owned);
    let text = text.unwrap_or_else(|| json.value().to_string());
    let number = text.parse::<f64>().expect("an offset");
    format!("{number:.0}").parse().expect("a whole number")
}
