//! Machine-readable output of `lint`: it follows published schemas, in the same order for any number of
//! threads, and the exit code tells how it ended.

use std::fs;
use std::path::Path;
use std::process::Command;

use jsonschema::Validator;
use serde_json::{Value, json};

use super::slips::{SLIPS, plant};
use crate::support::files::dialogs_of;
use crate::support::{TempDir, project, run_in, scratch};

fn validator(path: &str) -> Validator {
    let schema = fs::read_to_string(project(path)).unwrap();
    jsonschema::draft202012::new(&serde_json::from_str(&schema).unwrap()).unwrap()
}

fn keeps_to(validator: &Validator, value: &Value) {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
}

/// A folder with nearly every kind of fault: files that are broken, files whose names
/// need escapes, ids that occur twice, and a slip of every kind.
fn folder() -> TempDir {
    let folder = scratch();
    let demo = project("assets/demo/taskmaster-3.json");
    let dialogs = dialogs_of(&fs::read(demo).unwrap());
    let mut spoiled = Vec::new();
    for (place, slip) in SLIPS.iter().enumerate() {
        let mut dialog = dialogs[place % dialogs.len()].clone();
        dialog["conversation_id"] = json!(format!("dlg-{}", place % 7));
        for utterance in dialog["utterances"].as_array_mut().unwrap() {
            if !utterance["segments"][0].is_object() {
                continue;
            }
            let mut changed = utterance.clone();
            if plant(*slip, &mut changed, 0).is_some() {
                *utterance = changed;
            }
        }
        spoiled.push(dialog);
    }
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a.json", &serde_json::to_string_pretty(&spoiled).unwrap());
    write("ж [1] %25.json", &serde_json::to_string(&spoiled).unwrap());
    write("cut.json", "[{\"conversation_id\": \"x\", \"utterances\": [");
    write(
        "line.jsonl",
        "\u{feff}{\"utterances\":[],\"utterances\":[],\"conversation_id\":\"é\",\"vertical\":\"v\"}\n{\"a\":}\n",
    );
    folder
}

/// The records in lines of JSON, which keep to their schema, and the results in SARIF, which keep to its own.
fn records(lines: &str, sarif: &str) -> (Vec<Value>, Value) {
    let problem = validator("assets/schemas/problem.schema.json");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &lines {
        keeps_to(&problem, line);
    }
    let sarif: Value = serde_json::from_str(sarif).unwrap();
    keeps_to(&validator("tests/it/lint/sarif.schema.json"), &sarif);
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), lines.len());
    (lines, sarif)
}

fn lint(folder: &Path, format: &str) -> (i32, String, String) {
    let ran = run_in(folder, &["lint", ".", "--extend-select", "all", "--format", format], "");
    (ran.code, ran.out, ran.err)
}

#[test]
fn output_for_programs_keeps_to_its_schemas() {
    let scratch = folder();
    let folder = scratch.path();
    let (code, lines, _) = lint(folder, "jsonl");
    assert_ne!(code, 0);
    let (lines, sarif) = records(&lines, &lint(folder, "sarif").1);
    let (_, whole, _) = lint(folder, "json");
    assert_eq!(serde_json::from_str::<Vec<Value>>(&whole).unwrap(), lines);
    assert_eq!(lint(folder, "github").1.lines().count(), lines.len());
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().unwrap();
    for (result, line) in results.iter().zip(&lines) {
        let level = match line["severity"].as_str().unwrap() {
            "info" => "note",
            other => other,
        };
        assert_eq!((&result["ruleId"], &result["level"]), (&line["rule"], &json!(level)));
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], line["rule"]);
    }
    assert!(lines.len() > 100, "{}", lines.len());
}

/// `check` prints the same record: issues of the format, and notes of what is not read.
#[test]
fn issues_for_programs_keep_to_the_schemas_too() {
    let folder = folder();
    let odd = r#"{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"image","source":"x"}]}]}"#;
    fs::write(folder.path().join("odd.jsonl"), odd).unwrap();
    let checked = |format: &str| {
        let ran = run_in(folder.path(), &["check", ".", "--format", format], "");
        assert_eq!(ran.code, 2, "{ran:?}");
        ran.out
    };
    let (lines, _) = records(&checked("jsonl"), &checked("sarif"));
    let says = |severity: &str, rule: &str| {
        lines.iter().any(|line| line["severity"] == severity && line["rule"] == rule)
    };
    assert!(says("error", "syntax") && says("info", "not-read"), "{lines:#?}");
    let github = checked("github");
    assert_eq!(github.lines().count(), lines.len());
    assert!(github.contains("::error file=./cut.json,line=1,col="), "{github}");
    assert!(github.contains("::notice file=./odd.jsonl,title=not-read::"), "{github}");
}

#[test]
fn the_order_is_that_of_the_files_however_many_threads_there_are() {
    let folder = folder();
    let with = |threads: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(["lint", ".", "--extend-select", "all", "--format", "jsonl"])
            .env("RAYON_NUM_THREADS", threads)
            .current_dir(folder.path())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let one = with("1");
    for threads in ["2", "3", "8"] {
        assert_eq!(with(threads), one);
    }
    let places: Vec<(String, u64, u64)> = one
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let number = |key: &str| line[key].as_u64().unwrap();
            let file = line["file"].as_str().unwrap().to_owned();
            (file, number("line"), number("column"))
        })
        .collect();
    assert!(places.is_sorted(), "{places:?}");
}
