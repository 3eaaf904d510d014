//! The part of the oracle that is about acts, intents and state.

use turnwise::dialog::{Content, Edit, EditValue, SlotValue};

use super::super::value::Json;
use super::{append, insert, list, ordered, set, sibling};

pub fn json(said: &EditValue) -> Json {
    match said.content() {
        Content::Text(text) => Json::text(&text),
        Content::Raw(raw) => Json::parse(&raw).unwrap(),
    }
}

/// The exchange that turn `turn` of the model belongs to, and true if the turn is the user's.
fn exchange_mut(dialog: &mut Json, turn: usize) -> (&mut Json, bool) {
    let mut left = turn;
    for exchange in list(dialog, "turns") {
        for side in ["system_utterance", "user_utterance"] {
            if exchange.get(side).is_none() {
                continue;
            }
            if left == 0 {
                return (exchange, side == "user_utterance");
            }
            left -= 1;
        }
    }
    panic!("no turn {turn}");
}

pub fn apply(family: &str, before: &Json, after: &mut Json, edit: &Edit) {
    let mapped = family == "sim-gen";
    let (exchange, user) = exchange_mut(after, edit.turn());
    let acts = if user { "user_acts" } else { "system_acts" };
    match edit {
        Edit::SetAct { act, name, slots, .. } => {
            set_act(mapped, before, &mut list(exchange, acts)[*act], name, slots);
        }
        Edit::AddAct { name, slots, .. } => {
            let like = sibling(exchange, before, acts);
            let new = new_act(mapped, like, name, slots);
            append(exchange, before, acts, new);
        }
        Edit::RemoveAct { act, .. } => {
            list(exchange, acts).remove(*act);
        }
        Edit::SetIntents { intents, .. } => {
            for (i, intent) in intents.iter().enumerate() {
                if i == 0 && exchange.get("user_intents").is_none() {
                    append(exchange, before, "user_intents", Json::text(intent));
                } else if i < list(exchange, "user_intents").len() {
                    list(exchange, "user_intents")[i] = Json::text(intent);
                } else {
                    list(exchange, "user_intents").push(Json::text(intent));
                }
            }
            if exchange.get("user_intents").is_some() {
                list(exchange, "user_intents").truncate(intents.len());
            }
        }
        Edit::SetState { slot, value, .. } if mapped => {
            let state = exchange.get_mut("dialogue_state").expect("a state");
            set(state, slot, json(value));
        }
        Edit::SetState { slot, value, .. } => {
            let is = |s: &&mut Json| s.get("slot").and_then(Json::as_str) == Some(slot);
            let old = exchange.get_mut("dialogue_state").and_then(Json::elements_mut);
            match old.and_then(|state| state.iter_mut().find(is)) {
                Some(state) => set(state, "value", json(value)),
                None => {
                    let like = sibling(exchange, before, "dialogue_state");
                    let members = vec![("slot", Json::text(slot)), ("value", json(value))];
                    append(exchange, before, "dialogue_state", ordered(like, members));
                }
            }
        }
        Edit::RenameState { slot, to, .. } if mapped => {
            let state = exchange.get_mut("dialogue_state").expect("a state");
            if let Json::Object(members) = state {
                let old = members.iter_mut().find(|(key, _)| key == slot);
                to.clone_into(&mut old.expect("the slot").0);
            }
        }
        Edit::RenameState { slot, to, .. } => {
            let is = |s: &&mut Json| s.get("slot").and_then(Json::as_str) == Some(slot);
            let state = list(exchange, "dialogue_state").iter_mut().find(is);
            set(state.expect("the slot"), "slot", Json::text(to));
        }
        Edit::RemoveState { slot, .. } if mapped => {
            remove(exchange.get_mut("dialogue_state").expect("a state"), slot);
        }
        Edit::RemoveState { slot, .. } => {
            let is = |s: &Json| s.get("slot").and_then(Json::as_str) == Some(slot);
            list(exchange, "dialogue_state").retain(|s| !is(s));
        }
        _ => unreachable!(),
    }
}

pub fn remove(object: &mut Json, key: &str) {
    if let Json::Object(members) = object {
        members.retain(|(name, _)| name != key);
    }
}

fn slot_members(mapped: bool, slots: &[SlotValue]) -> Vec<(&'static str, Json)> {
    let value = |s: &SlotValue| s.value.as_ref().map(json);
    if mapped {
        let all = slots.iter().map(|s| (s.slot.as_str(), value(s).unwrap()));
        return vec![("slot_values", Json::object(all.collect()))];
    }
    let Some(slot) = slots.first() else {
        return Vec::new();
    };
    let mut members = Vec::new();
    if !slot.slot.is_empty() {
        members.push(("slot", Json::text(&slot.slot)));
    }
    members.extend(value(slot).map(|value| ("value", value)));
    members
}

fn new_act(mapped: bool, like: Option<&Json>, name: &str, slots: &[SlotValue]) -> Json {
    let mut members = vec![(if mapped { "name" } else { "type" }, Json::text(name))];
    if !mapped || !slots.is_empty() {
        members.extend(slot_members(mapped, slots));
    }
    ordered(like, members)
}

fn set_act(mapped: bool, before: &Json, act: &mut Json, name: &str, slots: &[SlotValue]) {
    set(act, if mapped { "name" } else { "type" }, Json::text(name));
    let wanted = slot_members(mapped, slots);
    if mapped {
        let wanted = &wanted[0].1;
        if act.get("slot_values").is_none() {
            if !slots.is_empty() {
                insert(act, before, "slot_values", wanted.clone());
            }
            return;
        }
        let map = act.get_mut("slot_values").expect("slots");
        let gone: Vec<_> = map.members().iter().map(|(key, _)| key.clone()).collect();
        for key in gone.iter().filter(|key| wanted.get(key).is_none()) {
            remove(map, key);
        }
        for (key, value) in wanted.members() {
            set(map, key, value.clone());
        }
        if let Json::Object(members) = map {
            let wanted = |key: &str| wanted.members().iter().position(|(name, _)| name == key);
            members.sort_by_key(|(key, _)| wanted(key));
        }
        return;
    }
    for key in ["slot", "value"] {
        if !wanted.iter().any(|(name, _)| *name == key) {
            remove(act, key);
        }
    }
    for (key, value) in wanted {
        set(act, key, value);
    }
}
