//! `turnwise find` and its completion in shells; `tests/cases/cli/find.md` shows what it prints.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::{project, run, scratch};

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

/// Completes the first word behind `find` in a shell, in a folder that saves two queries. None if there is no such
/// shell.
fn completed(shell: &str, typed: &str, ask: &str) -> Option<String> {
    let folder = scratch();
    let saved = "[queries]\n\"two tickets\" = \"arg:num.tickets=two\"\nany = \"problem:\"\n";
    fs::write(folder.path().join("turnwise.toml"), saved).unwrap();
    let script = run(&["completions", shell]).out;
    let ask = ask.replace("PROGRAM", env!("CARGO_BIN_EXE_turnwise"));
    let ask = ask.replace("SCRIPT", &script).replace("TYPED", typed);
    fs::write(folder.path().join("ask"), ask).unwrap();
    let ran = std::process::Command::new(shell)
        .arg("ask")
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .output();
    let Ok(ran) = ran else {
        eprintln!("SKIPPED: there is no {shell}");
        return None;
    };
    assert_eq!(String::from_utf8(ran.stderr).unwrap(), "");
    Some(String::from_utf8(ran.stdout).unwrap())
}

/// As bash completes it behind `find`, with a space in the name escaped.
#[test]
fn names_of_saved_queries_complete_in_bash() {
    let ask = "SCRIPT\nCOMP_WORDS=('PROGRAM' find 'TYPED'); COMP_CWORD=2\n\
               _turnwise_and_saved_queries 'PROGRAM' 'TYPED' find\nprintf '%s\\n' \"${COMPREPLY[@]}\"";
    if let Some(two) = completed("bash", "tw", ask) {
        assert_eq!(two, "two\\ tickets\n");
        let all = completed("bash", "", ask).unwrap();
        assert!(all.ends_with("any\ntwo\\ tickets\n"), "{all}");
    }
}

#[test]
fn names_of_saved_queries_complete_in_fish() {
    let ask = "SCRIPT\ncomplete -C \"'PROGRAM' find TYPED\"";
    if let Some(two) = completed("fish", "tw", ask) {
        assert_eq!(two, "two tickets\n");
        let all = completed("fish", "", ask).unwrap();
        assert!(all.lines().any(|line| line == "any"), "{all}");
        // Only the first word behind `find` is a query.
        let second = completed("fish", "any tw", ask).unwrap();
        assert!(!second.contains("two tickets"), "{second}");
    }
}

/// The functions of zsh's completion system are replaced by plain ones, as they work in an interactive shell only.
#[test]
fn names_of_saved_queries_complete_in_zsh() {
    let ask = "compdef() { :; }\n_call_program() { shift; \"$@\"; }\n\
               compadd() { print -l -- \"${saved[@]}\"; }\nSCRIPT\n_turnwise_generated() { :; }\n\
               words=('PROGRAM' find TYPED); CURRENT=$#words\n_turnwise\n";
    if let Some(all) = completed("zsh", "tw", ask) {
        assert_eq!(all, "any\ntwo tickets\n");
        assert_eq!(completed("zsh", "any tw", ask).unwrap(), "");
    }
}
