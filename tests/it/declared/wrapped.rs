//! Requests and what came back, each inside an object of its own.

use turnwise::dialog::{Edit, Role};
use turnwise::format::{Formats, named};

use super::edited;
use super::sessions::{all, calls, only, unread};

/// Lines with a request and what came back: their family, the texts of their turns, and the calls.
const WRAPPED: [(&str, &str, &[&str], &[&str]); 10] = [
    (
        r#"{"request": {"model": "m", "messages": [{"role": "user", "content": "Tide?"}]}, "response": {"id": "c", "choices": [{"index": 0, "message": {"role": "assistant", "content": null, "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "tide", "arguments": "{}"}}]}}]}}"#,
        "requests",
        &["user Tide?", "assistant "],
        &["1 tide → -"],
    ),
    (
        r#"{"response": {"choices": [{"message": {"role": "assistant", "content": "At 14:10."}}]}, "request": {"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "tool_calls": [{"id": "t1", "function": {"name": "tide", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "t1", "content": "14:10"}]}}"#,
        "requests",
        &["user Tide?", "assistant ", "tool ", "assistant At 14:10."],
        &["1 tide → 14:10"],
    ),
    (
        r#"{"request": {"messages": [{"role": "user", "content": [{"type": "text", "text": "Tide?"}]}]}, "response": {"type": "message", "role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Wait."}, {"type": "tool_use", "id": "t1", "name": "tide", "input": {}}]}}"#,
        "requests",
        &["user Tide?", "assistant Wait."],
        &["1 tide → -"],
    ),
    (
        r#"{"custom_id": "r-0", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "m", "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Tide?"}]}}"#,
        "requests",
        &["system Be brief.", "user Tide?"],
        &[],
    ),
    (
        r#"{"id": "b", "custom_id": "r-0", "response": {"status_code": 200, "body": {"choices": [{"message": {"role": "assistant", "content": "At 14:10."}}]}}, "error": null}"#,
        "requests",
        &["assistant At 14:10."],
        &[],
    ),
    (
        r#"{"custom_id": "r-0", "result": {"type": "succeeded", "message": {"role": "assistant", "content": [{"type": "text", "text": "At 14:10."}]}}}"#,
        "requests",
        &["assistant At 14:10."],
        &[],
    ),
    (
        r#"{"request": {"model": "m", "input": "Tide?", "tools": [{"type": "function", "name": "tide"}]}, "response": {"object": "response", "output": [{"type": "function_call", "call_id": "t1", "name": "tide", "arguments": "{}"}]}}"#,
        "responses",
        &["user Tide?", "function_call "],
        &["1 tide → -"],
    ),
    (
        r#"{"custom_id": "r-0", "method": "POST", "url": "/v1/responses", "body": {"model": "m", "input": [{"role": "user", "content": "Tide?"}]}}"#,
        "responses",
        &["user Tide?"],
        &[],
    ),
    (
        r#"{"id": "c", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": "At 14:10."}}]}"#,
        "requests",
        &["assistant At 14:10."],
        &[],
    ),
    (
        r#"{"key": "r-0", "request": {"contents": [{"role": "user", "parts": [{"text": "Tide?"}]}]}, "response": {"candidates": [{"content": {"role": "model", "parts": [{"function_call": {"name": "tide", "args": {}}}]}}]}}"#,
        "gemini-api",
        &["user Tide?", "model "],
        &["1 tide → -"],
    ),
];

#[test]
fn a_request_and_its_answer_are_one_dialog() {
    for (line, family, expected, made) in WRAPPED {
        let pretty: serde_json::Value = serde_json::from_str(line).unwrap();
        let pretty = serde_json::to_string_pretty(&pretty).unwrap();
        for text in [line.to_owned(), format!("{line}\n{line}\n{line}\n"), pretty] {
            let dialogs = all(&text, &Formats::default());
            assert_eq!(dialogs.len(), if text.len() > 3 * line.len() { 3 } else { 1 });
            for (dialog, issues) in dialogs {
                let said = dialog.turns.iter();
                let said: Vec<_> =
                    said.map(|turn| format!("{} {}", turn.speaker.name, turn.text)).collect();
                assert_eq!(said, expected, "{family}: {line}");
                assert_eq!(issues, 0, "{line}");
                assert_eq!(calls(&dialog), made, "{line}");
                assert_eq!(unread(&dialog), "", "{line}");
                assert!(dialog.turns.iter().all(|turn| turn.speaker.role != Role::Other));
            }
        }
    }
}

