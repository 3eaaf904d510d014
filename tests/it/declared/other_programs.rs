//! Files of programs that wrap sessions in forms of their own, or leave out what others say.

use std::fs;

use serde_json::{Value, json};
use turnwise::dialog::{Dialog, Role};
use turnwise::format::Formats;

use super::declared;
use super::sessions::{all, calls, only, unread};
use crate::support::{run_in, scratch};

fn said(dialog: &Dialog) -> Vec<&str> {
    dialog.turns.iter().map(|turn| turn.text.as_str()).collect()
}

fn lines(rows: &[Value]) -> String {
    let rows: Vec<_> = rows.iter().map(Value::to_string).collect();
    rows.join("\n") + "\n"
}

/// The number of hits of a query in a file with this text.
fn count(query: &str, name: &str, text: &str) -> String {
    let folder = scratch();
    fs::write(folder.path().join(name), text).unwrap();
    let ran = run_in(folder.path(), &["find", query, name, "--format", "count"], "");
    assert!(ran.err.is_empty(), "{ran:?}");
    ran.out.trim().to_owned()
}

#[test]
fn an_object_with_messages_is_a_dialog_whatever_else_it_holds() {
    let chat = |text: &str| json!([{"role": "user", "content": text}, {"role": "assistant", "content": "Calm."}]);
    let whole = json!({"messages": chat("Wind?"), "a": {"messages": chat("Tide?")}, "b": {"messages": chat("Moon?")}});
    assert_eq!(said(&only(&whole.to_string())), ["Wind?", "Calm."]);
    // The steps of an agent, each with what it sent.
    let history = json!([
        {"role": "user", "content": "Wind?"},
        {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "t", "type": "function", "function": {"name": "wind", "arguments": "{}"}}]},
        {"role": "tool", "content": "calm", "tool_call_ids": ["t"]},
    ]);
    let steps = json!({"trajectory": [{"action": "wind", "messages": chat("Wind?")}], "history": history, "info": {}});
    let dialog = only(&steps.to_string());
    assert_eq!(calls(&dialog), ["1 wind → calm"]);
    assert_eq!(said(&dialog), ["Wind?", "I look.", ""]);
    // Lists of dialogs beside a list of something else are lists of dialogs.
    let corpus = json!({"train": [{"messages": chat("Wind?")}], "labels": [{"name": "wind"}], "test": [{"messages": chat("Tide?")}]});
    assert_eq!(count("speaker:user", "a.json", &corpus.to_string()), "2");
}

#[test]
fn the_answer_to_a_request_is_a_turn_beside_its_messages() {
    let answer =
        json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": "Calm."}}]});
    let messages = json!([{"role": "system", "content": "You know the wind."}, {"role": "user", "content": "Wind?"}]);
    let log = json!({"messages": messages, "tools": [], "kwargs": {"tools": []}, "raw_messages": messages,
                     "response": answer, "raw_response": answer});
    for log in [log, json!({"messages": messages, "response": answer})] {
        let dialog = only(&log.to_string());
        assert_eq!(said(&dialog), ["You know the wind.", "Wind?", "Calm."]);
    }
}

