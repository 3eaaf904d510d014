//! Every machine-readable record that names a dialog by its number also has the dialog's id.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{TempDir, project, run_in, scratch};

/// Commands with records on standard output.
const PRINTED: [&str; 15] = [
    "check data --format json",
    "lint data --format json",
    "lint data --format jsonl",
    "lint data --format sarif",
    "lint data --format jsonl --select all --query problem:",
    "find the data --format jsonl",
    "votes data --format json --by dialog",
    "votes data --format csv --by dialog",
    "votes data --format json",
    "export doccano data -o -",
    "export spacy data -o -",
    "export conll data -o -",
    "export chat data -o -",
    "export kto data -o -",
    "lint data --statistics --format jsonl",
];

/// Exports to folders.
const WRITTEN: [&str; 4] = ["tables", "label-studio", "hf", "convokit"];

/// The demo corpora, with problems of every kind: spaces, a missing member, and a line that cannot be read.
fn corpora() -> TempDir {
    let folder = scratch();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    for name in ["taskmaster-3.json", "messages.jsonl", "sim-m.json"] {
        let text = fs::read_to_string(project("assets/demo").join(name)).unwrap();
        let text = text.replacen(".\"", ". \"", 3).replacen("\"speaker\"", "\"spaeker\"", 1);
        fs::write(data.join(name), text).unwrap();
    }
    let log = fs::read_to_string(project("assets/demo/dbdc/demo_001.log.json")).unwrap();
    fs::write(data.join("demo_001.log.json"), log).unwrap();
    let broken = "{\"conversation_id\": \"broken-1\", \"utterances\": [,]}\n";
    let good = "{\"conversation_id\": \"good-1\", \"utterances\": []}\n";
    fs::write(data.join("broken.jsonl"), format!("{good}{broken}")).unwrap();
    folder
}

/// Checks a JSON value and everything in it; returns the number of dialogs named by number.
fn check(value: &Value, line: &str) -> usize {
    match value {
        Value::Array(values) => values.iter().map(|value| check(value, line)).sum(),
        Value::Object(members) => {
            let number = members.get("dialog").filter(|dialog| dialog.is_number());
            if number.is_some() {
                let id = members.get("dialog_id").and_then(Value::as_str);
                assert!(id.is_some_and(|id| !id.is_empty()), "{line}: {value}");
            }
            let inside = members.values().map(|value| check(value, line));
            usize::from(number.is_some()) + inside.sum::<usize>()
        }
        _ => 0,
    }
}

/// Checks a text that is JSON, JSON Lines, CSV or tagged tokens.
fn check_text(text: &str, line: &str) -> usize {
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        return check(&value, line);
    }
    let heads = text.lines().next().unwrap_or_default();
    let heads: Vec<_> = heads.split(',').collect();
    if heads.contains(&"dialog") {
        // The rows of `votes` name dialogs by their ids alone.
        let has_ids = line.starts_with("votes") || heads.contains(&"dialog_id");
        assert!(has_ids, "{line}: {heads:?}");
        return text.lines().count() - 1;
    }
    let records = text.lines().map(|line| line.trim_start_matches("# "));
    let records = records.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    records.map(|record| check(&record, line)).sum()
}

fn check_files(folder: &Path, line: &str) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            if path.is_dir() {
                check_files(&path, line)
            } else {
                check_text(&fs::read_to_string(&path).unwrap(), line)
            }
        })
        .sum()
}

#[test]
fn records_with_the_number_of_a_dialog_have_its_id() {
    let folder = corpora();
    let mut counted = Vec::new();
    for line in PRINTED {
        let arguments: Vec<_> = line.split(' ').collect();
        let ran = run_in(folder.path(), &arguments, "");
        assert!(!ran.out.is_empty(), "{line}: {ran:?}");
        counted.push((line, check_text(&ran.out, line)));
    }
    // Nothing is written of a folder with a file that cannot be read.
    fs::remove_file(folder.path().join("data/broken.jsonl")).unwrap();
    for format in WRITTEN {
        let line = ["export", format, "data", "-o", format];
        let ran = run_in(folder.path(), &line, "");
        assert!(!ran.out.is_empty(), "{format}: {ran:?}");
        counted.push((format, check_files(&folder.path().join(format), format)));
    }
    // The others name no dialog by its number.
    let named: Vec<_> = counted.iter().filter(|(_, count)| *count > 0).collect();
    let named: Vec<_> = named.iter().map(|(line, _)| *line).collect();
    for line in &PRINTED[..6] {
        assert!(named.contains(line), "{counted:?}");
    }
    for line in ["tables", "label-studio", "export conll data -o -", "export spacy data -o -"] {
        assert!(named.contains(&line), "{counted:?}");
    }
}

/// The id of a line that cannot be read, and those of its edits.
#[test]
fn broken_dialogs_and_edits_have_ids_too() {
    let folder = corpora();
    let ran = run_in(folder.path(), &["check", "data/broken.jsonl", "--format", "json"], "");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report[0]["issues"][0]["dialog_id"], "broken-1");
    let ran = run_in(folder.path(), &["lint", "data", "--format", "json"], "");
    let problems: Value = serde_json::from_str(&ran.out).unwrap();
    let (mut edits, mut syntax) = (0, 0);
    for problem in problems.as_array().unwrap() {
        let fixes = problem["fixes"].as_array().unwrap().iter();
        for edit in fixes.flat_map(|fix| fix["edits"].as_array().unwrap()) {
            assert_eq!(edit["dialog_id"], problem["dialog_id"]);
            edits += 1;
        }
        syntax += usize::from(problem["dialog_id"] == "broken-1");
    }
    assert!(edits > 0 && syntax == 1, "{edits} {syntax}");
}
