//! Sequences in sessions in which several agents have turns.

use std::fs;

use serde_json::{Value, json};

use crate::support::{run_in, scratch};

#[test]
fn sequences_stay_with_one_agent() {
    let line = |agent: &str, number: usize, role: &str, part: Value| {
        let aside = agent == "sub";
        json!({"type": role, "sessionId": "s", "uuid": format!("{agent}{number}"), "isSidechain": aside,
               "agentId": if aside { json!("sub") } else { json!(null) }, "message": {"role": role, "content": [part]}})
    };
    let text = |text: &str| json!({"type": "text", "text": text});
    let asked =
        |id: &str, name: &str| json!({"type": "tool_use", "id": id, "name": name, "input": {}});
    let said = |id: &str, is_error: bool| json!({"type": "tool_result", "tool_use_id": id, "content": "calm", "is_error": is_error});
    let rows = [
        line("main", 1, "user", text("wind?")),
        line("main", 2, "assistant", asked("a", "Task")),
        line("sub", 1, "user", text("look")),
        line("sub", 2, "assistant", asked("b", "Wind")),
        line("sub", 3, "user", said("b", true)),
        line("main", 3, "assistant", asked("c", "Tide")),
        line("main", 4, "user", said("c", true)),
        line("sub", 4, "assistant", text("no wind")),
        line("main", 5, "assistant", text("no tide")),
    ];
    let folder = scratch();
    let rows = rows.map(|row| row.to_string()).join("\n");
    fs::write(folder.path().join("a.jsonl"), rows).unwrap();
    let turns = |query: &str| -> Vec<u64> {
        let ran = run_in(folder.path(), &["find", query, ".", "--format", "jsonl"], "");
        let hits = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        hits.map(|hit| hit["turn"].as_u64().unwrap()).collect()
    };
    assert_eq!(turns("failed: next speaker:system"), [8]);
    assert_eq!(turns("failed: next speaker:assistant"), [7, 8]);
    assert_eq!(turns("failed:Wind then speaker:assistant"), [7]);
    assert_eq!(turns("look then within 3 speaker:assistant"), [3, 7]);
    assert_eq!(turns("api:Task then within 1 speaker:assistant"), [5]);
}
