//! `turnwise export labels`: votes in, a detector's output out, which the challenge's script reads.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::logs::log;
use crate::support::{Ran, TempDir, project, run, run_in, scratch};

/// Two logs: everybody has judged everything in one, `b` not in the other, `c` in none.
fn two_logs() -> TempDir {
    let folder = scratch();
    let one = log(
        "one",
        &[
            ("S", "hello", &[]),
            ("U", "hello", &[]),
            ("S", "yes", &[("a", "O"), ("b", "X"), ("", "X"), ("a2", "X")]),
            ("S", "no", &[("a", "T"), ("b", "X")]),
        ],
    );
    let two = log("two", &[("S", "hi", &[("a", "O"), ("b", "O")]), ("S", "yes", &[("a", "X")])]);
    fs::create_dir(folder.path().join("logs")).unwrap();
    fs::write(folder.path().join("logs/1.log.json"), one).unwrap();
    fs::write(folder.path().join("logs/2.log.json"), two).unwrap();
    folder
}

fn export(folder: &TempDir, arguments: &[&str]) -> Ran {
    let all = [&["export", "labels", "logs", "-o", "output"], arguments].concat();
    run_in(folder.path(), &all, "")
}

fn read(folder: &TempDir, name: &str) -> Value {
    let text = fs::read_to_string(folder.path().join("output").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).map(|entries| entries.map(Result::unwrap).collect());
    let entries: Vec<fs::DirEntry> = entries.unwrap_or_default();
    let mut names: Vec<_> = entries.iter().map(|e| e.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_crowds_labels_are_majorities_and_shares() {
    let folder = two_logs();
    let ran = export(&folder, &["--annotator", "crowd"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, "output: 2 files written\n");
    let expected = serde_json::json!({
        "dialogue-id": "one",
        "turns": [
            {"turn-index": 2, "labels": [{"breakdown": "X", "prob-O": 0.25, "prob-T": 0.0, "prob-X": 0.75}]},
            {"turn-index": 3, "labels": [{"breakdown": "T", "prob-O": 0.0, "prob-T": 0.5, "prob-X": 0.5}]},
        ],
    });
    assert_eq!(read(&folder, "one.labels.json"), expected);
    let ran = export(&folder, &["--annotator", "crowd", "-t", "0.6", "--overwrite"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(read(&folder, "one.labels.json")["turns"][1]["labels"][0]["breakdown"], "O");
}

/// The exported file is output of a detector that is never wrong.
#[test]
fn the_crowd_scores_perfectly() {
    let folder = scratch();
    let logs = project("assets/demo/dbdc");
    let logs = logs.to_str().unwrap();
    let output = folder.path().join("output");
    let output = output.to_str().unwrap();
    for threshold in ["0", "0.5"] {
        let flags = ["--annotator", "crowd", "-t", threshold, "--overwrite"];
        let ran = run(&[&["export", "labels", logs, "-o", output], &flags[..]].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
        let ran = run(&["score", logs, output, "-t", threshold, "--format", "json"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let score: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(score["accuracy"], 1.0);
        assert_eq!(score["js_divergence"]["O,T,X"], 0.0);
        assert_eq!(score["mean_squared_error"]["O+T,X"], 0.0);
    }
    let ran = run(&["check", output, "--format", "json"]);
    let reports: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &reports[0]["family"]), (0, &"dbdc-labels".into()));
}

#[test]
fn an_annotator_is_sure_of_each_label() {
    let folder = two_logs();
    let ran = export(&folder, &["--annotator", "a"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let labels = read(&folder, "two.labels.json");
    let label = |turn: usize| &labels["turns"][turn]["labels"][0];
    assert_eq!((&label(0)["breakdown"], &label(0)["prob-O"]), (&"O".into(), &1.0.into()));
    assert_eq!((&label(1)["breakdown"], &label(1)["prob-O"]), (&"X".into(), &0.0.into()));
}

/// The script takes labels in their order, and would compare the rest with wrong turns.
#[test]
fn a_dialog_that_is_not_judged_in_whole_is_left_out() {
    let folder = two_logs();
    let ran = export(&folder, &["--annotator", "b"]);
    assert_eq!(ran.code, 1);
    let why = "logs/2.log.json: dialog \"two\": \"b\" has no vote on turn 1, which others judged";
    assert!(ran.err.contains(why), "{}", ran.err);
    assert_eq!(names(&folder.path().join("output")), ["one.labels.json"]);
    let ran = export(&folder, &["--annotator", "c"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("\"c\" has no vote in these files"), "{}", ran.err);
}

#[test]
fn nothing_is_replaced_unasked() {
    let folder = two_logs();
    assert_eq!(export(&folder, &["--annotator", "a"]).code, 0);
    // Exporting the same again changes nothing and succeeds.
    assert_eq!(export(&folder, &["--annotator", "a"]).code, 0);
    let path = folder.path().join("output/one.labels.json");
    fs::write(&path, "of a detector").unwrap();
    let ran = export(&folder, &["--annotator", "a"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("output/one.labels.json: the file exists; use --overwrite"),
        "{ran:?}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "of a detector");
    assert_eq!(export(&folder, &["--annotator", "a", "--overwrite"]).code, 0);
    assert!(fs::read_to_string(&path).unwrap().starts_with("{\n"));
    assert_eq!(names(&folder.path().join("output")).len(), 2);
}

#[test]
fn ids_that_name_no_file_of_their_own_are_refused() {
    let (long, wide, longest) = ("a".repeat(300), "é".repeat(122), "a".repeat(243));
    for id in ["../one", "a/b", "", ".hidden", "a\\b", "a\u{1b}b", &long, &wide] {
        let folder = two_logs();
        let text = log(id, &[("S", "hi", &[("a", "O")])]);
        fs::write(folder.path().join("logs/3.log.json"), text).unwrap();
        let ran = export(&folder, &["--annotator", "a"]);
        assert_eq!(ran.code, 2, "{id:?}: {ran:?}");
        assert!(ran.err.contains("its id cannot be a file name"), "{}", ran.err);
        assert_eq!(names(&folder.path().join("output")), [""; 0], "{id:?}");
    }
    let folder = two_logs();
    let text = log(&longest, &[("S", "hi", &[("a", "O")])]);
    fs::write(folder.path().join("logs/3.log.json"), text).unwrap();
    let ran = export(&folder, &["--annotator", "a"]);
    assert_eq!(ran.out, "output: 3 files written\n", "{ran:?}");
    let folder = two_logs();
    let text = log("two", &[("S", "hi", &[("a", "O")])]);
    fs::write(folder.path().join("logs/3.log.json"), text).unwrap();
    let ran = export(&folder, &["--annotator", "crowd"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("logs/2.log.json also has a dialog with this id"), "{}", ran.err);
}

/// A new file is as private as the user's other files, whatever the logs are.
#[cfg(unix)]
#[test]
fn a_read_only_log_makes_no_read_only_labels() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = two_logs();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let log = folder.path().join("logs/1.log.json");
    let usual = mode(&log);
    fs::set_permissions(&log, fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(export(&folder, &["--annotator", "crowd"]).code, 0);
    assert_eq!(mode(&folder.path().join("output/one.labels.json")), usual);
}
