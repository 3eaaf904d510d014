//! Properties of every rule, and the examples of the manual.

use std::collections::HashSet;

use turnwise::lint::{Check, RULES, Rule};

use super::notation;
use crate::support::{project, run, run_in, scratch};

/// A fenced example of a manual page.
struct Example {
    bad: bool,
    /// The name of its file, if that matters.
    file: Option<String>,
    dialog: String,
}

fn examples(rule: &Rule) -> Vec<Example> {
    let page = rule.page();
    let mut examples = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) else {
            continue;
        };
        let body: Vec<_> = lines.by_ref().take_while(|l| *l != "```").collect();
        let body = body.join("\n");
        let mut words = kind.split(' ');
        let (language, verdict) = (words.next().unwrap(), words.next().expect(rule.name));
        examples.push(Example {
            bad: verdict == "bad",
            file: words.next().map(str::to_owned),
            dialog: if language == "text" { notation::dialog(&body) } else { body },
        });
        assert!(["bad", "good"].contains(&verdict), "{}", rule.name);
    }
    examples
}

/// The files of each example: those that name theirs belong together.
fn folders(rule: &Rule) -> Vec<(bool, Vec<(String, String)>)> {
    let mut folders: Vec<(bool, Vec<(String, String)>)> = Vec::new();
    let mut together = [Vec::new(), Vec::new()];
    for Example { bad, file, dialog } in examples(rule) {
        match file {
            Some(file) => together[usize::from(bad)].push((file, dialog)),
            None => {
                // Logs are called after their dialog.
                let json = serde_json::from_str::<serde_json::Value>(&dialog).unwrap_or_default();
                let id = json["dialogue-id"].as_str();
                let name = id.map_or("dialog.json".to_owned(), |id| format!("{id}.log.json"));
                folders.push((bad, vec![(name, dialog)]));
            }
        }
    }
    let [good, bad] = together;
    folders.extend([(false, good), (true, bad)]);
    folders.retain(|(_, files)| !files.is_empty());
    folders
}

/// The rules that find something in a single dialog.
fn in_dialogs() -> impl Iterator<Item = &'static Rule> {
    let all = RULES.iter().copied();
    all.filter(|rule| matches!(rule.check, Check::Dialog(_)))
}

/// The dialogs of all bad examples.
pub fn bad_examples() -> Vec<String> {
    let bad = in_dialogs().flat_map(examples).filter(|e| e.bad);
    bad.map(|example| example.dialog).collect()
}

#[test]
fn names_are_unique_and_every_rule_has_a_manual_page() {
    let mut names = HashSet::new();
    for rule in RULES.iter() {
        assert!(names.insert(rule.name), "{rule:?}");
        let kebab = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(rule.name.chars().all(kebab), "{rule:?}");
        assert!(rule.summary().len() > 15, "{rule:?}: {}", rule.summary());
        assert!(rule.page().lines().count() > 6, "{rule:?}");
    }
}

/// As readers of a manual page would try them: each example is a file, and `turnwise lint` reads it.
#[test]
fn examples_of_manual_pages_are_true_as_files() {
    let mut untrue = Vec::new();
    for rule in RULES.iter() {
        let folders = folders(rule);
        for verdict in [true, false] {
            if !folders.iter().any(|(bad, _)| *bad == verdict) {
                untrue.push(format!("{rule:?} has no example that is bad: {verdict}"));
            }
        }
        for (bad, files) in folders {
            let folder = scratch();
            for (name, text) in &files {
                std::fs::write(folder.path().join(name), text).unwrap();
            }
            let path = match &files[..] {
                [(name, _)] => name,
                _ => ".",
            };
            let more = ["--extend-select", rule.name, "--format", "jsonl"];
            let arguments = [&["lint", path][..], &more].concat();
            let ran = run_in(folder.path(), &arguments, "");
            let lines = ran.out.lines().map(serde_json::from_str);
            let found: Vec<serde_json::Value> = lines.map(Result::unwrap).collect();
            let level = rule.severity.machine_name();
            let is_reported =
                |p: &serde_json::Value| p["rule"] == rule.name && p["severity"] == level;
            let is_true = if bad {
                found.iter().any(is_reported)
            } else {
                let is_found = found.iter().any(|p| p["rule"] == rule.name);
                ran.code == 0 && !is_found && found.iter().all(|p| p["severity"] == "info")
            };
            // Nothing can be read of a dialog that is not valid JSON.
            let worst = if rule.name == "json-syntax" { 2 } else { 1 };
            if !is_true || ran.code > worst {
                untrue.push(format!("{rule:?}, bad: {bad}: {ran:?}"));
            }
        }
    }
    assert!(untrue.is_empty(), "{untrue:#?}");
}

#[test]
fn examples_in_the_manual_match_the_output() {
    let manual = std::fs::read_to_string(project("assets/manual/lint.md")).unwrap();
    let ran = run(&["lint", "assets/demo/taskmaster-3.json", "--select", "span-edge-punctuation"]);
    for line in ran.out.lines() {
        assert!(manual.contains(line), "{line}");
    }
}
