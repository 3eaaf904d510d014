//! `failed:`, which finds calls that failed, in whatever form a program writes that.

use std::fs;

use serde_json::{Value, json};

use crate::support::{run_in, scratch};

fn chat(id: &str, answer: &str) -> Value {
    json!({"id": id, "messages": [
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
        line("assistant", json!({"type": "tool_use", "id": "a", "name": "wind", "input": {}})),
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

fn openhands(error: bool) -> Value {
    json!([
        {"id": 0, "source": "user", "action": "message", "args": {"content": "wind?"}},
        {"id": 1, "source": "agent", "action": "browse", "args": {"url": "harbour"}},
        {"id": 2, "source": "agent", "observation": "browse", "cause": 1, "content": "calm", "extras": {"error": error}},
    ])
}

/// Each form in which a program says of a call of `wind` whether it failed.
fn files(fails: bool) -> [(&'static str, String); 5] {
    let error = if fails { json!({"type": "timeout", "message": "too slow"}) } else { json!(null) };
    let answer = if fails { "Error: no such port" } else { "No error: calm" };
    [
        ("claude.jsonl", claude(fails)),
        ("gemini.json", gemini(if fails { "error" } else { "success" }).to_string()),
        ("inspect.json", inspect(&error).to_string()),
        ("tau.json", tau(fails).to_string()),
        ("text.json", chat("t", answer).to_string()),
    ]
}

#[test]
fn failed_calls_are_found_in_every_form() {
    for fails in [true, false] {
        for (name, text) in files(fails) {
            let expected: &[&str] = if fails { &["wind"] } else { &[] };
            for query in ["failed:", "failed:wind", "failed:*", "speaker:system failed:w*"] {
                assert_eq!(found(query, name, &text), expected, "{query}: {name}");
            }
            assert_eq!(found("failed:tide", name, &text), [""; 0], "{name}");
        }
        let expected: &[&str] = if fails { &["browse"] } else { &[] };
        assert_eq!(found("failed:", "a.json", &openhands(fails).to_string()), expected);
    }
}

/// Answers of calls that failed, and below them others.
const ANSWERS: [&[&str]; 2] = [
    &[
        "Error: no such port",
        "ERROR:\nno such port",
        "Error",
        "Exit code 1\nno such port",
        "Exit code: -9",
        "Exit code: 127\nnot found",
        "Wall time: 0.1 s\nProcess exited with code 2\nOutput:\n",
        "Traceback (most recent call last):\n  no port",
        "<returncode>2</returncode>\nno port",
        "Command: make\nOutput: x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nExit Code: 2",
        r#"{"error": "no port"}"#,
        r#"{"exit_code": "1"}"#,
        r#"{"output": "", "metadata": {"exit_code": 2}}"#,
        r#"{"output": {"exit_code": 2}}"#,
        r#"{"returncode": 2}"#,
        r#"{"output": "Error: no such port"}"#,
        r#"{"result": "Error: no port"}"#,
        r#"{"name": "wind", "results": {"error": "no port"}}"#,
        r#"{"success": false}"#,
    ],
    &[
        "error.log\nmain.py",
        "ErrorHandler.java",
        "Errors: 0",
        "Error-free run",
        "Error: none",
        "No error: calm",
        "Exit code: 0\ncalm",
        "Wall time: 0.1 s\nProcess exited with code 0\nOutput:\n",
        "Trace of the last call",
        "<returncode>0</returncode>\ncalm",
        "Command: cat log\nOutput: x\nExit Code: 2\nExit Code: 0",
        r#"{"error": 0}"#,
        r#"{"error": null}"#,
        r#"{"error": "None"}"#,
        r#"{"exit_code": "0"}"#,
        r#"{"output": "", "metadata": {"exit_code": 0}}"#,
        r#"{"output": "Error: none", "metadata": {"exit_code": 0}}"#,
        r#"{"output": "Error count: 0"}"#,
        r#"{"result": "Error: no port", "title": "Signs"}"#,
        r#"{"name": "wind", "results": {"error": null}}"#,
        r#"{"is_error": false, "output": "Error: none"}"#,
    ],
];

#[test]
fn answers_say_in_words_and_codes_whether_their_calls_failed() {
    let [failed, others] = ANSWERS;
    let lines = failed.iter().chain(others).enumerate();
    let lines: Vec<_> =
        lines.map(|(number, answer)| chat(&format!("{number}"), answer).to_string()).collect();
    let folder = scratch();
    fs::write(folder.path().join("a.jsonl"), lines.join("\n")).unwrap();
    let ran = run_in(folder.path(), &["find", "failed:wind", ".", "--format", "ids"], "");
    let ids: Vec<usize> = ran.out.lines().map(|id| id.parse().unwrap()).collect();
    assert_eq!(ids, (0..failed.len()).collect::<Vec<_>>(), "numbers in the list of answers");
    // A mark that says otherwise is believed.
    let fine = claude(false).replace("none", "Error: this is a text about errors");
    assert_eq!(found("failed:", "a.jsonl", &fine), [""; 0]);
}

/// The names of the tools whose calls `query` finds in a file, in the order of the file.
fn found(query: &str, name: &str, text: &str) -> Vec<String> {
    let folder = scratch();
    fs::write(folder.path().join(name), text).unwrap();
    let arguments = ["find", query, ".", "--count-by", "api", "--format", "jsonl"];
    let ran = run_in(folder.path(), &arguments, "");
    assert!(ran.code < 2, "{ran:?}");
    let rows = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut names: Vec<_> = rows.map(|row| row["value"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// Events beside answers say it: a mark that all went well is believed, whatever the answer looks like.
#[test]
fn events_of_codex_say_which_calls_failed() {
    let line = |kind: &str, payload: Value| json!({"timestamp": "2025-01-01T09:00:00Z", "type": kind, "payload": payload});
    let item = |payload: Value| line("response_item", payload);
    let mut rows = vec![
        line("session_meta", json!({"id": "c-1", "cwd": "/harbour"})),
        item(
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "wind?"}]}),
        ),
    ];
    let command = |code: i32| json!({"type": "exec_command_end", "exit_code": code});
    let tool = |result: Value| json!({"type": "mcp_tool_call_end", "result": result});
    let patch = |success: bool| json!({"type": "patch_apply_end", "success": success});
    let output = |code: i32| json!({"output": "none", "metadata": {"exit_code": code}});
    let error = json!("Error: in the text");
    for (name, event, output) in [
        ("bad", Some(command(1)), json!("calm")),
        ("good", Some(command(0)), json!("calm")),
        ("inside", Some(tool(json!({"Ok": {"isError": true}}))), json!("nothing")),
        ("fine", Some(tool(json!({"Ok": {"isError": false}}))), error.clone()),
        ("kept", Some(tool(json!({"Ok": {}}))), json!("nothing")),
        ("lost", Some(tool(json!({"Err": "too slow"}))), json!("nothing")),
        ("object", None, output(2)),
        ("patch", Some(patch(false)), json!("14:10")),
        ("patched", Some(patch(true)), error),
        ("whole", None, output(0)),
    ] {
        rows.push(item(
            json!({"type": "function_call", "name": name, "arguments": "{}", "call_id": name}),
        ));
        if let Some(mut event) = event {
            event["call_id"] = name.into();
            rows.push(line("event_msg", event));
        }
        rows.push(item(json!({"type": "function_call_output", "call_id": name, "output": output})));
    }
    // Of a call that is not there.
    rows.push(line(
        "event_msg",
        json!({"type": "exec_command_end", "call_id": "other", "exit_code": 1}),
    ));
    for (status, query) in [("failed", "wind"), ("completed", "tide")] {
        let action = json!({"type": "search", "query": query});
        rows.push(item(json!({"type": "web_search_call", "status": status, "action": action})));
    }
    let text = rows.iter().fold(String::new(), |text, row| text + &row.to_string() + "\n");
    let find = |query: &str| found(query, "a.jsonl", &text);
    assert_eq!(find("failed:"), ["bad", "inside", "lost", "object", "patch", "web_search_call"]);
    assert_eq!(find("response:exit_code=0"), ["good", "whole"]);
    assert_eq!(find("response:err=\"too slow\""), ["lost"]);
    assert_eq!(find("failed: arg:query=tide"), [""; 0]);
}

#[test]
fn exit_codes_of_observations_are_marks() {
    let action = |name: &str| {
        json!({"kind": "ActionEvent", "id": name, "source": "agent", "thought": [], "tool_name": name, "tool_call_id": name,
               "action": {"kind": "A"}, "tool_call": {"id": name, "name": name, "arguments": "{}"}})
    };
    let seen = |name: &str, more: Value| {
        let mut own = json!({"kind": "O", "content": [{"type": "text", "text": "calm"}]});
        own.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"kind": "ObservationEvent", "source": "environment", "tool_call_id": name, "observation": own})
    };
    let rows = json!([
        {"kind": "MessageEvent", "id": "u", "source": "user", "llm_message": {"role": "user", "content": [{"type": "text", "text": "wind?"}]}},
        action("code"),
        seen("code", json!({"exit_code": 2, "is_error": false})),
        action("inner"),
        seen("inner", json!({"metadata": {"exit_code": 2}})),
        action("good"),
        seen("good", json!({"exit_code": 0})),
        action("marked"),
        seen("marked", json!({"is_error": true})),
    ]);
    let find = |query: &str| found(query, "a.json", &rows.to_string());
    assert_eq!(find("failed:"), ["code", "inner", "marked"]);
    assert_eq!(find("response:exit_code!=0"), ["code", "inner"]);
}

#[test]
fn marks_beside_messages_of_tools_are_read_in_all_lists_of_messages() {
    let marks = [
        ("a", json!({"error": true})),
        ("b", json!({"error": {"type": "timeout", "message": "too slow"}})),
        ("c", json!({"is_error": true})),
        ("d", json!({"status": "error"})),
        ("e", json!({"exit_code": 1})),
        ("f", json!({"isError": true})),
        ("v", json!({"error": null})),
        ("w", json!({"error": false})),
        ("x", json!({"is_error": false})),
        ("y", json!({"status": "done"})),
        ("z", json!({"exit_code": 0})),
    ];
    let mut rows = vec![json!({"role": "user", "content": "wind?"})];
    for (name, mark) in &marks {
        let mut answer = json!({"role": "tool", "tool_call_id": name, "content": "calm"});
        answer.as_object_mut().unwrap().extend(mark.as_object().unwrap().clone());
        rows.push(json!({"role": "assistant", "content": "", "tool_calls": [
            {"id": name, "type": "function", "function": {"name": name, "arguments": "{}"}}]}));
        rows.push(answer);
    }
    // A mark that is not beside an answer is a field.
    rows.push(json!({"role": "assistant", "content": "It is calm.", "error": "cut"}));
    let files = [
        ("list.json", json!(rows)),
        ("messages.jsonl", json!({"messages": rows})),
        ("request.jsonl", json!({"request": {"model": "m", "messages": rows}})),
    ];
    for (name, text) in files {
        let find = |query: &str| found(query, name, &text.to_string());
        assert_eq!(find("failed:"), ["a", "b", "c", "d", "e", "f"], "{name}");
        assert_eq!(find("response:exit_code!=0"), ["e"], "{name}");
        assert_eq!(find("response:error.type=timeout"), ["b"], "{name}");
        let folder = scratch();
        fs::write(folder.path().join(name), text.to_string()).unwrap();
        let ran = run_in(folder.path(), &["find", "field:error=cut", "."], "");
        assert!(ran.code == 0 && ran.out.contains("It is calm."), "{ran:?}");
    }
}

#[test]
fn what_gemini_puts_into_its_output_is_read() {
    let outputs = [
        ("Error: no such port", true),
        ("Command: tides\nOutput: (empty)\nError: (none)\nExit Code: 1\nSignal: 0", true),
        ("Command: tides\nOutput: 14:10\nError: (none)\nExit Code: 0\nSignal: 0", false),
        ("{\"exit_code\": 1}", true),
        ("calm", false),
    ];
    for (output, fails) in outputs {
        let response = json!({"output": output});
        let cli = json!({"sessionId": "g", "projectHash": "1f", "startTime": "2025-01-01T09:00:00Z", "messages": [
            {"id": "m1", "type": "user", "content": "wind?"},
            {"id": "m2", "type": "gemini", "content": "I look.", "toolCalls": [
                {"id": "t", "name": "wind", "args": {}, "status": "success",
                 "result": [{"functionResponse": {"id": "t", "name": "wind", "response": response}}]}]}]});
        let api = json!({"contents": [
            {"role": "user", "parts": [{"text": "wind?"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "wind", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "wind", "response": response}}]}]});
        for text in [cli, api] {
            let expected: &[&str] = if fails { &["wind"] } else { &[] };
            assert_eq!(found("failed:", "a.json", &text.to_string()), expected, "{output}");
        }
    }
}

/// In a format of the user's own, an answer that is a string is a member with a name of its own.
#[test]
fn answers_that_are_strings_in_own_formats_say_it_too() {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("formats")).unwrap();
    let format = r#"
name = "harbour"
has = ["turns[*].who"]
dialogs = "lines"
id = "id"
[turn]
at = "turns[*]"
speaker = "who"
user = ["guest"]
system = ["pilot"]
text = "said"
[call]
at = "calls[*]"
name = "fn"
arguments = "args"
response = "res"
"#;
    fs::write(path("formats/harbour.toml"), format).unwrap();
    let answers = [
        json!("Error: no port"),
        json!({"error": "no port"}),
        json!({"exit_code": 1}),
        json!("Exit code: 1\nno port"),
        json!({"text": "Error: no port"}),
        json!("error-free"),
        json!({"text": "Error: no port", "title": "Signs"}),
    ];
    let dialog = |(number, answer): (usize, Value)| {
        json!({"id": format!("h{number}"), "turns": [
            {"who": "guest", "said": "wind?"},
            {"who": "pilot", "said": "", "calls": [{"fn": "wind", "args": {}, "res": answer}]}]})
        .to_string()
    };
    let lines: Vec<_> = answers.into_iter().enumerate().map(dialog).collect();
    fs::write(path("a.jsonl"), lines.join("\n")).unwrap();
    let ids = |query| {
        let ran = run_in(folder.path(), &["find", query, "a.jsonl", "--format", "ids"], "");
        assert_eq!(ran.err, "");
        ran.out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(ids("failed:"), "h0 h1 h2 h3 h4");
    assert_eq!(ids("response:res=exit*"), "h3");
}
