//! Parts of a dialog in places where its format does not look: read from there, or named.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Ran, run_in, scratch};

/// Applies an edit to a file with this text; returns the text after it.
fn applied(text: &str, edit: &Value) -> (Ran, String) {
    let folder = scratch();
    let path = folder.path().join("c.jsonl");
    fs::write(&path, text).unwrap();
    let mut edit = edit.clone();
    edit["file"] = "c.jsonl".into();
    let ran = run_in(folder.path(), &["apply", "-", "c.jsonl"], &edit.to_string());
    (ran, fs::read_to_string(path).unwrap())
}

/// Returns the report of a file with this text, and what else is printed about it.
fn checked(text: &str) -> (Value, Ran) {
    let folder = scratch();
    fs::write(folder.path().join("c.jsonl"), text).unwrap();
    let ran = run_in(folder.path(), &["check", "c.jsonl", "--format", "json"], "");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    (report[0].clone(), run_in(folder.path(), &["show", "c.jsonl"], ""))
}

fn codes(report: &Value) -> Vec<&str> {
    let issues = report["issues"].as_array().unwrap();
    issues.iter().map(|issue| issue["code"].as_str().unwrap()).collect()
}

/// Python writes them.
#[test]
fn numbers_that_json_does_not_have_are_kept_and_named_once_a_file() {
    let line = r#"{"id": "ID", "messages": [{"role": "user", "content": "wind?"}], "s": NaN, "l": [-Infinity, Infinity]}"#;
    let text = format!("{}\n{}\n", line.replace("ID", "a"), line.replace("ID", "b"));
    let (report, _) = checked(&text);
    assert_eq!((&report["dialogs"], codes(&report)), (&json!(2), vec!["not-json"]));
    assert_eq!(
        (&report["issues"][0]["line"], &report["issues"][0]["column"]),
        (&json!(1), &json!(70))
    );
    let edit = json!({"edit": "set_text", "dialog": 1, "turn": 0, "text": "rain?"});
    let (ran, after) = applied(&text, &edit);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(after.matches("wind?").count(), 1);
    assert_eq!(after.replace("rain?", "wind?"), text);
    // In the answers of another family, and in its lines, of which one is broken.
    let line = r#"{"type": "user", "sessionId": "s", "message": {"role": "user", "content": "wind?"}, "n": NaN}"#;
    let (report, _) = checked(&format!("{line}\n{{\"type\n{line}\n"));
    assert_eq!(codes(&report), ["not-json", "wrong-type"]);
    assert_eq!(report["turns"], 2);
    // What only begins so is not JSON.
    let (report, _) = checked(&line.replace("NaN", "NaNs"));
    assert_eq!(codes(&report), ["syntax"]);
}

fn said(role: &str, home: &str, what: &Value) -> Value {
    json!({"role": role, home: what})
}

/// Programs call the content of a message, and the arguments of a call, by several names.
#[test]
fn what_has_another_name_is_read_and_written_there() {
    let parts =
        json!([{"type": "text", "content": "Until six."}, {"type": "tool-quay", "input": {}}]);
    let call = |name: &str| json!({"id": name, "name": "quay", name: {"side": "west"}});
    let chat = json!({"messages": [
        said("user", "text", &"Is it open?".into()),
        said("assistant", "parts", &parts),
        {"role": "assistant", "content": null, "tool_calls": [call("args"), call("parameters"), call("input")]},
        {"role": "tool", "tool_call_id": "args", "message": "Shut."},
    ]});
    let text = chat.to_string();
    let (report, shown) = checked(&text);
    assert_eq!((codes(&report), &report["not_read"]), (vec![], &json!({"tool-quay": 1})));
    for told in ["user      Is it open?", "assistant Until six.", "→ Shut."] {
        assert!(shown.out.contains(told), "{told}: {}", shown.out);
    }
    assert_eq!(shown.out.matches("quay(side=west)").count(), 3);
    for (edit, was, is) in [
        (
            json!({"edit": "set_text", "dialog": 0, "turn": 1, "text": "Soon."}),
            "Until six.",
            "Soon.",
        ),
        (
            json!({"edit": "set_value", "dialog": 0, "turn": 2, "call": 1, "part": "arguments", "name": "side", "value": "east"}),
            "",
            "",
        ),
    ] {
        let (ran, after) = applied(&text, &edit);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(after.replace(is, was).replace("east", "west"), text);
    }
    // Beside the one that counts, another is named.
    let two = json!({"messages": [{"role": "user", "content": "Open?", "parts": parts}]});
    assert_eq!(checked(&two.to_string()).0["not_read"], json!({"parts": 1}));
}

