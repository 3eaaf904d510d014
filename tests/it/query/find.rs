//! `find` finds the problems that `lint` reports; `tests/cases/cli/find.md` shows what is printed.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{project, run};

/// The questions of the manual that rules answer.
pub const ABOUT_PROBLEMS: [&str; 2] =
    ["turns>15 dialog(problem:)", "problem:span-edge-punctuation"];

/// The file, the dialog and the turn of each hit in the demo.
fn found(query: &str) -> BTreeSet<(String, String, u64)> {
    let demo = project("assets/demo");
    let ran = run(&["find", query, demo.to_str().unwrap(), "--format", "jsonl"]);
    ran.out.lines().map(|line| place(&serde_json::from_str(line).unwrap())).collect()
}

fn place(record: &Value) -> (String, String, u64) {
    let turn = record["turn"].as_u64().unwrap_or_default();
    (record["file"].to_string(), record["dialog"].to_string(), turn)
}

/// The turns with problems are those that `lint` reports.
#[test]
fn problems_are_those_that_lint_finds() {
    let demo = project("assets/demo");
    let ran = run(&["lint", demo.to_str().unwrap(), "--format", "json"]);
    let problems: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let punctuation = problems.iter().filter(|p| p["rule"] == "span-edge-punctuation");
    let expected: BTreeSet<_> = punctuation.map(place).collect();
    assert!(!expected.is_empty());
    assert_eq!(found(ABOUT_PROBLEMS[1]), expected);
    // The other one is about dialogs.
    let serious = problems.iter().filter(|p| p["severity"] != "info" && p["dialog"].is_u64());
    let dialogs: BTreeSet<_> =
        serious.map(|p| (p["file"].to_string(), p["dialog"].to_string(), 0)).collect();
    let expected: BTreeSet<_> = found("turns>15").intersection(&dialogs).cloned().collect();
    assert!(!expected.is_empty());
    assert_eq!(found(ABOUT_PROBLEMS[0]), expected);
}
