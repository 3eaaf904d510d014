//! `turnwise score`: from logs and a detector's labels to the output of the challenge's script.

use std::fs;

use serde_json::{Value, json};

use super::logs::log;
use crate::support::{Ran, TempDir, project, run_in, scratch};

/// Labels for the turns with these numbers, each with its label and probabilities.
fn labels(id: &str, turns: &[(u32, &str, [f64; 3])]) -> String {
    let turn = |(index, label, [o, t, x]): &(u32, &str, [f64; 3])| {
        let label = json!({"breakdown": label, "prob-O": o, "prob-T": t, "prob-X": x});
        json!({"turn-index": index, "labels": [label]})
    };
    json!({"dialogue-id": id, "turns": turns.iter().map(turn).collect::<Value>()}).to_string()
}

/// One log with two judged turns, O and X, in `logs`.
fn one_log() -> TempDir {
    let folder = scratch();
    let text = log(
        "one",
        &[
            ("S", "hello", &[]),
            ("U", "hello", &[]),
            ("S", "yes", &[("a", "O"), ("b", "O")]),
            ("U", "what", &[]),
            ("S", "no", &[("a", "X"), ("b", "X")]),
        ],
    );
    fs::create_dir(folder.path().join("logs")).unwrap();
    fs::create_dir(folder.path().join("output")).unwrap();
    fs::write(folder.path().join("logs/one.log.json"), text).unwrap();
    folder
}

fn score(folder: &TempDir, arguments: &[&str]) -> Ran {
    run_in(folder.path(), &[&["score", "logs", "output"], arguments].concat(), "")
}

const GOOD: [(u32, &str, [f64; 3]); 2] = [(2, "O", [1.0, 0.0, 0.0]), (4, "X", [0.0, 0.0, 1.0])];

/// The figures are those that the script itself prints for two of the demo logs, one of which has a
/// label for a turn that nobody judged, so that the other labels shift by one.
#[test]
fn the_output_is_the_scripts_to_the_letter() {
    let folder = scratch();
    for (name, to) in [("log", "logs"), ("labels", "output")] {
        fs::create_dir_all(folder.path().join(to)).unwrap();
        for demo in ["demo_001", "demo_003"] {
            let file = format!("{demo}.{name}.json");
            let from = project("assets/demo/dbdc").join(&file);
            fs::copy(from, folder.path().join(to).join(&file)).unwrap();
        }
    }
    let ran = score(&folder, &["-t", "0.5"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, SCRIPT));
    assert!(ran.err.starts_with("turnwise: output/demo_003.labels.json: the label for turn 0"));
}

const SCRIPT: &str = "\
######### Data Stats #########
File Num : \t\t2
System Utterance Num : \t14
O Label Num : \t\t10
T Label Num : \t\t0
X Label Num : \t\t4

######### Results #########
Accuracy : \t\t0.857143 (12/14)

Precision (X) : \t1.000000 (3/3)
Recall    (X) : \t0.750000 (3/4)
F-measure (X) : \t0.857143

Precision (T+X) : \t1.000000 (4/4)
Recall    (T+X) : \t0.444444 (4/9)
F-measure (T+X) : \t0.615385

JS divergence (O,T,X) : \t0.059650
JS divergence (O,T+X) : \t0.048393
JS divergence (O+T,X) : \t0.043408

Mean squared error (O,T,X) : \t0.035065
Mean squared error (O,T+X) : \t0.053656
Mean squared error (O+T,X) : \t0.047931
###########################
";

