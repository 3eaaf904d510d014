//! Which dialog of one copy is which of another, and which turn: by their ids, texts, fields and neighbours.

use std::fs;

use serde_json::{Value, json};

use super::untold::Copies;
use super::{are_in_conflict, are_joined, merge, merge_as};
use crate::support::project;

/// No text is left of the dialog that its copies share, but nothing else is in its place.
#[test]
fn a_dialog_without_an_id_of_which_each_side_changes_a_text_is_one() {
    let chats = |question: &str, answer: &str| {
        let chat = |texts: [&str; 2]| {
            let [question, answer] = texts.map(|text| json!({"content": text}));
            let mut turns = [question, answer];
            turns[0]["role"] = json!("user");
            turns[1]["role"] = json!("assistant");
            json!({ "messages": turns })
        };
        let all = [chat(["Tea?", "Yes."]), chat([question, answer]), chat(["More?", "No."])];
        all.map(|chat| format!("{chat}\n")).concat()
    };
    let texts = [("Milk?", ""), ("Sugar?", ""), ("Milk?", "None.")];
    let [base, ours, theirs] = texts.map(|(question, answer)| chats(question, answer));
    let merged = merge_as("jsonl", [&base, &ours, &theirs], &[]);
    assert_eq!((merged.code, &merged.text), (0, &chats("Sugar?", "None.")), "{merged:?}");
}

