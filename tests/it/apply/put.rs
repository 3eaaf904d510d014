//! `put`: JSON in place of an element or a member of a dialog, wherever that is now.

use serde_json::{Value, json};

use super::{apply, corpus, saved};
use crate::support::CORPUS;

/// Makes records one by one; returns what the file is then.
fn put(records: &[Value]) -> Value {
    let folder = corpus();
    for record in records {
        let mut record = record.clone();
        record["dialog"] = json!("dlg-a");
        let ran = apply(folder.path(), &record.to_string(), &[]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    serde_json::from_str(&saved(folder.path())).unwrap()
}

#[test]
fn what_is_replaced_is_found_behind_what_was_added_before_it() {
    let base: Value = serde_json::from_str(CORPUS).unwrap();
    let was = &base[0]["utterances"][0]["segments"][0];
    let mut film = was.clone();
    film["annotations"][0]["name"] = json!("film");
    let added =
        json!({"edit": "add_segment", "turn": 0, "start": 0, "end": 3, "labels": ["count"]});
    let replaced = json!({"edit": "put", "turn": 0, "path": "/segments/0",
        "was": was.to_string(), "json": film.to_string()});
    let made = put(&[added.clone(), replaced]);
    let segments = made[0]["utterances"][0]["segments"].as_array().unwrap();
    assert_eq!((segments.len(), &segments[1]), (2, &film));
    let removed = json!({"edit": "put", "turn": 0, "path": "/segments/0", "was": was.to_string()});
    let made = put(&[added, removed]);
    assert_eq!(made[0]["utterances"][0]["segments"].as_array().unwrap().len(), 1);
}

#[test]
fn the_numbers_of_turns_follow_a_turn_that_comes_or_goes() {
    let new = json!({"index": 7, "speaker": "user", "text": "Hello?"});
    let added = json!({"edit": "put", "turn": 1, "path": "", "json": new.to_string()});
    let made = put(std::slice::from_ref(&added));
    let turns = made[0]["utterances"].as_array().unwrap();
    let numbers: Vec<_> = turns.iter().map(|turn| &turn["index"]).collect();
    assert_eq!((numbers, &turns[1]["text"]), (vec![&json!(0), &json!(1), &json!(2)], &new["text"]));
    let removed = json!({"edit": "put", "turn": 1, "path": "", "was": new.to_string()});
    let base: Value = serde_json::from_str(CORPUS).unwrap();
    assert_eq!(put(&[added, removed]), base);
}

#[test]
fn members_beside_the_turns_are_put_and_nothing_is_put_over_something_else() {
    let note = json!({"edit": "put", "path": "/note", "json": "[1]"});
    let made = put(&[note]);
    assert_eq!(made[0]["note"], json!([1]));
    for (record, why) in [
        (json!({"path": "/vertical", "json": "1"}), "there is something else in its place"),
        (json!({"path": "/vertical", "was": "1"}), "what it changes is no longer there"),
        (json!({"path": "/note", "json": "{"}), "it would not be JSON"),
        (json!({"turn": 9, "path": "/text", "was": "1"}), "what it changes is no longer there"),
        (json!({"path": "/utterances", "was": "[]"}), "what it changes is no longer there"),
    ] {
        let mut record = record.clone();
        record["edit"] = json!("put");
        record["dialog"] = json!("dlg-a");
        let folder = corpus();
        let ran = apply(folder.path(), &record.to_string(), &[]);
        assert!(ran.code == 1 && ran.err.contains(why), "{record}: {ran:?}");
        assert_eq!(saved(folder.path()), CORPUS);
    }
}
