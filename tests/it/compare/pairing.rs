//! Which dialog of one copy is which of another, and which turn: by their ids, texts, fields and neighbours.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::clashes::merged;
use super::merge_texts;
use super::untold::{Change, Copies};
use crate::support::{Ran, project, run_in, scratch};

/// Merges three texts of lines.
fn merge_lines(folder: &Path, texts: [&str; 3]) -> (Ran, String) {
    let names = ["base.jsonl", "ours.jsonl", "theirs.jsonl"];
    for (name, text) in names.iter().zip(texts) {
        fs::write(folder.join(name), text).unwrap();
    }
    let ran = run_in(folder, &["merge", names[0], names[1], names[2], "-o", "out.jsonl"], "");
    let out = fs::read_to_string(folder.join("out.jsonl")).unwrap();
    (ran, out)
}

/// No text is left of the dialog that its copies share, but nothing else is in its place.
#[test]
fn a_dialog_without_an_id_of_which_each_side_changes_a_text_is_one() {
    let folder = scratch();
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
    let (ran, merged) = merge_lines(folder.path(), [&base, &ours, &theirs]);
    assert_eq!((ran.code, merged), (0, chats("Sugar?", "None.")), "{ran:?}");
}

/// Two neighbours share one text with what they were, and have other numbers of turns.
#[test]
fn dialogs_without_ids_that_get_another_turn_are_the_same() {
    let folder = scratch();
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
    for [ours, theirs] in [[&ours, &theirs], [&theirs, &ours]] {
        let (ran, merged) = merge_lines(folder.path(), [&base, ours, theirs]);
        assert_eq!((ran.code, &merged), (0, &expected), "{ran:?}");
    }
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
    let folder = scratch();
    for [ours, theirs] in [[&removed, &labelled], [&labelled, &removed]] {
        let ran = merge_texts(folder.path(), [&base, ours, theirs], &[]);
        let out = fs::read_to_string(folder.path().join("out.json")).unwrap();
        assert_eq!((ran.code, &out), (1, ours), "{ran:?}");
    }
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
    let none = |_: &mut Value| {};
    for (ours, theirs) in [(&other as Change<'_>, &none as Change<'_>), (&none, &other)] {
        let merged = copies.merged(ours, theirs);
        assert_eq!(merged, (0, expected.clone(), String::new()));
    }
}

#[test]
fn a_dialog_that_is_only_written_otherwise_is_removed() {
    let text = fs::read_to_string(project("assets/demo/taskmaster-1.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let mut fewer = file.clone();
    fewer.as_array_mut().unwrap().remove(1);
    let folder = scratch();
    let folder = folder.path();
    let minified = serde_json::to_string(&file).unwrap();
    let fewer = serde_json::to_string_pretty(&fewer).unwrap();
    for (name, text) in [("base", &text), ("form", &minified), ("fewer", &fewer)] {
        fs::write(folder.join(name).with_extension("json"), text).unwrap();
    }
    for [ours, theirs] in [["form", "fewer"], ["fewer", "form"]] {
        let names = ["base", ours, theirs].map(|name| format!("{name}.json"));
        let merge = ["merge", &names[0], &names[1], &names[2], "-o", "out.json"];
        let ran = run_in(folder, &merge, "");
        assert_eq!(ran.code, 0, "{ran:?}");
        let [out, fewer]: [Value; 2] = ["out.json", "fewer.json"].map(|name| {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            serde_json::from_str(&text).unwrap()
        });
        assert_eq!(out, fewer);
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
    for (ours, theirs) in [(&removed as Change<'_>, &changed as Change<'_>), (&changed, &removed)] {
        let (code, out, conflicts) = copies.merged(ours, theirs);
        assert_eq!(code, 1, "{conflicts}");
        assert!(conflicts.contains(r#""conflict":"turn""#), "{conflicts}");
        let messages = out[0]["messages"].as_array().unwrap();
        let next = copies.base[0]["messages"][3].clone();
        assert!(messages.contains(&next), "{out}");
        let mut kept = copies.base.clone();
        ours(&mut kept);
        let first = &kept[0]["messages"][1];
        assert!(messages.contains(first), "{out}");
    }
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
        let (_, out, conflicts) = merged(&base, ours, theirs);
        let out: Value = serde_json::from_str(&out).unwrap();
        for turn in out[0]["utterances"].as_array().unwrap() {
            let is_marked = turn.get("segments").is_some();
            let text = turn["text"].as_str().unwrap();
            assert!(!is_marked || text.contains("8 pm"), "{out} {conflicts}");
        }
    }
}
