//! Text that `check` counts, because nothing shows it: members beside dialogs, and those that are there twice.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Ran, run_in, scratch};

fn check(name: &str, text: &str) -> (Ran, Value) {
    let folder = scratch();
    fs::write(folder.path().join(name), text).unwrap();
    let ran = run_in(folder.path(), &["check", name, "--format", "json"], "");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    (ran, report[0].clone())
}

#[test]
fn members_beside_dialogs_are_counted_as_not_read() {
    let messages = json!([{"role": "user", "content": "wind?"}]);
    let log = json!({
        "version": 2, "status": "success", "eval": {"task": "tides"}, "plan": {}, "error": null,
        "samples": [{"id": 1, "epoch": 1, "messages": messages}]
    });
    let (ran, report) = check("log.json", &log.to_string());
    assert_eq!((ran.code, &report["dialogs"]), (0, &json!(1)), "{ran:?}");
    let expected = json!({"eval": 1, "status": 1, "version": 1});
    assert_eq!(report["not_read"], expected);
    let run = json!({
        "info": {"num_trials": 1},
        "tasks": [{"id": "0", "instructions": "Ask for the \"tide\"."}, {"id": "1"}],
        "simulations": [{"id": "s", "task_id": "0", "trial": 0, "messages": messages}]
    });
    let text = serde_json::to_string_pretty(&run).unwrap();
    let (_, report) = check("run.json", &text);
    assert_eq!(report["not_read"], json!({"info": 1, "tasks": 1}));
    let corpus = json!({"train": [{"id": "a", "messages": messages}], "test": []});
    let (_, report) = check("corpus.json", &corpus.to_string());
    assert_eq!(report.get("not_read"), None);
    // The dialogs are members themselves.
    let row = json!({"input": {"messages": messages}, "preferred_output": messages});
    let (_, report) = check("row.json", &row.to_string());
    assert_eq!(report["not_read"], json!({"preferred_output": 1}));
}

#[test]
fn a_member_that_is_replaced_by_a_later_one_is_named() {
    let line = |role: &str, members: &str| {
        format!(
            r#"{{"type": "{role}", "sessionId": "s", "message": {{"role": "{role}", {members}}}}}"#
        )
    };
    let session = [
        line("user", r#""content": "wind?""#),
        line("assistant", r#""content": "first", "content": "Calm.""#),
    ];
    let (ran, report) = check("s.jsonl", &session.join("\n"));
    assert_eq!(report["not_read"], json!({"earlier `content`": 1}), "{ran:?}");
    let chat =
        r#"{"messages": [{"role": "user", "content": "a", "content": "b", "content": "c"}]}"#;
    let (_, report) = check("c.json", chat);
    assert_eq!(report["not_read"], json!({"earlier `content`": 2}));
}

/// A run may end before its first dialog.
#[test]
fn a_run_without_dialogs_is_a_file_with_none() {
    for text in [
        r#"{"version": 2, "status": "error", "eval": {"task": "t"}, "plan": {}}"#,
        r#"{"version": 2, "status": "error", "eval": {"task": "t"}, "samples": []}"#,
        r#"{"status": "error", "eval": {}, "samples": [{"id": 1, "epoch": 1, "messages": []}]}"#,
        r#"{"timestamp": "", "info": {}, "tasks": [{"id": "0"}], "simulations": []}"#,
    ] {
        let (ran, report) = check("log.json", text);
        assert_eq!((ran.code, &report["dialogs"]), (0, &json!(0)), "{ran:?}");
        assert_eq!(report["issues"], json!([]), "{text}");
    }
    let (ran, _) = check("log.json", r#"{"status": "error", "samples": [{"id": 1}]}"#);
    assert_eq!(ran.code, 2, "{ran:?}");
}