#[test]
fn rollouts_of_gyms_begin_with_their_input() {
    let row = json!({"responses_create_params": {"input": [
        {"type": "message", "role": "user", "content": "Wind?"},
        {"type": "function_call", "call_id": "c0", "name": "wind", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c0", "output": "calm"}]},
        "response": {"id": "r1", "object": "response", "output": [
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Calm."}]}]},
        "reward": 1.0});
    let dialog = only(&lines(&[row]));
    assert_eq!(calls(&dialog), ["1 wind → calm"]);
    assert_eq!(dialog.turns.len(), 4);
    let row = json!({"responses_create_params": {"input": "Wind?"}, "response": {"id": "r1", "output": [
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Calm."}]}]}});
    assert_eq!(said(&only(&lines(&[row]))), ["Wind?", "Calm."]);
}

#[test]
fn events_of_openhands_that_say_nothing_are_not_the_users() {
    let events = json!([
        {"id": 0, "source": "user", "action": "message", "args": {"content": "Wind?"}},
        {"id": 1, "source": "user", "observation": "null", "message": "No observation", "content": "", "cause": 0, "extras": {}},
        {"id": 2, "source": "agent", "action": "run", "args": {"command": "wind"}},
        {"id": 3, "source": "agent", "observation": "run", "content": "calm", "cause": 2, "extras": {}},
    ]);
    for text in [events.to_string(), json!({"trajectory": events}).to_string()] {
        let dialog = only(&text);
        assert_eq!(calls(&dialog), ["2 run → calm"]);
        assert_eq!(dialog.turns[1].speaker.role, Role::Context);
        assert_eq!(count("speaker:user", "a.json", &text), "1");
    }
}

#[test]
fn lines_of_messages_hold_calls_in_the_form_of_anthropic() {
    let rows = |kinds: [&str; 3]| {
        lines(&[
            json!({"type": kinds[0], "message": {"role": "user", "content": "Wind?"}}),
            json!({"type": kinds[1], "message": {"role": "assistant", "content": [
                {"type": "text", "text": "I look."}, {"type": "tool_use", "id": "t", "name": "wind", "input": {}}]}}),
            json!({"type": kinds[2], "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t", "content": "calm"}]}}),
        ])
    };
    let factory = json!({"type": "session_start", "id": "d1", "title": "Wind"}).to_string() + "\n";
    for text in [rows(["user", "assistant", "user"]), factory + &rows(["message"; 3])] {
        let dialog = only(&text);
        assert_eq!(calls(&dialog), ["1 wind → calm"], "{text}");
        assert_eq!((dialog.turns.len(), unread(&dialog).as_str()), (3, ""));
        assert_eq!(count("speaker:user", "a.jsonl", &text), "1");
    }
}

#[test]
fn failures_of_other_command_line_agents_are_found() {
    let stream = lines(&[
        json!({"type": "init", "session_id": "g", "model": "m"}),
        json!({"type": "message", "role": "user", "content": "Wind?"}),
        json!({"type": "tool_use", "tool_name": "wind", "tool_id": "t", "parameters": {"port": "Porto"}}),
        json!({"type": "tool_result", "tool_id": "t", "status": "error", "output": "no port", "error": {"message": "no port"}}),
        json!({"type": "tool_use", "tool_name": "wind", "tool_id": "u", "parameters": {"port": "Faro"}}),
        json!({"type": "tool_result", "tool_id": "u", "status": "success", "output": "calm"}),
        json!({"type": "message", "role": "assistant", "content": "Calm.", "delta": true}),
    ]);
    let dialog = only(&stream);
    assert_eq!(calls(&dialog), ["1 wind → no port", "3 wind → calm"]);
    assert_eq!(unread(&dialog), "");
    assert_eq!(count("failed:", "a.jsonl", &stream), "1");
    let row =
        |kind: &str, message: Value| json!({"type": kind, "sessionId": "q", "message": message});
    let qwen = lines(&[
        row("user", json!({"role": "user", "parts": [{"text": "Wind?"}]})),
        row(
            "assistant",
            json!({"role": "model", "parts": [{"functionCall": {"id": "t", "name": "wind", "args": {}}}]}),
        ),
        row(
            "tool_result",
            json!({"role": "user", "parts": [{"functionResponse": {"id": "t", "name": "wind", "response": {"error": "no port"}}}]}),
        ),
        row("assistant", json!({"role": "model", "parts": [{"text": "I cannot say."}]})),
    ]);
    let dialog = only(&qwen);
    assert_eq!(said(&dialog), ["Wind?", "", "", "I cannot say."]);
    assert_eq!(count("failed:", "a.jsonl", &qwen), "1");
    assert_eq!(count("speaker:user", "a.jsonl", &qwen), "1");
}

#[test]
fn answers_of_tools_may_be_parts_of_any_type_or_lists() {
    let call = json!({"role": "assistant", "content": null, "tool_calls": [{"id": "t", "type": "function", "function": {"name": "wind", "arguments": "{}"}}]});
    let chat = json!({"messages": [{"role": "user", "content": "Wind?"}, call,
        {"role": "tool", "tool_call_id": "t", "content": [{"type": "tool_output", "text": "calm"}]}]});
    let dialog = only(&chat.to_string());
    assert_eq!(calls(&dialog), ["1 wind → calm"]);
    assert_eq!(unread(&dialog), "");
    let chat = json!({"messages": [{"role": "user", "content": "Wind?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "wind", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [{"query": "wind", "result": "calm", "success": true}]}]}]});
    let text = chat.to_string();
    assert_eq!(unread(&only(&text)), "");
    assert_eq!(count("in:answer calm", "a.json", &text), "1");
}

/// Cline writes the answer to a call that is a part of its message into the text of the user's next one.
#[test]
fn answers_of_cline_to_calls_in_parts_are_texts() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let call = |id: &str, name: &str| json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": name, "input": {"path": "a"}}]});
    let chat = json!([
        {"role": "user", "content": [text("<task>\nList the files.\n</task>")]},
        call("t1", "list_files"),
        {"role": "user", "content": [text("[list_files for 'a'] Result:\nb.ts"), text("<environment_details>\n</environment_details>")]},
        call("t2", "attempt_completion"),
        {"role": "user", "content": [text("[attempt_completion] Result:\nAnd the others?")]},
    ]);
    let chat = chat.to_string();
    let dialog = only(&chat);
    assert_eq!(calls(&dialog), ["1 list_files → b.ts", "3 attempt_completion → And the others?"]);
    assert_eq!(count("speaker:user", "a.json", &chat), "2");
}

#[test]
fn what_is_not_read_of_odd_turns_is_named() {
    let steps = json!({"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "a", "version": "1"}, "steps": [
        {"step_id": 1, "source": "user", "message": {"messages": [{"role": "user", "content": "Wind?"}]}},
        {"step_id": 2, "source": "agent", "message": "Calm."}]});
    assert_eq!(unread(&only(&steps.to_string())), "message");
    let rows = lines(&[
        json!({"role": "user", "content": "Wind?"}),
        json!({"type": "tide", "content": {"height": 2}}),
    ]);
    assert_eq!(unread(&only(&rows)), "tide");
    let question = json!({"id": "m_0", "question": [[{"role": "user", "content": "Wind?"}], [{"role": "user", "content": "Tide?"}]],
        "initial_config": {}, "path": ["wind"], "involved_classes": ["Harbour"]});
    assert_eq!(said(&only(&lines(&[question]))), ["Wind?", "Tide?"]);
}

/// Lines of which none is a message that a family knows are of no family.
#[test]
fn other_logs_whose_lines_hold_messages_are_not_sessions() {
    let folder = scratch();
    let message = json!({"role": "user", "content": "x"});
    let row =
        |kind: &str| json!({"type": kind, "timestamp": "2026-01-01T00:00:00Z", "message": message});
    let check = |rows: &[Value]| {
        fs::write(folder.path().join("a.jsonl"), lines(rows)).unwrap();
        run_in(folder.path(), &["check", "a.jsonl"], "")
    };
    let other = check(&[row("click"), row("key")]);
    assert!(other.out.contains("not a known kind of dialog"), "{other:?}");
    let session = check(&[row("click"), row("message")]);
    assert!(session.out.contains("session-traces"), "{session:?}");
}

/// The text of a line that is reasoning is not uttered.
#[test]
fn the_text_of_a_line_that_is_reasoning_is_a_field() {
    let description = r#"name = "thinker"
has = ["[*].type", "[*].text"]
dialogs = "."

[turn]
at = "[*]"
speaker = "type"
user = ["user"]
system = ["text", "reasoning"]
text = "text"
reasoning = { in = ".", is = { type = "reasoning" }, at = "text" }
"#;
    let text = lines(&[
        json!({"type": "user", "text": "Wind?"}),
        json!({"type": "reasoning", "text": "The table has it."}),
        json!({"type": "text", "text": "Calm."}),
    ]);
    let mut dialogs = all(&text, &Formats::with(vec![declared(description)]));
    let (dialog, _) = dialogs.remove(0);
    assert_eq!(said(&dialog), ["Wind?", "", "Calm."]);
    assert_eq!(dialog.turns[1].fields[0].content.as_str(), "The table has it.");
}