/// Two neighbours share one text with what they were, and have other numbers of turns.
#[test]
fn dialogs_without_ids_that_get_another_turn_are_the_same() {
    let chat = |number: u8, system: &str, answer: &str, note: &str| {
        let turn = |role: &str, text: &str| format!(r#"{{"role":"{role}","content":"{text}"}}"#);
        let mut turns = vec![
            turn("user", &format!("Is train {number} late?")).replace('}', &format!("{note}}}")),
            turn("assistant", &format!("Train {number} {answer}.")),
        ];
        if !system.is_empty() {
            turns.insert(0, turn("system", system));
        }
        format!("{{\"messages\":[{}]}}\n", turns.join(","))
    };
    let note = r#","name":"Ada""#;
    let all = |system: &str, answer: &str, note: &str| {
        let first = chat(1, "", "is on time", "");
        let changed = [2, 3].map(|number| chat(number, system, answer, note)).concat();
        format!("{first}{changed}{}", chat(4, "", "is on time", ""))
    };
    let base = all("", "is on time", "");
    let ours = all("Be brief.", "is just on time", "");
    let theirs = all("", "is on time", note);
    let expected = all("Be brief.", "is just on time", note);
    are_joined("jsonl", [&base, &ours, &theirs], &expected);
}

/// The answer has a text once its call is gone, and is still the event that it was.
#[test]
fn an_event_is_known_by_its_fields() {
    let event = |id: u32, rest: &str| {
        format!(r#"{{"id":{id},"timestamp":"2026-01-02T03:04:{id:02}","source":"agent",{rest}}}"#)
    };
    let first = r#"{"id":1,"timestamp":"2026-01-02T03:04:01","source":"user","action":"message","message":"Make a list.","args":{"content":"Make a list."}}"#;
    let call = event(
        2,
        r#""action":"write","message":"I write a list.","args":{"path":"a.txt","thought":"I write a list."}"#,
    );
    let answer = event(
        3,
        r#""cause":2,"observation":"write","message":"I wrote a.txt.","content":"Written: a.txt","extras":{"path":"a.txt"}"#,
    );
    let all = |events: &[&str]| format!("[{}]\n", events.join(",\n"));
    let marked = call.replace(r#""id":2"#, r#""id":2,"label":"good""#);
    let base = all(&[first, &call, &answer]);
    let removed = all(&[first, &answer]);
    let labelled = all(&[first, &marked, &answer]);
    are_in_conflict("json", [&base, &removed, &labelled]);
}

/// A file of one dialog has it, however little of it is left.
#[test]
fn the_only_dialog_of_a_file_is_the_same_one() {
    let mut copies = Copies::of("taskmaster-3.json");
    let mut dialog = copies.base[0].take();
    dialog["utterances"].as_array_mut().unwrap().truncate(3);
    copies.base = dialog;
    let other = |file: &mut Value| {
        file["conversation_id"] = json!("dlg-other");
        for (at, turn) in file["utterances"].as_array_mut().unwrap().iter_mut().enumerate() {
            turn["text"] = json!(format!("Other words {at}."));
            turn.as_object_mut().unwrap().remove("segments");
        }
    };
    let mut expected = copies.base.clone();
    other(&mut expected);
    copies.are_joined(&other, &|_| {}, &expected);
}

#[test]
fn a_dialog_that_is_only_written_otherwise_is_removed() {
    let text = fs::read_to_string(project("assets/demo/taskmaster-1.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let mut fewer = file.clone();
    fewer.as_array_mut().unwrap().remove(1);
    let minified = file.to_string();
    let removed = format!("{fewer:#}");
    for [ours, theirs] in [[&minified, &removed], [&removed, &minified]] {
        let merged = merge([&text, ours, theirs]);
        let out: Value = serde_json::from_str(&merged.text).unwrap();
        assert_eq!((merged.code, out), (0, fewer.clone()));
    }
}

/// One side removes a call with its answer, the other changes it: the next call has as little text.
#[test]
fn a_call_that_one_side_removes_is_not_taken_for_the_next_one() {
    let call = |id: &str, arguments: &str| {
        json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": id, "type": "function", "function": {"name": "read", "arguments": arguments}}]})
    };
    let answer = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "Some text."});
    let base = json!([{"messages": [{"role": "user", "content": "Read both."},
        call("t0", r#"{"file": "a"}"#), answer("t0"), call("t1", r#"{"file": "b"}"#), answer("t1"),
        {"role": "assistant", "content": "Both are fine."}]}]);
    let copies = Copies::of_value(base);
    let removed = |file: &mut Value| {
        let messages = file[0]["messages"].as_array_mut().unwrap();
        messages.drain(1..3);
    };
    let changed = |file: &mut Value| {
        file[0]["messages"][1] = call("t0", r#"{"file": "a", "lines": 5}"#);
    };
    let conflicts = copies.are_in_conflict(&removed, &changed);
    let has_turn = |of: &String| of.contains(r#""conflict":"turn""#);
    assert!(conflicts.iter().all(has_turn), "{conflicts:?}");
}

/// Two turns that are alike change places in one copy, and the other marks one of them.
#[test]
fn turns_that_change_places_keep_what_is_theirs() {
    let of = |turns: [&str; 2]| {
        let turns = turns.join(",\n");
        format!(
            "[{{\"conversation_id\":\"d\",\"instruction_id\":\"i\",\"utterances\":[\n{turns}]}}]\n"
        )
    };
    let one = r#"{"index":0,"speaker":"USER","text":"Is there a table for two at 7 pm?"}"#;
    let two = r#"{"index":1,"speaker":"USER","text":"Is there a table for two at 8 pm?"}"#;
    let marked = two.replace('}', r#","segments":[{"start_index":28,"end_index":32,"text":"8 pm","annotations":[{"name":"time"}]}]}"#);
    let (base, ours) = (of([one, two]), of([one, &marked]));
    let theirs = of([&two.replace(":1", ":0"), &one.replace(":0", ":1")]);
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let merged = merge([&base, ours, theirs]);
        let out: Value = serde_json::from_str(&merged.text).unwrap();
        for turn in out[0]["utterances"].as_array().unwrap() {
            let is_marked = turn.get("segments").is_some();
            assert!(!is_marked || turn["text"].as_str().unwrap().contains("8 pm"), "{merged:?}");
        }
    }
}
