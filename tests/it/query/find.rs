//! `turnwise find` from the command line.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::support::{Ran, project, run, run_in, scratch};

/// The questions of the manual that rules answer.
pub const ABOUT_PROBLEMS: [&str; 2] =
    ["turns>15 dialog(problem:)", "problem:span-edge-punctuation"];

fn find(query: &str, more: &[&str]) -> Ran {
    let demo = project("assets/demo");
    let mut arguments = vec!["find", query, demo.to_str().unwrap()];
    arguments.extend(more);
    run(&arguments)
}

fn records(ran: &Ran) -> Vec<Value> {
    let lines = ran.out.lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn turns_are_printed_with_carets_under_the_hits() {
    let folder = scratch();
    let demo = project("assets/demo/taskmaster-3.json");
    fs::copy(demo, folder.path().join("corpus.json")).unwrap();
    let ran = run_in(folder.path(), &["find", "speaker:user tonight", "corpus.json"], "");
    let manual = include_str!("../../../assets/manual/searching.md");
    let (_, shown) = manual.split_once("'speaker:user tonight' corpus.json\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    assert!(ran.out.starts_with(shown), "{}", ran.out);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn hits_are_records_for_programs() {
    let ran = find("arg:num.tickets=two", &["--format", "jsonl"]);
    let [record] = &records(&ran)[..] else {
        panic!("{}", ran.out);
    };
    assert_eq!(record["dialog"], 0);
    assert_eq!(record["dialog_id"], "dlg-demo-tm3-01");
    assert_eq!((&record["turn"], &record["call"]), (&json!(12), &json!(0)));
    assert_eq!(record["text"], "please do, before she backs out");
    assert_eq!(record.get("segment"), None);
    // Offsets are code points.
    let ran = find("label:*location speaker:user id:dlg-demo-tm2-01", &["--format", "jsonl"]);
    let first = &records(&ran)[0];
    assert_eq!(
        (&first["segment"], &first["start"], &first["end"]),
        (&json!(0), &json!(7), &json!(15))
    );
}

/// Members inside values are found beside values that other JSON readers refuse or change, and as they are
/// written.
#[test]
fn members_are_found_beside_numbers_surrogates_and_nesting_that_others_refuse() {
    let folder = scratch();
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let odd = ["1e400", r#""\ud83d""#, &deep, "-0", r#"{"\udc00": [1e-400]}"#];
    let mut texts = Vec::new();
    for odd in odd {
        let members = format!(r#"{{"x": {odd}, "city": "Rome", "y": [{{"z": {odd}}}]}}"#);
        let call = members.replace('\\', r"\\").replace('"', r#"\""#);
        texts.push((
            members.clone(),
            format!(r#"{{"id": "a", "meta": {members}, "messages": [{{"role": "user", "content": "Hi"}}]}}"#),
            "field:meta.city=Rome",
        ));
        texts.push((
            call.clone(),
            format!(
                r#"{{"id": "a", "messages": [{{"role": "assistant", "tool_calls": [{{"id": "c", "type": "function", "function": {{"name": "f", "arguments": "{call}"}}}}]}}, {{"role": "tool", "tool_call_id": "c", "content": "{call}"}}]}}"#
            ),
            "arg:city=Rome result:city=Rome",
        ));
    }
    let count = |text: &str, query: &str| {
        fs::write(folder.path().join("a.jsonl"), text).unwrap();
        let ran = run_in(folder.path(), &["find", query, "a.jsonl", "--format", "count"], "");
        ran.out.trim().parse::<usize>().unwrap()
    };
    for (odd, text, query) in &texts {
        let odd = &odd[..odd.len().min(60)];
        assert_eq!(count(text, query), 1, "{odd}: {query}");
        assert_eq!(count(text, &query.replace("Rome", "Oslo")), 0, "{odd}");
        let all = count(text, "words>=0");
        assert_eq!(all, count(text, &format!("not ({query})")) + 1, "{odd}");
    }
    let written = r#"{"id": "a", "meta": {"city": "Rome", "city": "Oslo", "n": 1.50, "i": 12345678901234567890123, "m": -0, "e": 1E+2},
        "messages": [{"role": "user", "content": "Hi"}]}"#;
    let written = written.replace('\n', "");
    for (query, wanted) in [
        ("field:meta.city=Rome", 1),
        ("field:meta.city=Oslo", 1),
        ("field:meta.city=Bonn", 0),
        ("field:meta.n=1.50", 1),
        ("field:meta.n=1.5", 1),
        ("field:meta.n=15e-1", 1),
        ("field:meta.n!=1.5", 0),
        ("field:meta.n=1.51", 0),
        ("field:meta.i=12345678901234567890124", 0),
        ("field:meta.m=0", 1),
        ("field:meta.e=100", 1),
        ("field:meta.n>1.4 field:meta.n<1.6", 1),
        ("field:meta.i=12345678901234567890123", 1),
        ("field:meta.m=-0", 1),
        ("field:meta.e=1E+2", 1),
        ("not field:meta.city=Rome", 0),
    ] {
        assert_eq!(count(&written, query), wanted, "{query}");
    }
}

#[test]
fn a_sample_is_a_part_of_all_and_the_same_for_a_seed() {
    let all = find("speaker:user", &["--format", "jsonl"]).out;
    let draw = |seed: &str| {
        find("speaker:user", &["--format", "jsonl", "--sample", "10", "--seed", seed]).out
    };
    let sample = draw("1");
    assert_eq!(sample, draw("1"));
    assert_ne!(sample, draw("2"));
    assert_eq!(sample.lines().count(), 10);
    // In the order of the files.
    let place = |line: &str| all.lines().position(|one| one == line).unwrap();
    assert!(sample.lines().map(place).is_sorted(), "{sample}");
    for (query, of, most) in [("speaker:user", "4", 4), ("api:book_tickets", "100", 3)] {
        let ids = find(query, &["--format", "ids", "--sample", of]).out;
        let distinct: BTreeSet<_> = ids.lines().collect();
        assert_eq!((distinct.len(), ids.lines().count()), (most, most));
    }
}

/// The turns with problems are those that `lint` reports.
#[test]
fn problems_are_those_that_lint_finds() {
    let demo = project("assets/demo");
    let ran = run(&["lint", demo.to_str().unwrap(), "--format", "json"]);
    let problems: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let place = |record: &Value| {
        let turn = record["turn"].as_u64().unwrap_or_default();
        (record["file"].to_string(), record["dialog"].to_string(), turn)
    };
    let punctuation = problems.iter().filter(|p| p["rule"] == "span-edge-punctuation");
    let expected: BTreeSet<_> = punctuation.map(place).collect();
    assert!(!expected.is_empty());
    let found = find(ABOUT_PROBLEMS[1], &["--format", "jsonl"]);
    let found: BTreeSet<_> = records(&found).iter().map(place).collect();
    assert_eq!(found, expected);
    // The other one is about dialogs.
    let long = find("turns>15", &["--format", "jsonl"]);
    let long: BTreeSet<_> = records(&long).iter().map(place).collect();
    let serious = problems.iter().filter(|p| p["severity"] != "info" && p["dialog"].is_u64());
    let dialogs: BTreeSet<_> =
        serious.map(|p| (p["file"].to_string(), p["dialog"].to_string(), 0)).collect();
    let expected: BTreeSet<_> = long.intersection(&dialogs).cloned().collect();
    assert!(!expected.is_empty());
    let found = find(ABOUT_PROBLEMS[0], &["--format", "jsonl"]);
    let found: BTreeSet<_> = records(&found).iter().map(place).collect();
    assert_eq!(found, expected);
}

fn counts(folder: &std::path::Path, file: &str, wanted: &[(&str, usize)]) {
    for (query, count) in wanted {
        let ran = run_in(folder, &["find", query, file, "--format", "count"], "");
        assert_eq!(ran.out.trim(), count.to_string(), "{query}: {}", ran.err);
    }
}

/// The rewards of real runs, as another reader counts them.
#[test]
fn rewards_of_real_runs_are_counted_as_they_are() {
    let Some(files) = crate::support::files::neighbours("rewards") else {
        return;
    };
    let runs = files.iter().find(|path| path.to_string_lossy().contains("tau-bench"));
    let runs = runs.unwrap();
    let all: Vec<Value> = serde_json::from_str(&fs::read_to_string(runs).unwrap()).unwrap();
    let count = |is: fn(f64) -> bool| {
        let rewards = all.iter().map(|run| run["reward"].as_f64().unwrap());
        rewards.filter(|reward| is(*reward)).count()
    };
    let errors = all.iter().flat_map(|run| run["traj"].as_array().unwrap());
    let errors = errors.filter(|message| message["role"] == "tool");
    let errors = errors.filter(|message| message["content"].as_str().unwrap().contains("Error"));
    let wanted = [
        ("field:reward=1", count(|reward| reward > 0.99)),
        ("field:reward=1.0", count(|reward| reward > 0.99)),
        ("field:reward>=1", count(|reward| reward >= 1.0)),
        ("field:reward<0.5", count(|reward| reward < 0.5)),
        ("field:reward=0", count(|reward| reward < 0.01)),
        ("field:rewar?>=1", count(|reward| reward >= 1.0)),
        ("in:result Error", errors.count()),
    ];
    assert!(wanted.iter().all(|(_, count)| *count > 0));
    let folder = runs.parent().unwrap();
    counts(folder, runs.file_name().unwrap().to_str().unwrap(), &wanted);
}
