//! `chat`, `kto` and `hf`: dialogs to train and to evaluate models with.

use std::fs;

use serde_json::{Value, json};

use super::{export, lines};
use crate::support::scratch;

/// A session tells its model who it is before the user speaks.
#[test]
fn instructions_of_sessions_are_messages() {
    let folder = scratch();
    let row = |role: &str, kind: &str, text: &str| {
        json!({"timestamp": "9:00", "type": "response_item", "payload": {"type": "message", "role": role,
            "content": [{"type": kind, "text": text}]}})
        .to_string()
    };
    let rows = [
        json!({"timestamp": "9:00", "type": "session_meta", "payload": {"id": "s"}}).to_string(),
        row("developer", "input_text", "Be brief."),
        row("user", "input_text", "Sunny?"),
        row("assistant", "output_text", "It is."),
    ];
    fs::write(folder.path().join("s.jsonl"), rows.join("\n")).unwrap();
    export(folder.path(), "chat s.jsonl -o out.jsonl");
    let expected = json!({"messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Sunny?"},
        {"role": "assistant", "content": "It is."},
    ]});
    assert_eq!(lines(folder.path(), "out.jsonl"), [expected]);
}

/// The action is what the program made of the model's call.
#[test]
fn a_trajectory_of_openhands_keeps_its_instructions_and_the_models_own_call() {
    let folder = scratch();
    let call = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let metadata = |id: &str, calls: &[Value]| {
        json!({"tool_call_id": id, "function_name": "tides", "total_calls_in_response": calls.len(),
            "model_response": {"choices": [{"message": {"role": "assistant", "tool_calls": calls}}]}})
    };
    let own = call("t1", "tides", "{\"place\": \"Porto\"}");
    let two = [call("t2", "tides", "{}"), call("t3", "tides", "{}")];
    let run = |id: usize, command: &str, metadata: &Value| {
        json!({"id": id, "source": "agent", "action": "run", "args": {"command": command, "thought": ""},
            "tool_call_metadata": metadata})
    };
    let said = |id: usize, cause: usize, metadata: &Value| {
        json!({"id": id, "source": "agent", "observation": "run", "cause": cause, "content": "14:10",
            "extras": {}, "tool_call_metadata": metadata})
    };
    let (first, second) = (metadata("t1", &[own]), metadata("t3", &two));
    let events = json!([
        {"id": 0, "source": "agent", "action": "system", "args": {"content": "You know the tides."}},
        {"id": 1, "source": "user", "action": "message", "args": {"content": "When?"}},
        run(2, "tides porto", &first), said(3, 2, &first),
        run(4, "tides faro", &second), said(5, 4, &second),
    ]);
    fs::write(folder.path().join("t.json"), events.to_string()).unwrap();
    export(folder.path(), "chat t.json -o out.jsonl");
    let messages = &lines(folder.path(), "out.jsonl")[0]["messages"];
    assert_eq!(messages[0], json!({"role": "system", "content": "You know the tides."}));
    let function = |message: usize| &messages[message]["tool_calls"][0]["function"];
    assert_eq!(*function(2), json!({"name": "tides", "arguments": "{\"place\": \"Porto\"}"}));
    assert_eq!(messages[3]["content"], "14:10");
    // Of two calls, the action says which one it was.
    assert_eq!(function(4)["name"], "run");
    assert!(function(4)["arguments"].as_str().unwrap().contains("tides faro"));
}

/// Runs Git in a folder.
pub fn git(folder: &std::path::Path, arguments: &[&str]) {
    let who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    let mut command = std::process::Command::new("git");
    let ran = command.arg("-C").arg(folder).args(who).args(arguments).output();
    let ran = ran.unwrap();
    assert!(ran.status.success(), "{arguments:?}: {ran:?}");
}