#[test]
fn perfect_labels_have_no_error() {
    let folder = one_log();
    fs::write(folder.path().join("output/one.labels.json"), labels("one", &GOOD)).unwrap();
    let ran = score(&folder, &["--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((json["accuracy"].as_f64(), json["turns"].as_u64()), (Some(1.0), Some(2)));
    for grouping in ["O,T,X", "O,T+X", "O+T,X"] {
        assert_eq!(json["js_divergence"][grouping], 0.0);
        assert_eq!(json["mean_squared_error"][grouping], 0.0);
    }
    assert_eq!(json["undefined"], json!({}));
    // One file is compared with one file as well.
    let files = ["score", "logs/one.log.json", "output/one.labels.json", "--format", "json"];
    assert_eq!(run_in(folder.path(), &files, "").out, ran.out);
}

#[test]
fn an_undefined_score_has_its_reason() {
    let folder = one_log();
    let only_o = [(2, "O", [1.0, 0.0, 0.0]), (4, "O", [1.0, 0.0, 0.0])];
    fs::write(folder.path().join("output/one.labels.json"), labels("one", &only_o)).unwrap();
    let ran = score(&folder, &["--format", "json", "-t", "1"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(json["X"]["precision"].is_null());
    assert_eq!(json["X"]["recall"], 0.0);
    assert_eq!(json["undefined"]["X.precision"], "the detector gives no turn this label");
    let text = score(&folder, &[]);
    assert!(text.out.contains("Precision (X) : \t0.000000 (0/0)\n"), "{}", text.out);
}

/// The unjudged first turn has a label here, so that each goes with the turn before its own.
#[test]
fn labels_moved_to_other_turns_are_reported() {
    let folder = one_log();
    let shifted = [(0, "O", [1.0, 0.0, 0.0]), GOOD[0], GOOD[1]];
    fs::write(folder.path().join("output/one.labels.json"), labels("one", &shifted)).unwrap();
    let ran = score(&folder, &[]);
    assert_eq!(ran.code, 1);
    let said = "output/one.labels.json: the label for turn 0 was compared with turn 2, and 1 more label with a wrong turn;";
    assert!(ran.err.contains(said), "{}", ran.err);
    assert!(ran.out.contains("Accuracy : \t\t0.500000 (1/2)\n"), "{}", ran.out);
    let ran = score(&folder, &["--pair", "index"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("Accuracy : \t\t1.000000 (2/2)\n"), "{}", ran.out);
}

#[test]
fn labels_that_do_not_fit_are_refused() {
    let cases: [(&str, String, &str); 6] = [
        ("one.labels.json", labels("one", &GOOD[..1]), "2 turns judged, but only 1 labelled"),
        (
            "one.labels.json",
            labels("two", &GOOD),
            "no labels for dialog \"one\" in output; output/one.labels.json is for \"two\"",
        ),
        ("other.labels.json", labels("two", &GOOD), "no labels for dialog \"one\" in output"),
        (
            "one.labels.json",
            labels("one", &[GOOD[0], (4, "X", [0.0, -0.5, 1.0])]),
            "turn 4: the `prob-T` of its label should be a number, at least 0",
        ),
        (
            "one.labels.json",
            labels("one", &GOOD).replace("\"prob-X\"", "\"prob-Y\""),
            "turn 2: the `prob-X`",
        ),
        (
            "one.labels.json",
            "{\"dialogue-id\": \"one\", \"turns\": [".to_owned(),
            "output/one.labels.json:1:",
        ),
    ];
    for (name, text, expected) in cases {
        let folder = one_log();
        fs::write(folder.path().join("output").join(name), text).unwrap();
        let ran = score(&folder, &[]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{name} {expected}: {ran:?}");
        assert!(ran.err.contains(expected), "{expected}: {}", ran.err);
        assert!(ran.err.contains("nothing was scored"), "{}", ran.err);
    }
    let folder = one_log();
    let ran = run_in(folder.path(), &["score", "gone", "output"], "");
    assert!(ran.code == 2 && ran.err.contains("gone: cannot be opened"), "{ran:?}");
}

#[test]
fn of_several_labels_those_where_the_script_looks_count() {
    let folder = one_log();
    let output = folder.path().join("output");
    fs::create_dir(output.join("old")).unwrap();
    let wrong = [(2, "X", [0.0, 0.0, 1.0]), (4, "O", [1.0, 0.0, 0.0])];
    fs::write(output.join("old/one.labels.json"), labels("one", &wrong)).unwrap();
    fs::write(output.join("one.labels.json"), labels("one", &GOOD)).unwrap();
    let ran = score(&folder, &[]);
    assert!(ran.code == 0 && ran.out.contains("(2/2)"), "{ran:?}");
    fs::rename(output.join("one.labels.json"), output.join("new.labels.json")).unwrap();
    let ran = score(&folder, &[]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains(
            "labels for dialog \"one\" in output/new.labels.json and in output/old/one.labels.json"
        ),
        "{}",
        ran.err
    );
}

/// Sums of rounded numbers are a little over 1, and some write numbers as strings; the script
/// accepts both, and counts an unknown label as wrong.
#[test]
fn input_that_the_script_accepts_is_accepted_and_reported() {
    let folder = one_log();
    let text = labels("one", &[(2, "?", [1.0, 0.0, 0.0]), (4, "X", [0.0, 0.0, 1.000_000_1])]);
    let text = text.replace("\"prob-O\":1.0", "\"prob-O\":\"1.0\"");
    fs::write(folder.path().join("output/one.labels.json"), text).unwrap();
    let ran = score(&folder, &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("O Label Num : \t\t0\n"), "{}", ran.out);
    assert!(ran.out.contains("Accuracy : \t\t0.500000 (1/2)\n"), "{}", ran.out);
    for said in ["found \"?\"", "found \"1.0\"", "found 1.0000001"] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
}
