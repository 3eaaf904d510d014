//! Files whose dialogs are of several families: each dialog is what it is.

use serde_json::{Value, json};
use turnwise::corpus::{DialogRef, IdLookup};
use turnwise::dialog::{Edit, Role};

use crate::support::files::{open, saved};
use crate::support::{run_in, scratch};

/// Two chats in the form of messages, one in that of `ShareGPT`, a log of DBDC and a line of no family.
fn lines() -> String {
    let chat = |id: &str| {
        json!({"id": id, "messages": [
            {"role": "user", "content": "Is the museum open?"},
            {"role": "assistant", "content": "Yes, until five."},
        ]})
    };
    let shared = json!({"id": "b", "conversations": [
        {"from": "human", "value": "What is in room two?"},
        {"from": "function_call", "value": r#"{"name": "find", "arguments": "{\"room\": 2"}"#},
        {"from": "observation", "value": "clocks"},
        {"from": "gpt", "value": "Old clocks."},
    ]});
    let log = json!({"dialogue-id": "c", "turns": [
        {"turn-index": 0, "speaker": "S", "utterance": "Hello", "annotations": []},
        {"turn-index": 1, "speaker": "U", "utterance": "Hi", "annotations": []},
    ]});
    let all = [chat("a"), shared, log, chat("d"), json!({"id": "e", "x": []})];
    all.map(|line| format!("{line}\n")).concat()
}

#[test]
fn each_line_is_read_as_the_family_it_is() {
    let file = open(lines().into_bytes());
    let dialog = |position| file.dialog(position).unwrap().unwrap();
    for (position, id, turns) in [(0, "a", 2), (1, "b", 4), (2, "c", 2), (3, "d", 2)] {
        let (dialog, issues) = dialog(position);
        assert_eq!((dialog.id.as_str(), dialog.turns.len()), (id, turns));
        assert!(issues.is_empty(), "{id}: {issues:?}");
        let found = file.find(&DialogRef::Id(id.to_owned())).unwrap();
        assert_eq!(found, IdLookup::Found(position));
    }
    let speaks = |position: usize| dialog(position).0.turns[0].speaker.role;
    assert_eq!([0, 1, 2].map(speaks), [Role::User, Role::User, Role::System]);
    // A line of no family is held against the usual one.
    assert!(!dialog(4).1.is_empty());
}

#[test]
fn check_and_lint_name_the_families_and_the_problems_of_each_line() {
    let folder = scratch();
    std::fs::write(folder.path().join("mixed.jsonl"), lines()).unwrap();
    let ran = run_in(folder.path(), &["check", "mixed.jsonl"], "");
    assert!(ran.out.contains("messages, dbdc, sharegpt"), "{}", ran.out);
    let ran = run_in(folder.path(), &["check", "--format", "json", "mixed.jsonl"], "");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report[0]["family"], "messages");
    assert_eq!(report[0]["other_families"], json!(["dbdc", "sharegpt"]));
    assert_eq!(report[0]["turns"], 10);
    let issues = report[0]["issues"].as_array().unwrap();
    assert!(issues.iter().all(|issue| issue["dialog"] == 4), "{issues:?}");
    let ran = run_in(folder.path(), &["lint", "mixed.jsonl"], "");
    assert!(
        ran.out.contains("mixed.jsonl:2:") && ran.out.contains("[chat-arguments-broken]"),
        "{}",
        ran.out
    );
    let ran = run_in(folder.path(), &["show", "mixed.jsonl", "b"], "");
    assert!(ran.out.contains("ShareGPT"), "{}", ran.out);
}

#[test]
fn edits_and_fixes_are_written_as_the_family_of_the_line_writes_them() {
    let before = lines();
    let mut file = open(before.clone().into_bytes());
    let text =
        |turn, new: &str| Edit::SetText { turn, text: new.to_owned(), shrink: false, drop: false };
    assert_eq!(file.edit(1, &text(3, "New clocks.")), Ok(true));
    assert_eq!(file.edit(2, &text(1, "Hey")), Ok(true));
    let vote = r#"{"edit":"cast_vote","turn":0,"annotator":"x","breakdown":"O"}"#;
    let vote: Edit = serde_json::from_str(vote).unwrap();
    assert!(file.edit(0, &vote).is_err());
    assert_eq!(file.edit(2, &vote), Ok(true));
    let changed = String::from_utf8(saved(&file)).unwrap();
    let same: Vec<bool> =
        before.lines().zip(changed.lines()).map(|(old, new)| old == new).collect();
    assert_eq!(same, [true, false, false, true, true]);
    while file.undo().is_some() {}
    assert_eq!(saved(&file), before.as_bytes());

    let folder = scratch();
    let path = folder.path().join("mixed.jsonl");
    std::fs::write(&path, &before).unwrap();
    let rule = ["fix", "--unsafe-fixes", "--select", "chat-arguments-broken"];
    let ran = run_in(folder.path(), &[&rule[..], &["mixed.jsonl"]].concat(), "");
    let fixed = std::fs::read_to_string(&path).unwrap();
    let closed = before.replace(r#"\": 2\"}"#, r#"\": 2}\"}"#);
    assert_eq!(fixed, closed, "{ran:?}");
}
