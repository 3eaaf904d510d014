//! `turnwise suggest`: judgements and edits by a command.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::files::skipped;
use crate::support::{Ran, project, run_in, scratch};

/// Five dialogs with two turns each.
fn corpus() -> TempDir {
    let folder = scratch();
    let mut text = String::new();
    for number in 0..5 {
        let turn = |index, speaker, text| {
            format!(r#"{{"index":{index},"speaker":"{speaker}","text":"{text}"}}"#)
        };
        let turns = [
            turn(0, "USER", format!("a table for {number}")),
            turn(1, "ASSISTANT", "I booked it".to_owned()),
        ];
        let turns = turns.join(",");
        writeln!(text, r#"{{"conversation_id":"d{number}","utterances":[{turns}]}}"#).unwrap();
    }
    fs::write(folder.path().join("a.jsonl"), text).unwrap();
    folder
}

/// Runs a command on the verdict, one dialog after another. The run is `r`.
fn suggest(folder: &TempDir, command: &str, more: &[&str]) -> Ran {
    let asked = ["--scheme", "success", "--question", "verdict"];
    let arguments = ["suggest", "a.jsonl", "--run", "r", "--jobs", "1"];
    let arguments = [&arguments[..], &asked, &["--with", command], more].concat();
    run_in(folder.path(), &arguments, "")
}

fn text(folder: &TempDir, path: &str) -> String {
    fs::read_to_string(folder.path().join(path)).unwrap_or_default()
}

/// The lines of the run.
fn said(folder: &TempDir) -> Vec<Value> {
    let text = text(folder, "judgements/r.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|why| panic!("{why}: {line}")))
        .collect()
}

fn dialogs(folder: &TempDir) -> Vec<String> {
    let id = |line: Value| line["dialog"].as_str().unwrap().to_owned();
    said(folder).into_iter().map(id).collect()
}

/// Notes that it ran, and answers.
const FAIL: &str = r#"echo ran >>ran; echo '{"value":"fail","at":1,"note":"why"}'"#;
const ALL: [&str; 5] = ["d0", "d1", "d2", "d3", "d4"];

#[test]
fn a_run_that_was_ended_goes_on_and_judges_nothing_twice() {
    let silent = "echo ran >>ran";
    let cases = [("KILL", FAIL), ("TERM", FAIL), ("INT", FAIL), ("KILL", silent)];
    for (signal, answer) in cases {
        let folder = corpus();
        let deadly = format!(
            "read line; case $line in *'\"d3\"'*) [ -e ended ] || {{ touch ended; kill -{signal} $PPID; exec sleep 1000; }};; esac; {answer}"
        );
        let ended = suggest(&folder, &deadly, &[]);
        assert_ne!(ended.code, 0, "{signal}");
        assert_eq!(dialogs(&folder), ["d0", "d1", "d2"], "{signal}");
        // A line that was half written is dropped.
        let path = folder.path().join("judgements/r.jsonl");
        let half = text(&folder, "judgements/r.jsonl") + "{\"dialog\":\"d3\",\"va";
        fs::write(&path, half).unwrap();
        let ran = suggest(&folder, &deadly, &[]);
        let now = if answer == FAIL { "judged" } else { "without an answer" };
        assert!(
            ran.out.ends_with(&format!("run r: 2 {now}, 3 judged before\n")),
            "{}{}",
            ran.out,
            ran.err
        );
        assert_eq!(dialogs(&folder), ALL);
        assert_eq!(text(&folder, "ran").lines().count(), 5, "{signal}");
    }
}

/// The example of the manual judges the demo.
#[test]
fn the_rule_of_the_manual_works() {
    let manual = fs::read_to_string(project("assets/manual/error-analysis.md")).unwrap();
    let (_, rest) = manual.split_once("```python\n").unwrap();
    let (rule, _) = rest.split_once("```").unwrap();
    assert!(rule.lines().count() <= 20);
    if Command::new("python3").arg("--version").output().is_err() {
        return skipped("the rule of the manual", "there is no python3");
    }
    let folder = scratch();
    fs::write(folder.path().join("judge.py"), rule).unwrap();
    fs::copy(project("assets/demo/taskmaster-3.json"), folder.path().join("demo.json")).unwrap();
    let command =
        manual.lines().find(|line| line.starts_with("turnwise suggest corpus/ --with")).unwrap();
    let command = command.replace("turnwise", env!("CARGO_BIN_EXE_turnwise"));
    let ran = Command::new("sh")
        .args(["-c", &command.replace("corpus/", "demo.json")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(out, "judgements/rule-1.jsonl: 3 judgements\nrun rule-1: 3 judged\n", "{err}");
    let found = run_in(
        folder.path(),
        &["find", "verdict:fail by:model:rule-1", "demo.json", "--format", "count"],
        "",
    );
    assert_eq!(found.code, 0, "{}", found.err);
}
