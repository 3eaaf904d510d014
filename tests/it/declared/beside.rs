//! Calls, acts, segments and judgements in lists beside the turns, whose elements name these.

use std::fs;

use serde_json::Value;

use crate::support::{TempDir, run_in, scratch};

const TALKS: &str = r#"[{"id": "a",
  "talk": [{"m": "m1", "who": "user", "says": "Is it open in Bergen?"}, {"m": "m2", "who": "bot", "says": "It is."}, {"m": "m3", "who": "user", "says": "Bye."}],
  "calls": [{"for": "m2", "fn": "hours", "with": {"town": "Bergen"}, "got": "9-18", "ms": 12}, {"for": "m9", "fn": "lost", "with": {}}, {"for": "m2", "fn": "log", "with": {}}],
  "acts": [{"for": "m1", "act": "ask", "slot": "hours"}, {"for": "m3", "act": "bye"}],
  "marks": [{"for": "m1", "from": 14, "to": 20, "is": "town"}],
  "stars": [{"for": "m2", "n": 4}, {"for": "m2", "n": 9}]}]
"#;

const DESCRIPTION: &str = r#"
name = "beside"
has = ["talk[*].says", "calls"]
id = "id"
[turn]
at = "talk[*]"
speaker = "who"
user = ["user"]
system = ["bot"]
text = "says"
[call]
at = "^.calls[for=m]"
name = "fn"
arguments = "with"
response = "got"
[[act]]
at = "^.acts[for=m]"
name = "act"
slot = "slot"
[[span]]
at = "^.marks[for=m]"
start = "from"
end = "to"
label = "is"
[[vote]]
at = "^.stars[for=m].n"
scale = [1, 2, 3, 4, 5]
"#;

fn project() -> TempDir {
    let folder = scratch();
    fs::write(folder.path().join("talks.json"), TALKS).unwrap();
    fs::create_dir(folder.path().join("formats")).unwrap();
    fs::write(folder.path().join("formats/beside.toml"), DESCRIPTION).unwrap();
    folder
}

#[test]
fn what_names_a_turn_is_of_that_turn() {
    let folder = project();
    let run = |arguments: &[&str]| run_in(folder.path(), arguments, "");
    let shown = run(&["show", "talks.json"]).out;
    let place = |text: &str| shown.find(text).unwrap_or_else(|| panic!("{text}: {shown}"));
    let (first, second, third) = (place("0  user"), place("1  bot"), place("2  user"));
    for (text, after, before) in [
        ("ask hours", first, second),
        ("town", first, second),
        ("↳ hours(town=Bergen)", second, third),
        ("→ got=9-18", second, third),
        ("↳ log()", second, third),
        ("stars[0].n  4", second, third),
    ] {
        assert!((after..before).contains(&place(text)), "{text}: {shown}");
    }
    assert!(place("bye") > third, "{shown}");
    let ran = run(&["check", "talks.json", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let counts = ["turns", "calls", "acts", "segments"].map(|key| report[0][key].as_u64());
    assert_eq!(counts, [Some(3), Some(2), Some(2), Some(1)]);
    // The call that names no turn, and the stars off the scale.
    assert_eq!(report[0]["not_read"]["calls"], 1, "{report}");
    assert!(ran.out.contains("a value of its scale"), "{ran:?}");
}

#[test]
fn elements_beside_the_turns_are_edited() {
    for (edit, from, to) in [
        (
            r#"{"edit":"set_span","dialog":"a","turn":0,"segment":0,"start":11,"end":20}"#,
            r#""from": 14"#,
            r#""from": 11"#,
        ),
        (
            r#"{"edit":"set_text","dialog":"a","turn":0,"text":"Open in Bergen?"}"#,
            r#"Is it open in Bergen?"}"#,
            r#"Open in Bergen?"}"#,
        ),
        (
            r#"{"edit":"remove_segment","dialog":"a","turn":0,"segment":0}"#,
            r#"{"for": "m1", "from": 14, "to": 20, "is": "town"}"#,
            "",
        ),
        (
            r#"{"edit":"add_segment","dialog":"a","turn":2,"start":0,"end":3,"labels":["end"]}"#,
            r#""is": "town"}"#,
            r#""is": "town"}, {"for": "m3", "from": 0, "to": 3, "is": "end"}"#,
        ),
        (
            r#"{"edit":"add_act","dialog":"a","turn":1,"name":"tell","slots":[{"slot":"hours"}]}"#,
            r#""act": "bye"}"#,
            r#""act": "bye"}, {"for": "m2", "act": "tell", "slot": "hours"}"#,
        ),
        // An element behind it that is not read has another position then.
        (
            r#"{"edit":"remove_call","dialog":"a","turn":1,"call":0}"#,
            r#"{"for": "m2", "fn": "hours", "with": {"town": "Bergen"}, "got": "9-18", "ms": 12}, "#,
            "",
        ),
    ] {
        let folder = project();
        let ran = run_in(folder.path(), &["apply", "-", "talks.json"], edit);
        assert_eq!(ran.code, 0, "{edit} {ran:?}");
        let meant = TALKS.replacen(from, to, 1);
        let meant = if edit.contains("set_text") {
            meant.replacen(r#""from": 14, "to": 20"#, r#""from": 8, "to": 14"#, 1)
        } else {
            meant
        };
        let saved = fs::read_to_string(folder.path().join("talks.json")).unwrap();
        assert_eq!(saved, meant, "{edit}");
    }
}

#[test]
fn a_sample_with_lists_beside_its_turns_passes_its_check() {
    let folder = project();
    let sample = r#"{"id": "a", "talk": [{"m": 1, "who": "user", "says": "Bergen?"}, {"m": 2, "who": "bot", "says": "It is."}],
  "calls": [{"for": 2, "fn": "hours", "with": {"town": "Bergen"}, "got": "9-18"}],
  "acts": [{"for": 1, "act": "ask", "slot": "hours"}], "marks": [{"for": 1, "from": 0, "to": 6, "is": "town"}], "stars": [{"for": 2, "n": 4}]}"#;
    let description =
        DESCRIPTION.replacen("[turn]", &format!("sample = '''\n{sample}\n'''\n[turn]"), 1);
    fs::write(folder.path().join("formats/beside.toml"), description).unwrap();
    let ran = run_in(folder.path(), &["formats", "check", "formats/beside.toml"], "");
    assert_eq!(ran.code, 0, "{ran:?}");
}
