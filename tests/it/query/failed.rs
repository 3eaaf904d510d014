//! `failed:`, which finds calls that failed, in whatever form a program writes that.

use std::fs;

use serde_json::{Value, json};

use crate::support::{run_in, scratch};

fn chat(answer: &str) -> Value {
    json!({"messages": [
        {"role": "user", "content": "wind?"},
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "wind", "arguments": "{}"}},
            {"id": "b", "type": "function", "function": {"name": "tide", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "a", "content": answer},
        {"role": "tool", "tool_call_id": "b", "content": "high"}]})
}

fn claude(is_error: bool) -> String {
    let line = |role: &str, part: Value| json!({"type": role, "sessionId": "s", "message": {"role": role, "content": [part]}});
    let rows = [
        line("user", json!({"type": "text", "text": "wind?"})),
        line(
            "assistant",
            json!({"type": "tool_use", "id": "a", "name": "wind", "input": {}}),
        ),
        line(
            "user",
            json!({"type": "tool_result", "tool_use_id": "a", "content": "none", "is_error": is_error}),
        ),
    ];
    rows.map(|row| row.to_string()).join("\n")
}

fn gemini(status: &str) -> Value {
    json!({"sessionId": "g", "projectHash": "1f", "startTime": "2025-01-01T09:00:00Z", "messages": [
        {"id": "m1", "type": "user", "content": "wind?"},
        {"id": "m2", "type": "gemini", "content": "I look.", "toolCalls": [
            {"id": "t", "name": "wind", "args": {}, "status": status,
             "result": [{"functionResponse": {"id": "t", "name": "wind", "response": {"output": "none"}}}]}]}]})
}

fn tau(error: bool) -> Value {
    json!({"simulations": [{"id": "s", "task_id": "0", "trial": 0, "messages": [
        {"role": "user", "content": "wind?"},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "a", "name": "wind", "arguments": {}, "requestor": "assistant"}]},
        {"id": "a", "role": "tool", "content": "none", "requestor": "assistant", "error": error}]}]})
}

fn inspect(error: &Value) -> Value {
    json!({"status": "success", "eval": {}, "samples": [{"id": 1, "epoch": 1, "messages": [
        {"role": "user", "content": "wind?"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "function": "wind", "arguments": {}}]},
        {"role": "tool", "content": "none", "tool_call_id": "a", "error": error}]}]})
}

#[test]
fn failed_calls_are_found_in_every_form() {
    let files = |fails: bool| {
        let error = if fails {
            json!({"type": "timeout", "message": "too slow"})
        } else {
            json!(null)
        };
        let code =
            |code: u8| format!("{{\"output\": \"\", \"metadata\": {{\"exit_code\": {code}}}}}");
        let text = |bad: &str, good: &str| chat(if fails { bad } else { good }).to_string();
        [
            ("claude.jsonl", claude(fails)),
            (
                "gemini.json",
                gemini(if fails { "error" } else { "success" }).to_string(),
            ),
            ("tau.json", tau(fails).to_string()),
            ("inspect.json", inspect(&error).to_string()),
            ("text.json", text("Error: no such port", "No error: calm")),
            (
                "member.json",
                text("{\"error\": \"no port\"}", "{\"error\": null}"),
            ),
            ("code.json", text(&code(2), &code(0))),
            (
                "exit.json",
                text("Exit code: 127\nnot found", "Exit code: 0\ncalm"),
            ),
        ]
    };
    for fails in [true, false] {
        let folder = scratch();
        for (name, text) in &files(fails) {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let find = |query: &str, more: &[&str]| {
            let arguments = [&["find", query, "."], more].concat();
            run_in(folder.path(), &arguments, "")
        };
        for query in [
            "failed:",
            "failed:wind",
            "failed:*",
            "speaker:system failed:w*",
        ] {
            let ran = find(query, &["--format", "jsonl"]);
            let hits = ran
                .out
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap());
            let mut found: Vec<_> = hits
                .map(|hit| {
                    (
                        hit["file"].as_str().unwrap().to_owned(),
                        hit["call"].clone(),
                    )
                })
                .collect();
            found.sort_by(|one, other| one.0.cmp(&other.0));
            let mut expected: Vec<_> = files(fails).map(|(name, _)| name.to_owned()).to_vec();
            expected.retain(|_| fails);
            expected.sort();
            let names: Vec<_> = found
                .iter()
                .map(|(name, _)| name.trim_start_matches("./").to_owned())
                .collect();
            assert_eq!(names, expected, "{query}: {ran:?}");
            assert!(found.iter().all(|(_, call)| *call == 0), "{query}: {ran:?}");
            assert_eq!(ran.code, i32::from(!fails), "{ran:?}");
        }
        assert_eq!(find("failed:tide", &[]).code, 1);
    }
}

/// Answers as programs write them, with true for those of calls that failed.
#[test]
fn answers_say_in_words_and_codes_whether_their_calls_failed() {
    let answers = [
        ("Error: no such port", true),
        ("ERROR:\nno such port", true),
        ("Error", true),
        ("error.log\nmain.py", false),
        ("ErrorHandler.java", false),
        ("Errors: 0", false),
        ("Error-free run", false),
        ("Error: none", false),
        ("Exit code 1\nno such port", true),
        ("Exit code: -9", true),
        ("Exit code: 0", false),
        (
            "Wall time: 0.1 s\nProcess exited with code 2\nOutput:\n",
            true,
        ),
        (
            "Wall time: 0.1 s\nProcess exited with code 0\nOutput:\n",
            false,
        ),
        (r#"{"exit_code": "1"}"#, true),
        (r#"{"exit_code": "0"}"#, false),
        (r#"{"returncode": 2}"#, true),
        (r#"{"error": 0}"#, false),
        (r#"{"error": "None"}"#, false),
        (r#"{"output": "Error: no such port"}"#, true),
        (r#"{"output": "Error count: 0"}"#, false),
    ];
    for (answer, fails) in answers {
        let folder = scratch();
        fs::write(folder.path().join("a.json"), chat(answer).to_string()).unwrap();
        let ran = run_in(folder.path(), &["find", "failed:wind", "."], "");
        assert_eq!(ran.code, i32::from(!fails), "{answer}: {ran:?}");
    }
    // A mark that says otherwise is believed.
    let folder = scratch();
    let fine = claude(false).replace("none", "Error: this is a text about errors");
    fs::write(folder.path().join("a.jsonl"), fine).unwrap();
    let ran = run_in(folder.path(), &["find", "failed:", "."], "");
    assert_eq!(ran.code, 1, "{ran:?}");
}
