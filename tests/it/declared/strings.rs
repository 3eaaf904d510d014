//! Dialogs, and turns, that are JSON in strings.

use std::fs;
use std::path::Path;

use crate::support::{Ran, TempDir, run_in, scratch};

/// Two dialogs whose turns are JSON in a string, with escapes of both kinds in them.
const TALKS: &str = r#"[{"id": "a", "talk": "[{\"who\": \"user\", \"says\": \"Is the caf\\u00e9 open?\"}, {\"who\": \"clerk\", \"says\": \"It is \\\"open\\\".\"}]", "stars": 4},
 {"id": "b", "talk": "[{\"who\": \"user\", \"says\": \"And the m\u00fcll?\"}, {\"who\": \"clerk\", \"says\": \"Closed today.\"}]", "stars": 2}]
"#;

const DESCRIPTION: &str = r#"
name = "talks"
has = ["talk[*].says"]
json = ["talk"]
id = "id"
[turn]
at = "talk[*]"
speaker = "who"
user = ["user"]
system = ["clerk"]
text = "says"
"#;

fn project(description: &str) -> TempDir {
    let folder = scratch();
    fs::write(folder.path().join("talks.json"), TALKS).unwrap();
    fs::create_dir(folder.path().join("formats")).unwrap();
    fs::write(folder.path().join("formats/talks.toml"), description).unwrap();
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> Ran {
    run_in(folder.path(), arguments, "")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path.join("talks.json")).unwrap()
}

#[test]
fn turns_in_a_string_are_read_and_found() {
    let folder = project(DESCRIPTION);
    let ran = run(&folder, &["check", "talks.json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = run(&folder, &["show", "talks.json"]);
    for line in ["user      Is the café open?", r#"clerk     It is "open"."#, "stars  4"] {
        assert!(ran.out.contains(line), "{line}: {}", ran.out);
    }
    for (query, ids) in [("café", "a\n"), ("speaker:clerk \"open\"", "a\n"), ("müll", "b\n")] {
        let ran = run(&folder, &["find", query, "talks.json", "--format", "ids"]);
        assert_eq!(ran.out, ids, "{query}");
    }
    // A place in the file, for people.
    let text = TALKS.replace("Closed today.", "");
    fs::write(folder.path().join("talks.json"), &text).unwrap();
    let ran = run(&folder, &["lint", "talks.json", "--select", "empty-utterance"]);
    let at = text.lines().nth(1).unwrap().rfind(r#"{\"who\""#).unwrap() + 1;
    let place = format!("talks.json:2:{at}: ");
    assert!(ran.out.contains(&place), "{place} {}", ran.out);
}

#[test]
fn edits_change_the_bytes_inside_the_string() {
    for (edit, from, to) in [
        (
            r#"{"edit":"set_text","dialog":"a","turn":0,"text":"Is the café by the \"sea\" open?"}"#,
            r"caf\\u00e9 open",
            r#"caf\\u00e9 by the \\\"sea\\\" open"#,
        ),
        (
            r#"{"edit":"set_text","dialog":"b","turn":0,"text":"And the früh?"}"#,
            r"m\u00fcll",
            r"fr\u00fch",
        ),
        (
            r#"{"edit":"set_speaker","dialog":"b","turn":1,"speaker":"boss"}"#,
            r#"clerk\", \"says\": \"Closed"#,
            r#"boss\", \"says\": \"Closed"#,
        ),
        (
            r#"{"edit":"remove_turn","dialog":"a","turn":1}"#,
            r#", {\"who\": \"clerk\", \"says\": \"It is \\\"open\\\".\"}"#,
            "",
        ),
        (
            r#"{"edit":"add_turn","dialog":"b","turn":2,"speaker":"user","text":"Oh."}"#,
            r#"Closed today.\"}"#,
            r#"Closed today.\"}, {\"who\": \"user\", \"says\": \"Oh.\"}"#,
        ),
    ] {
        let folder = project(DESCRIPTION);
        let ran = run_in(folder.path(), &["apply", "-", "talks.json"], edit);
        assert_eq!(ran.code, 0, "{edit} {ran:?}");
        assert_eq!(read(folder.path()), TALKS.replacen(from, to, 1), "{edit}");
    }
}

/// Several edits of one dialog, and their inverse.
#[test]
fn edits_inside_a_string_are_taken_back() {
    let folder = project(DESCRIPTION);
    fs::write(folder.path().join("new.json"), TALKS).unwrap();
    let edits = r#"{"edit":"remove_turn","dialog":"a","turn":1}
{"edit":"set_text","dialog":"a","turn":0,"text":"Open?"}
{"edit":"add_turn","dialog":"a","turn":1,"speaker":"clerk","text":"No."}
"#;
    let ran = run_in(folder.path(), &["apply", "-", "new.json"], edits);
    assert_eq!(ran.code, 0, "{ran:?}");
    let back = run(&folder, &["diff", "new.json", "talks.json", "--format", "jsonl"]).out;
    let ran = run_in(folder.path(), &["apply", "-", "new.json"], &back);
    assert_eq!(ran.code, 0, "{back} {ran:?}");
    let said =
        |name: &str| run(&folder, &["export", "tables", name, "-o", "t", "--overwrite"]).code;
    assert_eq!((said("new.json"), said("talks.json")), (0, 0));
    assert_eq!(run(&folder, &["diff", "new.json", "talks.json"]).code, 0);
}

#[test]
fn a_string_that_is_not_json_is_an_issue() {
    let folder = project(DESCRIPTION);
    fs::write(folder.path().join("talks.json"), TALKS.replacen("Closed today.\\\"}", "", 1))
        .unwrap();
    let ran = run(&folder, &["check", "talks.json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("`talk` should be an array, found "), "{ran:?}");
}

#[test]
fn a_string_in_a_string_is_not_opened() {
    let inner = DESCRIPTION.replacen("[\"talk\"]", "[\"talk\", \"talk[0].says\"]", 1);
    let ran = run(&project(&inner), &["formats", "check", "formats/talks.toml"]);
    assert!(
        ran.code == 2
            && ran
                .err
                .contains(":4:18: a string inside of another one that is opened stays a string"),
        "{ran:?}"
    );
}

#[test]
fn drafts_open_strings() {
    let whole = r#"["{\"turns\": [\"Is it open today?\", \"It is open today.\"], \"n\": 1}", "{\"turns\": [\"And now?\", \"Now it is closed.\"], \"n\": 2}"]"#;
    for (text, line) in [(TALKS, "json = [\"talk\"]"), (whole, "json = [\".\"]")] {
        let folder = scratch();
        fs::write(folder.path().join("talks.json"), text).unwrap();
        fs::create_dir(folder.path().join("formats")).unwrap();
        let ran = run(&folder, &["formats", "new", "talks.json", "-o", "formats/talks.toml"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        let draft = fs::read_to_string(folder.path().join("formats/talks.toml")).unwrap();
        assert!(draft.contains(line), "{draft}");
        let ran = run(&folder, &["check", "talks.json", "--format", "json"]);
        assert!(ran.code == 0 && ran.out.replace(' ', "").contains("\"turns\":4"), "{ran:?}");
        let ran = run(&folder, &["formats", "check", "formats/talks.toml", "talks.json"]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
}