/// Of some turns, a format may find nothing where it looks.
#[test]
fn a_turn_of_which_nothing_is_read_is_an_issue_and_gets_no_second_text() {
    let odd = json!([{"words": "Is it open?"}]);
    let chat = json!({"messages": [said("user", "phrases", &odd), said("assistant", "content", &"".into())]});
    let run = json!({"instance_id": "i", "history": [
        {"role": "user", "content": "Hi"}, said("assistant", "phrases", &odd)
    ]});
    for (text, turn) in [(chat.to_string(), 0), (run.to_string(), 1)] {
        let (report, shown) = checked(&text);
        assert_eq!(codes(&report), ["nothing-read"], "{report}");
        let issue = &report["issues"][0];
        assert_eq!(issue["turn"], turn);
        assert!(issue["message"].as_str().unwrap().contains("phrases"), "{issue}");
        assert!(shown.out.contains("Is it open?"));
        let edit = json!({"edit": "set_text", "dialog": 0, "turn": turn, "text": "Open?"});
        let (ran, after) = applied(&text, &edit);
        assert_eq!((ran.code, after), (1, text), "{ran:?}");
    }
}

/// Two answers may follow the messages, one of which is better.
#[test]
fn answers_beside_messages_are_a_pair() {
    let line = |list: &str, role: &str, text: &str, from: [&str; 2], several: bool| {
        let message = |from: &str, said: &str| json!({role: from, text: said});
        let side = |said: &str| {
            if several { json!([message(from[1], said)]) } else { message(from[1], said) }
        };
        json!({list: [message(from[0], "Open?")], "chosen": side("Until six."), "rejected": side("No.")})
    };
    for several in [false, true] {
        for line in [
            line("messages", "role", "content", ["user", "assistant"], several),
            line("conversations", "from", "value", ["human", "gpt"], several),
        ] {
            let folder = scratch();
            fs::write(folder.path().join("c.jsonl"), line.to_string()).unwrap();
            let ran = run_in(
                folder.path(),
                &["export", "dpo", "c.jsonl", "--chosen-is-better", "-o", "-"],
                "",
            );
            let (report, shown) = checked(&line.to_string());
            assert_eq!((&report["turns"], codes(&report)), (&json!(2), vec![]), "{ran:?}");
            assert!(shown.out.contains("Until six."), "{}", shown.out);
            let edit = json!({"edit": "set_text", "dialog": 0, "turn": 1, "text": "Soon."});
            let (ran, after) = applied(&line.to_string(), &edit);
            assert_eq!((ran.code, after.contains("Soon.")), (0, true), "{ran:?}");
        }
    }
    // Sides that begin from the start are another corpus, and texts are not read.
    let text = json!({"messages": [said("user", "content", &"Open?".into())], "chosen": "Until six.", "rejected": "No."});
    assert_eq!(checked(&text.to_string()).0["not_read"], json!({"chosen": 1, "rejected": 1}));
}

/// A corpus is not taken for another one that has a few members of the same names.
#[test]
fn other_corpora_are_not_read_as_those_they_look_like() {
    // The user speaks first, where WOZ 2.0 begins with the system.
    let turn = json!({"turn_idx": 0, "transcript": "How much?", "system_transcript": "Forty.",
        "belief_state": [], "system_acts": [], "transcript_annotated": {}});
    let mut corpus = json!([{"dialogue_idx": 1, "dialogue": [turn]}]);
    assert_eq!(codes(&checked(&corpus.to_string()).0), ["unknown"]);
    let turn = &mut corpus[0]["dialogue"][0];
    turn.as_object_mut().unwrap().remove("transcript_annotated");
    assert_eq!(checked(&corpus.to_string()).0["family"], "woz-2.0");
    corpus[0]["dialogue"][0].as_object_mut().unwrap().remove("system_acts");
    assert_eq!(codes(&checked(&corpus.to_string()).0), ["unknown"]);
    // Without speakers, nobody says the turns.
    let turns = json!([{"speaker": "USER", "utterance": "Hi", "frames": []}]);
    let corpus = json!([{"dialogue_id": "a", "turns": turns}]).to_string();
    assert_eq!(checked(&corpus).0["family"], "sgd");
    assert_eq!(codes(&checked(&corpus.replace("speaker", "who")).0), ["unknown"]);
}

