//! Faults planted in chats, from several seeds: every one is found under its rule and nothing else is
//! reported, and the first fix restores arguments.

use std::collections::BTreeMap;

use serde_json::Value;
use turnwise::format::{self, detect};
use turnwise::json::{Escapes, Parser};
use turnwise::lint::{Diagnostic, Selection};

use super::chat_corpus::{BY_ID, RULES, arguments, chat, plant, sharegpt};
use super::found_in;
use crate::support::random::Random;

const SEEDS: std::ops::Range<u64> = 0..6;

/// Chats of each seed, so that each rule has a fault in several of them.
const CHATS: usize = 140;

/// A chat in one of the two forms, and what the rules report in it.
fn found(chat: &Value) -> Vec<Diagnostic> {
    found_in(&chat.to_string(), &Selection::default())
}

/// Calls `visit` with chats without faults, the chats after a fault for each rule in turn, and the fault.
fn each_fault(mut visit: impl FnMut(&Value, &Value, &super::chat_corpus::Fault)) {
    for seed in SEEDS {
        let mut random = Random(seed);
        for number in 0..CHATS {
            let good = chat(&mut random);
            let mut bad = good.clone();
            if let Some(fault) = plant(&mut random, &mut bad, RULES[number % RULES.len()]) {
                visit(&good, &bad, &fault);
            }
        }
    }
}

#[test]
fn nothing_is_reported_in_chats_without_faults() {
    for seed in SEEDS {
        let mut random = Random(seed);
        for _ in 0..CHATS {
            let chat = chat(&mut random);
            for chat in [sharegpt(&chat), chat] {
                let found = found(&chat);
                assert!(found.is_empty(), "seed {seed}: {chat}: {found:?}");
            }
        }
    }
}

#[test]
fn every_planted_fault_is_found_under_its_rule_and_nothing_else() {
    let mut planted = BTreeMap::new();
    each_fault(|_, bad, fault| {
        let expected = [(fault.rule, Some(fault.turn))];
        let told = |chat: &Value| {
            let found = found(chat);
            found.iter().map(|d| (d.rule.name, d.location.turn)).collect::<Vec<_>>()
        };
        assert_eq!(told(bad), expected, "{bad}");
        if !BY_ID.contains(&fault.rule) {
            let bad = sharegpt(bad);
            assert_eq!(told(&bad), expected, "{bad}");
        }
        *planted.entry(fault.rule).or_insert(0) += 1;
    });
    for rule in RULES {
        assert!(planted.get(rule).is_some_and(|count| *count >= 20), "{rule}: {planted:?}");
    }
}

/// The text of a dialog after the first fix of a problem; None if there is no fix.
fn after_first_fix(text: &str, problem: &Diagnostic) -> Option<String> {
    let mut parser = Parser::new();
    let format = detect(parser.parse_piece_str(text).unwrap().root()).unwrap();
    let edits = &problem.fixes.first()?.edits;
    Some(edits.iter().fold(text.to_owned(), |text, edit| {
        let escapes = Escapes::seen_in(&text);
        format::edit(format, &text, escapes, edit).unwrap().text
    }))
}

/// The chat with the arguments at `turn` as values: their spaces and escapes do not matter.
fn with_values(mut chat: Value, turn: usize) -> Option<Value> {
    if let Some(messages) = chat.get_mut("conversations") {
        let call = messages[turn]["value"].as_str()?;
        let mut call: Value = serde_json::from_str(call).ok()?;
        call["arguments"] = serde_json::from_str(call["arguments"].as_str()?).ok()?;
        messages[turn]["value"] = call;
    } else {
        let text = arguments(&mut chat, turn).as_str()?.to_owned();
        *arguments(&mut chat, turn) = serde_json::from_str(&text).ok()?;
    }
    Some(chat)
}

#[test]
fn the_first_fix_restores_arguments() {
    let mut tried = BTreeMap::new();
    each_fault(|good, bad, fault| {
        if !fault.rule.starts_with("chat-arguments") {
            return;
        }
        for (good, bad) in [(good.clone(), bad.clone()), (sharegpt(good), sharegpt(bad))] {
            let text = bad.to_string();
            let fixed = found(&bad).iter().find_map(|problem| after_first_fix(&text, problem));
            let fixed =
                fixed.and_then(|text| with_values(serde_json::from_str(&text).ok()?, fault.turn));
            let (all, restored) = tried.entry(fault.rule).or_insert((0, 0));
            *all += 1;
            if fixed == with_values(good, fault.turn) {
                *restored += 1;
            }
        }
    });
    assert_eq!(tried.len(), 2);
    for (rule, (all, restored)) in tried {
        assert!(restored * 100 >= all * 95, "{rule}: {restored} of {all}");
    }
}