#[test]
fn an_edit_of_a_wrapped_answer_changes_its_bytes_alone() {
    let [_, (line, ..), (blocks, ..), .., (opened, ..), _, _, _] = WRAPPED;
    let same = |family: &str, line: &str, record: &str, from: &str, to: &str| {
        let edit: Edit = serde_json::from_str(record).unwrap();
        let after = edited(named(family).unwrap(), line, &edit).unwrap();
        assert_eq!(after.text, line.replacen(from, to, 1));
    };
    let text = |turn: usize| format!(r#"{{"edit":"set_text","turn":{turn},"text":"Soon."}}"#);
    same("requests", line, &text(3), "At 14:10.", "Soon.");
    same("requests", blocks, &text(1), "Wait.", "Soon.");
    same("responses", opened, &text(0), "Tide?", "Soon.");
    let user = r#"{"role": "user", "content": "Tide?"}, "#;
    same("requests", line, r#"{"edit":"remove_turn","turn":0}"#, user, "");
    let response = r#"{"edit":"set_json","turn":1,"call":0,"part":"response","text":"15:20"}"#;
    same("requests", line, response, "\"14:10\"", "\"15:20\"");
    for (record, why) in [
        (r#"{"edit":"remove_turn","turn":3}"#, "not in a list"),
        (r#"{"edit":"add_turn","turn":4,"speaker":"user","text":"Thanks."}"#, "in several places"),
    ] {
        let edit: Edit = serde_json::from_str(record).unwrap();
        let error = edited(named("requests").unwrap(), line, &edit).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn what_else_came_back_is_named() {
    let beside = r#"{"messages": [{"role": "user", "content": "Tide?"}], "choices": [{"message": {"role": "assistant", "content": "At 14:10."}}]}"#;
    let logged =
        beside.replace("\"choices\": [", "\"response\": {\"choices\": [").replace("}}]}", "}}]}}");
    for line in [beside, &logged] {
        let dialog = only(line);
        assert_eq!((dialog.turns.len(), unread(&dialog).as_str()), (2, ""));
    }
    let line = r#"{"request": {"messages": [{"role": "user", "content": "Tide?"}], "seed": 1}, "response": {"error": {"type": "overloaded"}}, "ms": 12}"#;
    let dialog = only(line);
    assert_eq!((dialog.turns.len(), unread(&dialog).as_str()), (1, "other"));
    let fields: Vec<_> = dialog.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(fields, ["other", "request.seed", "ms"]);
}

#[test]
fn a_request_with_a_list_of_answers_is_one_dialog() {
    for (text, said, left) in [
        (
            r#"{"request": {"contents": [{"role": "user", "parts": [{"text": "Tide?"}]}]}, "response": [{"candidates": [{"content": {"role": "model", "parts": [{"text": "At "}]}}]}, {"candidates": [{"content": {"role": "model", "parts": [{"text": "14:10."}]}}]}]}"#,
            vec!["Tide?"],
            "response",
        ),
        (
            r#"{"request": {"messages": [{"role": "user", "content": "Tide?"}]}, "response": [{"choices": [{"message": {"role": "assistant", "content": "At 14:10."}}]}]}"#,
            vec!["Tide?", "At 14:10."],
            "",
        ),
        (
            r#"{"request": {"model": "m", "input": "Tide?"}, "response": [{"type": "response.completed", "response": {"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "At 14:10."}]}]}}]}"#,
            vec!["Tide?"],
            "response",
        ),
        (
            r#"{"request": {"messages": [{"role": "user", "content": "Tide?"}]}, "response": [{"choices": [{"delta": {"content": "At 14:10."}}]}]}"#,
            vec!["Tide?"],
            "other",
        ),
    ] {
        for text in [text.to_owned(), format!("{text}\n{text}\n")] {
            for (dialog, issues) in all(&text, &Formats::default()) {
                let texts: Vec<_> = dialog.turns.iter().map(|turn| turn.text.as_str()).collect();
                assert_eq!((texts, issues), (said.clone(), 0), "{text}");
                assert_eq!(unread(&dialog), left, "{text}");
            }
        }
        assert_eq!(all(text, &Formats::default()).len(), 1, "{text}");
    }
    // Dialogs beside the request that asked for them are dialogs.
    let dialog = r#"{"messages": [{"role": "user", "content": "Tide?"}]}"#;
    let text = format!(r#"{{"request": {{"limit": 2}}, "response": [{dialog}, {dialog}]}}"#);
    assert_eq!(all(&text, &Formats::default()).len(), 2);
}