/// `SpokenWOZ` has the form of `MultiWOZ`, and counts characters.
#[test]
fn spans_in_characters_are_not_read_as_words() {
    let corpus = json!({"S.json": {"goal": {}, "log": [
        {"text": "we want the quiet guest house , please", "tag": "user", "metadata": {},
         "span_info": [["Hotel-Inform", "type", "guest house", 18, 29]]},
        {"text": "ok", "tag": "system", "metadata": {"hotel": {"semi": {}, "book": {}}}}]}});
    let (report, shown) = checked(&corpus.to_string());
    assert_eq!(report["family"], "multiwoz-spoken");
    assert!(shown.out.contains("18..29  \"guest house\""), "{}", shown.out);
    let folder = scratch();
    fs::write(folder.path().join("c.json"), corpus.to_string()).unwrap();
    run_in(folder.path(), &["fix", "--unsafe-fixes", "c.json"], "");
    assert_eq!(fs::read_to_string(folder.path().join("c.json")).unwrap(), corpus.to_string());
}

/// Members of calls and segments that nobody knows are shown and found.
#[test]
fn unknown_members_of_calls_and_segments_are_shown_and_found() {
    let chat = json!({"messages": [said("user", "content", &"Open?".into()), {"role": "assistant", "content": null,
        "tool_calls": [{"id": "k", "state": "withdrawn", "function": {"name": "quay", "arguments": "{}"}}]}]});
    let run = json!({"sessionId": "g", "startTime": "t", "messages": [
        {"type": "user", "content": "Open?"},
        {"type": "gemini", "content": "", "toolCalls": [{"id": "k", "name": "quay", "args": {}, "state": "withdrawn"}]}]});
    let sgd = json!([{"dialogue_id": "a", "turns": [{"speaker": "USER", "utterance": "Open?", "frames": [
        {"service": "s", "slots": [{"slot": "x", "start": 0, "exclusive_end": 4, "state": "withdrawn"}]}]}]}]);
    for (text, is_call) in [(chat, true), (run, true), (sgd, false)] {
        let folder = scratch();
        fs::write(folder.path().join("c.jsonl"), text.to_string()).unwrap();
        let ran = run_in(folder.path(), &["show", "c.jsonl"], "");
        assert!(ran.out.contains("withdrawn"), "{}", ran.out);
        for query in ["field:state=withdrawn", "withdrawn"] {
            let ran = run_in(folder.path(), &["find", query, "c.jsonl"], "");
            assert_eq!(ran.code == 0, is_call || query.starts_with("field"), "{query}: {ran:?}");
        }
    }
}

/// Control texts of models that nothing reads are named.
#[test]
fn marks_of_models_in_texts_are_named() {
    for (said, kind) in [
        ("<think>Perhaps it shuts.", "reasoning in the text"),
        ("Perhaps it shuts.\n</think>\n\nUntil six.", "reasoning in the text"),
        ("One moment.\n<invoke name=\"quay\">\n</invoke>", "call as XML"),
        (
            "<think>So\n<tool_call>{\"name\": \"quay\"}</tool_call></think>Until six.",
            "call in the reasoning",
        ),
        ("A model ends with `</think>` in its text.", ""),
    ] {
        let chat = json!({"messages": [{"role": "user", "content": "Open?"}, {"role": "assistant", "content": said}]});
        let session = json!({"sessionId": "g", "startTime": "t", "messages": [{"type": "user", "content": "Open?"}, {"type": "gemini", "content": said}]});
        for text in [chat, session] {
            let expected = if kind.is_empty() { Value::Null } else { json!({kind: 1}) };
            let report = checked(&text.to_string()).0;
            assert_eq!(report.get("not_read").cloned().unwrap_or_default(), expected, "{said}");
        }
    }
}
