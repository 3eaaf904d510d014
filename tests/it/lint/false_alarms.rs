//! False alarms in corpora of other families: hardly any warnings but for faults that are known.

use std::path::Path;

use serde_json::Value;

use crate::support::files::{READ, neighbours, say};
use crate::support::{run_in, scratch};

/// The families that are nearly clean, or whose faults are known.
const FAMILIES: [&str; 6] = [
    "messages",
    "sharegpt",
    "sgd",
    "multiwoz",
    "multiwoz-disambiguation",
    "convlab",
];

/// Faults of the data that were looked at one by one: a part of the path, the rule, and how many there are.
/// Some spans begin or end inside words.
const FAULTS: [(&str, &str, usize); 9] = [
    ("convlab/multiwoz21", "span-cuts-word", 3),
    ("convlab/tm3", "span-cuts-word", 12),
    ("examples/Disambiguation", "span-cuts-word", 9),
    ("examples/Disambiguation", "span-edge-punctuation", 1),
    ("examples/Disambiguation", "span-edge-space", 1),
    ("examples/Disambiguation", "span-empty", 1),
    ("multiwoz-2.1/val", "label-conflict", 3),
    ("multiwoz-2.1/val", "span-empty", 1),
    ("multiwoz-2.1/val", "span-overlap", 1),
];

/// Known of all of SGD: spaces at edges, overlaps, calls without a required slot, states that lose a slot.
const FAULTS_OF_SGD: [&str; 4] = [
    "span-edge-space",
    "span-overlap",
    "api-missing-argument",
    "state-lost-slot",
];

fn lines(arguments: &[&str]) -> Vec<Value> {
    let folder = scratch();
    let ran = run_in(folder.path(), arguments, "");
    assert!(ran.code <= 1, "{ran:?}");
    let lines = ran.out.lines().map(serde_json::from_str);
    lines.map(Result::unwrap).collect()
}

/// The rules that warn in a file, each as often as it does.
fn warnings(path: &str) -> Vec<String> {
    let is_severe = |problem: &&Value| problem["severity"] != "info";
    let problems = lines(&["lint", path, "--format", "jsonl"]);
    let rules = problems.iter().filter(is_severe).map(|p| &p["rule"]);
    rules
        .map(|rule| rule.as_str().unwrap().to_owned())
        .collect()
}

/// True if the fault is known; each known one is used up.
fn is_known(path: &str, family: &str, rule: &str, faults: &mut [(&str, &str, usize)]) -> bool {
    if family == "sgd" && FAULTS_OF_SGD.contains(&rule) {
        return true;
    }
    let fits =
        |fault: &&mut (&str, &str, usize)| path.contains(fault.0) && fault.1 == rule && fault.2 > 0;
    let known = faults.iter_mut().find(fits);
    known.map(|fault| fault.2 -= 1).is_some()
}

fn family_of(path: &Path) -> Option<&'static str> {
    let path = path.to_string_lossy();
    let of = READ.iter().find(|(part, _)| path.contains(part));
    of.map(|(_, family)| *family)
}

#[test]
fn one_real_span_in_ten_thousand_and_one_turn_in_a_thousand_at_most() {
    let Some(files) = neighbours("counting false alarms") else {
        return;
    };
    let mut faults = FAULTS;
    for family in FAMILIES {
        let (mut spans, mut turns, mut of_spans, mut of_turns) = (0, 0, vec![], vec![]);
        for path in files.iter().filter(|path| family_of(path) == Some(family)) {
            let path = path.to_string_lossy();
            let report = run_in(
                &std::env::temp_dir(),
                &["check", &path, "--format", "json"],
                "",
            );
            let report: Value = serde_json::from_str(&report.out).unwrap();
            turns += report[0]["turns"].as_u64().unwrap();
            spans += report[0]["segments"].as_u64().unwrap();
            for rule in warnings(&path) {
                let is_of_span = ["span", "label", "slot"]
                    .iter()
                    .any(|of| rule.starts_with(of));
                if is_known(&path, family, &rule, &mut faults) {
                    continue;
                }
                if is_of_span {
                    of_spans.push(rule);
                } else {
                    of_turns.push(rule);
                }
            }
        }
        say(&format!(
            "{family}: {turns} turns, {spans} spans: {of_turns:?} {of_spans:?}"
        ));
        assert!(turns > 0, "{family}");
        assert!(
            of_spans.len() as u64 * 10_000 <= spans,
            "{family}: {of_spans:?}"
        );
        assert!(
            of_turns.len() as u64 * 1000 <= turns,
            "{family}: {of_turns:?}"
        );
    }
}
