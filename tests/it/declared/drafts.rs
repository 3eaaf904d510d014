//! Drafts of descriptions: what they read in real files, what they say, and which files they refuse.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use turnwise::dialog::Turn;
use turnwise::format::Family;
use turnwise::format::declared::draft;

use super::{declared, read_any};
use crate::support::files::{open, own, own_files};
use crate::support::{run_in, scratch};

#[test]
fn deep_and_wide_files_are_drafted() {
    let folder = scratch();
    let turns = r#""talk": [{"who": "user", "says": "Is it open?"}, {"who": "system", "says": "Yes, it is open."}]"#;
    let deep = 200_000;
    let nested = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    let objects = format!("{}1{}", r#"{"a":"#.repeat(deep), "}".repeat(deep));
    let wide: Vec<_> =
        (0..5_000).map(|n| format!(r#""m{n}": ["one of them", "and another"]"#)).collect();
    for more in [format!(r#""deep": {nested}"#), format!(r#""deep": {objects}"#), wide.join(", ")] {
        fs::write(folder.path().join("c.json"), format!("[{{{turns}, {more}}}]")).unwrap();
        let ran = run_in(folder.path(), &["formats", "new", "c.json"], "");
        let is_drafted = ran.code == 0 && ran.out.contains("at = \"talk[*]\"");
        assert!(is_drafted, "{:.300} {:.300}", ran.err, ran.out);
    }
}

/// Dialogs of a file that are compared.
const COMPARED: usize = 30;

#[test]
fn drafts_read_the_demo_as_its_families_do() {
    let mut families = BTreeSet::new();
    for path in own_files().iter().filter(|path| path.starts_with(own("assets/demo"))) {
        let file = open(fs::read(path).unwrap());
        let Some(format) = file.format().filter(|format| format.name() != "dbdc-labels") else {
            continue;
        };
        let name = path.display();
        let text = fs::read_to_string(path).unwrap();
        let drafted = draft(&text, "own").unwrap_or_else(|why| panic!("{name}: {why}"));
        let texts = |format: &'static Family| -> Vec<String> {
            let pieces = 0..file.index().pieces.len().min(COMPARED);
            let turns =
                pieces.flat_map(|position| read_any(format, &file.text(position).unwrap()).turns);
            // Answers and calls of chats are not the texts of their turns.
            let is_utterance = |turn: &Turn| {
                let name = turn.speaker.name.as_str();
                !turn.text.is_empty() && !["tool", "observation", "function_call"].contains(&name)
            };
            turns.filter(is_utterance).map(|turn| turn.text).collect()
        };
        assert_eq!(texts(declared(&drafted.toml)), texts(format), "{name}");
        families.insert(format.name());
    }
    assert!(families.len() >= 11, "{families:?}");
}

/// A draft is recognized, or there is none.
#[test]
fn files_with_odd_keys_have_a_draft_that_fits_or_none() {
    let folder = scratch();
    for key in ["", "a\"b", "a'b", "a|b", "a.b", "x y", "@index", "{*}", "[0]", "^", "\\", "\n"] {
        let turn = |at: usize| {
            let speaker = if at.is_multiple_of(2) { "user" } else { "system" };
            serde_json::json!({"text": format!("word {at}"), "speaker": speaker})
        };
        let turns: Vec<_> = (0..4).map(turn).collect();
        for member in ["turns", "text", "speaker"] {
            let text = serde_json::json!([{"id": "d", "turns": turns}]).to_string();
            let quoted = |key: &str| format!("{}:", Value::from(key));
            let text = text.replace(&quoted(member), &quoted(key));
            fs::write(folder.path().join("data.json"), text).unwrap();
            let _ = fs::remove_file(folder.path().join("own.toml"));
            let ran = run_in(folder.path(), &["formats", "new", "data.json", "-o", "own.toml"], "");
            if ran.code == 2 {
                assert!(ran.err.starts_with("turnwise: data.json: "), "{key:?}: {ran:?}");
                continue;
            }
            let ran = run_in(folder.path(), &["formats", "check", "own.toml", "data.json"], "");
            assert!(
                ran.code < 2 && ran.out.contains("data.json: "),
                "{key:?} for {member}: {ran:?}"
            );
        }
    }
}
