//! Output of commands on a terminal: hostile data is shown with marks, and the terminal obeys none of it.

use std::fs;

use serde_json::{Value, json};

use super::harness::outcome;
use super::setup::Setup;
use crate::support::hostile::{self, HOSTILE, is_obeyed, raw};

/// Escape sequences of our own: the styles of printed text.
const STYLES: &[&str] = &[
    "\u{1b}[0m",
    "\u{1b}[1m",
    "\u{1b}[2m",
    "\u{1b}[31m",
    "\u{1b}[32m",
    "\u{1b}[34m",
    "\u{1b}[35m",
    "\u{1b}[36m",
];

/// A command line. `CORPUS` and `LOG` are files of hostile data under hostile names.
const LINES: &[&str] = &[
    "check CORPUS LOG",
    "check CORPUS LOG --format json",
    "lint CORPUS LOG --extend-select all",
    "lint CORPUS LOG --extend-select all --format json",
    "lint CORPUS LOG --extend-select all --format jsonl",
    "lint CORPUS LOG --extend-select all --format github",
    "lint CORPUS LOG --extend-select all --format sarif",
    "lint CORPUS LOG --statistics",
    "fix CORPUS LOG --diff --unsafe-fixes",
    "fix CORPUS LOG --diff=unified --unsafe-fixes",
    "fix CORPUS LOG --dry-run --unsafe-fixes",
    "apply edits.jsonl CORPUS --diff",
    "apply edits.jsonl CORPUS --diff=unified",
    "apply edits.jsonl CORPUS --dry-run",
    "apply bad.jsonl CORPUS",
    "show CORPUS",
    "show LOG",
    "show CORPUS LOG",
    "votes LOG",
    "votes LOG --format json",
    "votes LOG --format csv",
    "votes LOG --by file",
    "votes LOG --by dialog",
    "votes LOG --by dialog --format csv",
    "votes LOG --by annotator",
    "votes LOG --by annotator --format json",
    "votes LOG --by annotator --format csv",
    "votes LOG --by system",
    "votes LOG --by system --format csv",
    "votes LOG --confusion NAME b",
    "votes LOG --confusion b NAME",
    "votes LOG --confusion NAME b --format csv",
    "votes merge LOG other.json -o out",
    "score LOG labels",
    "export labels LOG --annotator NAME -o out",
    "rules NAME",
    "schema NAME",
    "keys --keymap NAME",
    "keys",
    "config",
];

fn on_terminal(line: &str, variables: &[(&'static str, &'static str)]) -> (String, String, String) {
    let mut setup = Setup::new().auto_theme().size(200, 50);
    for (name, value) in variables {
        setup = setup.variable(name, value);
    }
    let [corpus, log] = hostile::write(setup.folder.path());
    let mut other = hostile::log();
    other["turns"][1]["annotations"][0]["breakdown"] = "X".into();
    other["turns"][1]["annotations"][0]["comment"] = format!("{HOSTILE}!").into();
    fs::write(setup.path("other.json"), raw(&other)).unwrap();
    let edit =
        |turn: usize| json!({"edit": "set_text", "dialog": 0, "turn": turn, "text": HOSTILE});
    fs::write(setup.path("edits.jsonl"), edit(1).to_string()).unwrap();
    let mut bad: Value = edit(9);
    bad["dialog"] = HOSTILE.into();
    fs::write(setup.path("bad.jsonl"), bad.to_string()).unwrap();
    fs::create_dir(setup.path("labels")).unwrap();
    // An argument of a process has no NUL, and neither has the id that is asked for then.
    let name = HOSTILE.replace('\0', "");
    let text = fs::read_to_string(setup.path(&log)).unwrap();
    let text = text.replacen("\"annotator-id\": \"a\\u0000b", "\"annotator-id\": \"ab", 1);
    fs::write(setup.path(&log), text).unwrap();
    let settings = setup.path(".config/turnwise");
    fs::create_dir_all(&settings).unwrap();
    let quoted = serde_json::to_string(&HOSTILE.replace('\u{7f}', "")).unwrap();
    let quoted =
        format!("annotator = {quoted}\nkeymap = {quoted}\nvotes = {quoted}\n{quoted} = 1\n");
    fs::write(settings.join("settings.toml"), &quoted).unwrap();
    fs::write(settings.join("keys.toml"), &quoted).unwrap();
    for word in line.split(' ') {
        let word = match word {
            "CORPUS" => &corpus,
            "LOG" => &log,
            "NAME" => &name,
            other => other,
        };
        setup = setup.argument(word);
    }
    // Standard error is checked separately: a progress bar would be there too.
    let mut terminal = setup.script("exec \"$0\" \"$@\" 2>errors").start();
    let status = outcome(terminal.ends());
    let bytes = terminal.bytes();
    let errors = fs::read(terminal.folder().join("errors")).unwrap();
    (
        status,
        String::from_utf8(bytes).unwrap(),
        String::from_utf8(errors).unwrap(),
    )
}

/// `text` without our own styles and line ends.
fn without_styles(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    STYLES
        .iter()
        .fold(text, |text, style| text.replace(style, ""))
}

#[test]
fn no_control_character_of_the_data_reaches_a_terminal() {
    let raw = |char: char| char != '\n' && is_obeyed(char);
    for line in LINES {
        for variables in [&[][..], &[("NO_COLOR", "1")]] {
            let (status, out, errors) = on_terminal(line, variables);
            assert!(
                ["exit 0", "exit 1", "exit 2"].contains(&&*status),
                "{line}: {status}"
            );
            let plain = without_styles(&out);
            assert!(!plain.contains(raw), "{line}: {plain:?}");
            assert!(!errors.contains(raw), "{line}: {errors:?}");
            assert!(!plain.is_empty() || !errors.is_empty(), "{line}");
            if !variables.is_empty() {
                assert!(!out.contains('\u{1b}'), "{line}: {out:?}");
            }
        }
    }
}

/// They are not left out either: each has its mark, also where there are no colours.
#[test]
fn controls_have_marks_on_a_terminal() {
    for line in [
        "check CORPUS LOG",
        "lint CORPUS LOG --extend-select all --format github",
        "fix CORPUS --diff",
        "apply edits.jsonl CORPUS --diff",
        "apply edits.jsonl CORPUS --diff=unified",
        "show CORPUS",
        "votes LOG --by annotator",
        "votes LOG --by annotator --format csv",
        "votes LOG --confusion b NAME",
        "config",
    ] {
        for variables in [&[][..], &[("NO_COLOR", "1")]] {
            let (_, out, _) = on_terminal(line, variables);
            for mark in ["⟨U+202E⟩", "⟨U+0085⟩"] {
                assert!(out.contains(mark), "{line}: {mark}: {out:?}");
            }
        }
    }
}
