//! Changes of both sides that meet in one place of a demo file: both are there, or a conflict says what is not.
//! `tests/cases/cli/merge_clashes.md` does the same to small files.

use std::fs;

use serde_json::{Value, json};

use super::diff;
use super::untold::{Copies, number, set};
use crate::browse::demo;
use crate::support::{run_in, scratch};

/// One side has changed the tokens of a text by hand, the other the text with its tokens.
#[test]
fn tokens_that_one_side_changes_and_a_text_that_the_other_changes_are_a_conflict() {
    let copies = Copies::of("sim-r.json");
    let utterance = "/0/turns/1/system_utterance";
    let tokens = &copies.base.pointer(utterance).unwrap()["tokens"];
    let tokens: Vec<_> = tokens.as_array().unwrap().clone();
    let (mut fewer, mut other, mut more) = (tokens.clone(), tokens.clone(), tokens.clone());
    fewer.remove(1);
    other[2] = json!("may not");
    more.insert(1, json!("very"));
    for by_hand in [fewer, other, more] {
        let by_hand = set("/0/turns/1/system_utterance/tokens", json!(by_hand));
        let text = set(
            "/0/turns/1/system_utterance",
            json!({"slots": [], "text": "noon please", "tokens": ["noon", "please"]}),
        );
        for conflicts in copies.are_in_conflict(&by_hand, &text) {
            assert_eq!(conflicts.lines().count(), 1, "{conflicts}");
            assert!(conflicts.contains(r#""conflict":"tokens","#), "{conflicts}");
            assert!(conflicts.contains(r#""path":"/system_utterance/text""#), "{conflicts}");
        }
    }
}

/// A turn in place of one that the other side has changed is its side of the conflict.
#[test]
fn a_turn_that_one_side_replaces_and_the_other_changes_is_one_conflict() {
    let copies = Copies::of("taskmaster-3.json");
    let text = set("/0/utterances/1/text", json!("Hello there."));
    let other = json!({"index": 1, "speaker": "narrator", "text": "Nothing is to be heard."});
    let replaced = set("/0/utterances/1", other);
    for (ours, theirs) in [(&text, &replaced), (&replaced, &text)] {
        let [conflicts, _] = copies.are_in_conflict(ours, theirs);
        assert_eq!(conflicts.lines().count(), 1, "{conflicts}");
        for (option, side) in [("--ours", ours), ("--theirs", theirs)] {
            let (_, out, _) = copies.merged_with(&[option], ours, theirs);
            assert_eq!(out, copies.with(side), "{option}");
        }
    }
}

/// It has another number in the merged dialog, which does not count as a change.
#[test]
fn a_turn_that_one_side_removes_and_the_other_changes_is_one_conflict() {
    let copies = Copies::of("taskmaster-3.json");
    let noted = set("/0/utterances/3/note", json!(1));
    let removed = |copy: &mut Value| {
        let turns = copy[0]["utterances"].as_array_mut().unwrap();
        turns.remove(3);
        turns.remove(0);
        number(turns);
    };
    for (code, _, conflicts) in copies.merged_both_ways(&noted, &removed) {
        assert_eq!(code, 1);
        assert_eq!(conflicts.lines().count(), 1, "{conflicts}");
        assert!(conflicts.contains(r#""conflict":"turn""#), "{conflicts}");
    }
}

/// An exchange is one element of the file, and two turns.
#[test]
fn a_conflict_of_an_exchange_names_the_turn_that_has_it() {
    let copies = Copies::of("sim-m.json");
    for (utterance, turn) in
        [("/0/turns/1/system_utterance/note", 1), ("/0/turns/1/user_utterance/note", 2)]
    {
        let notes = [1, 2].map(|note| set(utterance, json!({ "a": note })));
        let (code, _, conflicts) = copies.merged(&notes[0], &notes[1]);
        assert_eq!(code, 1);
        let turn = format!(r#""turn":{turn},"#);
        assert!(conflicts.lines().all(|line| line.contains(&turn)), "{conflicts}");
    }
}

/// Both sides begin a list, or one changes the only element of one to which the other adds.
#[test]
fn lists_of_at_most_one_element_have_what_both_sides_make_of_them() {
    let segments = "/2/utterances/9/segments";
    let segment = |start: u32, end: u32, text: &str| json!({"start_index": start, "end_index": end, "text": text, "annotations": [{"name": "n"}]});
    let (first, last) = (segment(0, 3, "And"), segment(10, 14, "name"));
    let actions = "/0/turns/0/frames/0/actions";
    let act = |act: &str, slot: &str, value: &str| json!({"act": act, "canonical_values": [], "slot": slot, "values": [value]});
    let intent = json!({"act": "INFORM_INTENT", "canonical_values": ["OrderCake"], "slot": "intent", "values": ["OrderCake"]});
    let (other, more) = (act("REQUEST", "area", "blue"), act("INFORM", "date", "maybe"));
    for (demo, list, one, two, both) in [
        ("taskmaster-1.json", segments, json!([first]), json!([last]), json!([first, last])),
        (
            "sgd/dialogues_001.json",
            actions,
            json!([other]),
            json!([intent, more]),
            json!([other, more]),
        ),
    ] {
        let copies = Copies::of(demo);
        let (one, two) = (set(list, one), set(list, two));
        for (code, out, conflicts) in copies.merged_both_ways(&one, &two) {
            let made = out.pointer(list).unwrap().as_array().unwrap();
            let has = |element: &Value| made.contains(element);
            assert!(both.as_array().unwrap().iter().all(has), "{demo}: {made:?}");
            assert_eq!((code, made.len()), (0, 2), "{demo}: {made:?} {conflicts}");
        }
    }
}

/// A text that was changed by hand, without its spans: beside changes of the other side all follow their words.
#[test]
fn spans_that_a_text_by_hand_leaves_behind_are_not_changes() {
    let copies = Copies::of("taskmaster-1.json");
    let segments = "/0/utterances/3/segments";
    let turn = &copies.base[0]["utterances"][3];
    let text = turn["text"].as_str().unwrap();
    let list = turn["segments"].as_array().unwrap();
    assert!(list.len() > 1, "{turn}");
    let by_hand = format!("Well, {text}");
    let text = move |file: &mut Value| file[0]["utterances"][3]["text"] = json!(by_hand);
    let moved = |segment: &Value| {
        let mut segment = segment.clone();
        for edge in ["start_index", "end_index"] {
            segment[edge] = json!(segment[edge].as_u64().unwrap() + 6);
        }
        segment
    };
    let label = |mut segment: Value| {
        segment["annotations"] = json!([{"name": "other"}]);
        segment
    };
    let (first, last) = (&list[0], &list[list.len() - 1]);
    let new = json!({"start_index": 0, "end_index": 1, "text": &turn["text"].as_str().unwrap()[..1],
        "annotations": [{"name": "new"}]});
    let changes = [
        (json!([&list[..], std::slice::from_ref(&new)].concat()), vec![new]),
        (json!(&list[1..]), vec![]),
        (json!([&[label(first.clone())], &list[1..]].concat()), vec![label(first.clone())]),
    ];
    for (list, expected) in changes {
        let marked = set(segments, list.clone());
        for (code, out, conflicts) in copies.merged_both_ways(&text, &marked) {
            assert_eq!(code, 0, "{conflicts}");
            let made = out.pointer(segments).unwrap().as_array().unwrap();
            for segment in &expected {
                assert!(made.contains(&moved(segment)), "{made:?}");
            }
            assert!(made.contains(&moved(last)), "{made:?}");
            assert_eq!(made.len(), list.as_array().unwrap().len());
        }
    }
}

type ActsChange<'c> = &'c dyn Fn(&mut Vec<Value>);

/// Lists of what the family does not read, in elements that others move.
#[test]
fn what_is_not_read_of_an_element_stays_with_it() {
    let copies = Copies::of("sgd/dialogues_001.json");
    let actions = "/1/turns/0/frames/0/actions";
    let act = |value: &str| json!({"act": "INFORM", "canonical_values": [value], "slot": value, "values": [value]});
    let was = copies.base.pointer(actions).unwrap().as_array().unwrap();
    let last = was.len() - 1;
    let with = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut list = was.clone();
        change(&mut list);
        list
    };
    let meant = json!(["meant"]);
    let added = |list: &mut Vec<Value>| list.insert(0, act("one"));
    let other = |list: &mut Vec<Value>| list.insert(0, act("two"));
    let gone = |list: &mut Vec<Value>| drop(list.remove(0));
    let value = |list: &mut Vec<Value>| list[last]["values"] = json!(["said"]);
    let canonical =
        |list: &mut Vec<Value>| list.last_mut().unwrap()["canonical_values"] = meant.clone();
    let changes: [[ActsChange<'_>; 2]; 4] =
        [[&added, &other], [&added, &canonical], [&gone, &canonical], [&value, &canonical]];
    for [one, two] in changes {
        let expected = with(&|list| {
            one(list);
            two(list);
        });
        let (one, two) = (set(actions, json!(with(one))), set(actions, json!(with(two))));
        for (code, out, conflicts) in copies.merged_both_ways(&one, &two) {
            assert_eq!(code, 0, "{conflicts}");
            let made = out.pointer(actions).unwrap().as_array().unwrap();
            assert_eq!(made.len(), expected.len(), "{made:?}");
            assert!(expected.iter().all(|act| made.contains(act)), "{made:?}");
        }
    }
}

/// Whatever it has.
#[test]
fn a_turn_that_one_side_removes_comes_back_as_a_whole() {
    let copies = Copies::of("taskmaster-4.json");
    for turn in [2, 3] {
        let path = format!("/0/utterances/{turn}");
        let text = format!("{path}/text");
        let removed = set(&path, Value::Null);
        let changed = set(&text, json!("Something else."));
        let (code, _, conflicts) = copies.merged(&removed, &changed);
        assert_eq!((code, conflicts.lines().count()), (1, 1), "{conflicts}");
        let conflict: Value = serde_json::from_str(&conflicts).unwrap();
        let theirs = copies.with(&changed);
        for (edits, copy) in [("edits", &theirs), ("edits_of_base", &copies.base)] {
            let edit = &conflict[edits][0];
            let put: Value = serde_json::from_str(edit["json"].as_str().unwrap()).unwrap();
            assert_eq!(&put, copy.pointer(&path).unwrap());
            assert_eq!((&edit["turn"], &edit["path"]), (&json!(turn), &json!("")));
        }
    }
}

/// Lists in the state are a sign of a family whose spans count characters.
#[test]
fn a_value_that_looks_like_another_family_does_not_move_spans() {
    let mut copies = Copies::of("multiwoz/gardens.json");
    let dialogs = copies.base.as_object_mut().unwrap();
    dialogs.retain(|id, _| id == "GARDEN0012.json");
    let wider = json!(["Garden-Inform", "Area", "the west", 9, 10]);
    let wider = set("/GARDEN0012.json/log/0/span_info/0", wider);
    let list = set("/GARDEN0012.json/log/1/metadata/garden/semi/area", json!(["west"]));
    let mut expected = copies.with(&wider);
    list(&mut expected);
    copies.are_joined(&wider, &list, &expected);
}

/// Acts are in one member by their name.
#[test]
fn two_acts_of_a_new_name_are_both_there() {
    let copies = Copies::of("multiwoz/gardens.json");
    let added = json!([["Area", "east"], ["Fee", "none"]]);
    let acts = "/GARDEN0012.json/log/0/dialog_act/Garden-Recommend";
    let new = copies.with(&set(acts, added));
    let edits = diff(&copies.base.to_string(), &new.to_string(), &["--format", "jsonl"]);
    let folder = scratch();
    let path = folder.path().join("old.json");
    fs::write(&path, copies.base.to_string()).unwrap();
    let ran = run_in(folder.path(), &["apply", "-", "old.json"], &edits.out);
    assert_eq!((edits.code, edits.err.as_str(), ran.code), (1, "", 0), "{ran:?}");
    let text = fs::read_to_string(path).unwrap();
    let made: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(made.pointer(acts), new.pointer(acts), "{text}");
    // JSON readers keep the last one of two members.
    let count = |text: &str| text.matches("Garden-Recommend").count();
    assert_eq!(count(&text), count(&new.to_string()));
}

/// Two copies that come from no third one have the parts that they share once.
#[test]
fn without_a_base_a_part_that_differs_is_there_once() {
    let count = |value: &Value, key: &str| value.to_string().matches(key).count();
    for (file, place, counted, is_conflict) in [
        ("taskmaster-3.json", "/0/utterances/0/segments/0/note", "start_index", true),
        ("taskmaster-3.json", "/0/utterances/4/apis/0/args/name.theater", "response", true),
        ("sgd/dialogues_001.json", "/0/turns/0/frames/0/note", "\"service\"", false),
    ] {
        let text = demo(file).1;
        let mut changed: Value = serde_json::from_str(&text).unwrap();
        set(place, json!("other"))(&mut changed);
        let folder = scratch();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("a.json", &text);
        write("b.json", &serde_json::to_string_pretty(&changed).unwrap());
        for sides in [["a.json", "b.json"], ["b.json", "a.json"]] {
            let arguments = ["merge", "--no-base", sides[0], sides[1], "-o", "c.json"];
            let ran = run_in(folder.path(), &arguments, "");
            assert_eq!(ran.code, i32::from(is_conflict), "{file} {ran:?}");
            let merged = fs::read_to_string(folder.path().join("c.json")).unwrap();
            let merged: Value = serde_json::from_str(&merged).unwrap();
            assert_eq!(count(&merged, counted), count(&changed, counted), "{file}");
        }
    }
}
