//! `turnwise lint`, `fix` and `rules`: files in, problems and repaired files out.

use std::fs;
use std::path::Path;

use serde_json::Value;
use turnwise::lint::RULES;

use crate::support::{Ran, TempDir, project, run, run_in, scratch};

/// A folder with one dialog in which a word is cut and a full stop swallowed.
fn corpus() -> TempDir {
    let folder = scratch();
    let dialog = super::notation::dialog(
        "user: at «Thursday Kitche»{name.restaurant}n tonight\nassistant: at «seven.»{time.reservation} Anything else?",
    );
    fs::write(folder.path().join("data.json"), format!("[{dialog}]\n")).unwrap();
    folder
}

fn lint(folder: &Path, more: &[&str]) -> Ran {
    let mut arguments = vec!["lint", "data.json"];
    arguments.extend(more);
    run_in(folder, &arguments, "")
}

#[test]
fn every_format_says_the_same() {
    let folder = corpus();
    let all = ["--select", "span"];
    let ran = |format: &str| lint(folder.path(), &[&all[..], &["--format", format]].concat()).out;
    let lines: Vec<Value> =
        ran("jsonl").lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(lines.len() >= 2);
    assert_eq!(serde_json::from_str::<Vec<Value>>(&ran("json")).unwrap(), lines);
    for line in &lines {
        for key in [
            "file",
            "line",
            "column",
            "rule",
            "severity",
            "dialog",
            "dialog_id",
            "turn",
            "segment",
            "quote",
            "message",
            "fixes",
        ] {
            assert!(line.get(key).is_some(), "{key}: {line}");
        }
    }
    assert_eq!((&lines[0]["turn"], &lines[0]["segment"]), (&0.into(), &0.into()));
    assert_eq!(
        (&lines[0]["dialog_id"], &lines[0]["quote"]),
        (&"d".into(), &"Thursday Kitche".into())
    );
    assert_eq!(ran("github").lines().count(), lines.len());
    let sarif: Value = serde_json::from_str(&ran("sarif")).unwrap();
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), lines.len());
    for (result, line) in results.iter().zip(&lines) {
        assert_eq!(result["ruleId"], line["rule"]);
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], line["rule"]);
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], line["line"]);
    }
}

#[test]
fn rules_are_listed_and_explained() {
    let list = run(&["rules"]).out;
    for rule in RULES {
        assert!(list.contains(rule.name));
        let page = run(&["rules", rule.name]);
        assert!(page.code == 0 && page.out.contains(rule.summary()), "{rule:?}");
    }
    assert_eq!(run(&["rules", "no-such-rule"]).code, 2);
}

#[test]
fn examples_in_the_manual_match_the_output() {
    let manual = fs::read_to_string(project("assets/manual/lint.md")).unwrap();
    let ran = run_in(
        &project("."),
        &["lint", "assets/demo/taskmaster-3.json", "--select", "span-edge-punctuation"],
        "",
    );
    for line in ran.out.lines() {
        assert!(manual.contains(line), "{line}");
    }
}
