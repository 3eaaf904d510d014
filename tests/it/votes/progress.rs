//! `turnwise progress`: a row for each annotator.

use std::fs;

use serde_json::{Value, json};

use super::logs::log;
use super::questions::{corpus, judge};
use crate::support::{run_in, scratch};

/// Answers a day are of the question whose answers are counted.
#[test]
fn the_answers_of_a_day_are_among_those_counted() {
    let folder = corpus();
    let of = |question: &str, value: Value| {
        json!({"dialog": "d0", "scheme": "error-analysis", "question": question, "value": value,
            "when": "2026-03-01T08:00:00Z"})
    };
    let both = [of("verdict", "fail".into()), of("code", json!(["date"]))];
    judge(folder.path(), "ann", &both);
    let arguments = ["progress", "a.json", "--scheme", "error-analysis", "--format", "json"];
    let ran = run_in(folder.path(), &arguments, "");
    let page: Value = serde_json::from_str(&ran.out).unwrap();
    let row = &page["rows"][0];
    assert_eq!((&row["annotator"], &row["answers"]), (&"ann".into(), &1.into()), "{row}");
    assert_eq!(row["per_day"], 1.0, "{row}");
}

#[test]
fn votes_on_breakdowns_are_work_too() {
    let folder = scratch();
    let text = log(
        "d",
        &[("S", "hi", &[("mk", "O"), ("js", "X")]), ("U", "hi", &[]), ("S", "hi", &[("mk", "X")])],
    );
    fs::write(folder.path().join("d.log.json"), text).unwrap();
    let ran = run_in(folder.path(), &["progress", ".", "--format", "csv"], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let rows: Vec<_> = ran.out.lines().map(|line| &line[..13]).collect();
    assert_eq!(rows[1..], ["js,0,1,1,0,0,", "mk,1,1,2,1,0,"], "{}", ran.out);
    // A corpus without votes has its logs beside it, with its name.
    let votes = folder.path().join("votes");
    fs::create_dir(&votes).unwrap();
    for (name, file) in [("a", "c.json"), ("b", "other.json")] {
        let text = log(name, &[("S", "hi", &[(name, "O")])]);
        let text = text.replacen('{', &format!("{{\"group-id\":{file:?},"), 1);
        fs::write(votes.join(format!("{name}.log.json")), text).unwrap();
    }
    fs::write(folder.path().join("c.json"), crate::support::CORPUS).unwrap();
    let ran = run_in(folder.path(), &["progress", "c.json", "--format", "csv"], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let annotators: Vec<_> = ran.out.lines().map(|line| &line[..1]).collect();
    assert_eq!(annotators[1..], ["a"], "{}", ran.out);
}

/// Dialogs of one id in two files are one pair each, beside the first of them.
#[test]
fn pairs_of_two_files_are_work() {
    let folder = scratch();
    let line = |id: &str| {
        format!("{{\"id\":\"{id}\",\"messages\":[{{\"role\":\"user\",\"content\":\"hi\"}}]}}\n")
    };
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("a.jsonl", ["d0", "d1", "alone"].map(line).concat());
    write("b.jsonl", ["d1", "d0"].map(line).concat());
    let answer = |id: &str, with: &str| {
        json!({"file": "a.jsonl", "dialog": id, "with": {"file": with}, "scheme": "preference",
            "question": "preference", "value": "b.jsonl", "by": "mk"})
    };
    judge(folder.path(), "mk", &[answer("d0", "b.jsonl"), answer("d1", "c.jsonl")]);
    let arguments =
        ["progress", "a.jsonl", "b.jsonl", "--scheme", "preference", "--format", "json"];
    let ran = run_in(folder.path(), &arguments, "");
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&object["dialogs"], &object["rows"][0]["done"]),
        (&2.into(), &1.into()),
        "{}",
        ran.err
    );
}

/// The logs beside a corpus have its dialogs again: no dialog counts twice, and none without a log is left out.
#[test]
fn dialogs_count_once_beside_their_logs() {
    let folder = corpus();
    let record = r#"{"edit":"cast_vote","dialog":"d1","turn":1,"annotator":"ann","breakdown":"X","file":"votes/d1.log.json"}"#;
    let ran = run_in(folder.path(), &["apply", "-", "a.json"], record);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let json = |arguments: &[&str]| -> Value {
        let ran = run_in(folder.path(), &[arguments, &["--format", "json"]].concat(), "");
        serde_json::from_str(&ran.out).unwrap()
    };
    let asked = ["votes", ".", "--scheme", "success", "--question", "verdict", "--draws", "0"];
    assert_eq!(json(&asked)["dialogs"], 4);
    for scheme in ["success", "breakdown"] {
        let found = json(&["progress", ".", "--scheme", scheme]);
        assert_eq!(found["dialogs"], 4, "{scheme}: {found}");
    }
}
