//! Real sessions of agents: their families, and counts of turns, calls and answers, by another reader.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use turnwise::dialog::ApiCall;
use turnwise::format::Family;

use crate::support::files::{open, say, traces};

/// The family of the files in each folder, and the place of the turns in a dialog of it.
const FAMILIES: &[(&str, &str, &str)] = &[
    ("claude-code", "claude-code", ""),
    ("codex", "codex", ""),
    ("sts", "session-traces", ""),
    ("gemini-cli", "gemini-cli", "messages"),
    ("inspect", "messages", "messages"),
    ("atif", "atif", "steps"),
    ("openhands", "openhands", ""),
    ("swe-agent", "swe-agent", "history"),
    ("llamafactory", "messages", "messages"),
    ("bfcl", "bfcl", "question"),
];

/// Actions that are calls, in trajectories of `OpenHands`.
const ACTIONS: [&str; 4] = ["run", "read", "edit", "finish"];

/// The numbers that a reader finds.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    dialogs: usize,
    turns: usize,
    calls: usize,
    answers: usize,
}

/// The ids of calls and of answers.
#[derive(Default)]
struct Ids {
    calls: Vec<String>,
    answers: Vec<String>,
}

impl Ids {
    /// Finds those anywhere in a value.
    fn collect(&mut self, value: &Value) {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let kind = text("type").unwrap_or_default();
        if kind.ends_with("tool_use") {
            self.calls.extend(text("id"));
        }
        if kind == "function_call" || kind == "custom_tool_call" {
            self.calls.extend(text("call_id"));
        }
        if kind.ends_with("call_output") {
            self.answers.extend(text("call_id"));
        }
        self.answers.extend(text("tool_use_id"));
        self.answers.extend(text("source_call_id"));
        for calls in ["toolCalls", "tool_calls"] {
            for call in value[calls].as_array().into_iter().flatten() {
                let id = ["id", "tool_call_id"].map(|key| call[key].as_str());
                let id = id.into_iter().flatten().next().unwrap_or("?").to_owned();
                if call["result"].is_array() {
                    self.answers.push(id.clone());
                }
                self.calls.push(id);
            }
        }
        if value["role"] == "tool" {
            let ids = [&value["toolCallId"], &value["tool_call_id"], &value["tool_call_ids"][0]];
            let id = ids.into_iter().find_map(Value::as_str);
            self.answers.extend(id.map(str::to_owned));
        }
        let is_action = ACTIONS.iter().any(|action| value["action"] == *action);
        if is_action && value["source"].is_string() {
            self.calls.push(value["id"].to_string());
        }
        if value["observation"].is_string() {
            self.answers.push(value["cause"].to_string());
        }
        if value["source"].is_string() && !value["step_id"].is_number() {
            // An event has the words of the model again.
            return;
        }
        match value {
            Value::Array(all) => all.iter().for_each(|inner| self.collect(inner)),
            Value::Object(all) => all.values().for_each(|inner| self.collect(inner)),
            _ => {}
        }
    }
}

fn is_turn(event: &Value) -> bool {
    match event["type"].as_str() {
        Some("user" | "assistant") => event["message"].is_object(),
        Some("message" | "response_item") => true,
        Some(_) => false,
        None => event["source"].is_string(),
    }
}

/// The dialogs of a file with their turns, by a reader that knows each family.
fn plainly(text: &str, family: &str, at: &str) -> Counts {
    let values: Vec<Value> = match serde_json::from_str(text) {
        Ok(one) => vec![one],
        Err(_) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.map(|line| serde_json::from_str(line).unwrap()).collect()
        }
    };
    let mut counts = Counts::default();
    let elements = match values.as_slice() {
        [Value::Array(elements)] => Some(elements.clone()),
        _ => None,
    };
    let values = elements.unwrap_or(values);
    let samples = values[0]["samples"].as_array().cloned();
    let values = samples.unwrap_or(values);
    let dialogs: Vec<Vec<Value>> = if at.is_empty() {
        vec![values.into_iter().filter(is_turn).collect()]
    } else {
        let list = |dialog: &Value| dialog[at].as_array().cloned().unwrap_or_default();
        let flat = |turns: Vec<Value>| match family {
            "bfcl" => turns.iter().flat_map(|round| round.as_array().unwrap().clone()).collect(),
            _ => turns,
        };
        values.iter().map(list).map(flat).collect()
    };
    for turns in dialogs {
        let mut ids = Ids::default();
        for turn in &turns {
            ids.collect(turn);
        }
        let known: HashSet<_> = ids.calls.iter().collect();
        counts.dialogs += 1;
        counts.turns += turns.len();
        counts.calls += ids.calls.len();
        counts.answers += ids.answers.iter().filter(|id| known.contains(id)).count();
    }
    counts
}

fn by_turnwise(path: &Path, family: &str) -> Counts {
    let file = open(fs::read(path).unwrap());
    let place = path.display();
    assert_eq!(file.format().map(Family::name), Some(family), "{place}");
    let mut counts = Counts::default();
    for position in 0..file.index().pieces.len() {
        let (dialog, issues) = file.dialog(position).unwrap().unwrap();
        assert!(issues.is_empty(), "{place}: {issues:?}");
        let calls: Vec<&ApiCall> = dialog.turns.iter().flat_map(|turn| &turn.calls).collect();
        counts.dialogs += 1;
        counts.turns += dialog.turns.len();
        counts.calls += calls.len();
        counts.answers += calls.iter().filter(|call| call.response.is_some()).count();
    }
    counts
}

#[test]
fn real_sessions_have_the_counts_of_another_reader() {
    let Some(files) = traces("counting sessions") else {
        return;
    };
    let mut all = 0;
    for path in files {
        let folder = path.parent().and_then(Path::file_name).unwrap().to_string_lossy();
        let known = FAMILIES.iter().find(|(name, ..)| *name == folder);
        let text = fs::read_to_string(&path).unwrap();
        let Some((_, family, at)) = known else {
            assert!(open(text.into_bytes()).format().is_none(), "{}", path.display());
            continue;
        };
        assert_eq!(by_turnwise(&path, family), plainly(&text, family, at), "{}", path.display());
        all += 1;
    }
    say(&format!("{all} real files of sessions have the same counts"));
    assert!(all > 10);
}
