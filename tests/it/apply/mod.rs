//! `turnwise apply`: records in, files out.

mod reports;

use std::fs;
use std::path::Path;

use crate::support::{Ran, run_in, scratch};

const FIX: &str = r#"{"edit":"set_span","dialog":"dlg-a","turn":0,"segment":0,"start":8,"end":17}"#;

fn apply(folder: &Path, records: &str, more: &[&str]) -> Ran {
    let mut arguments = vec!["apply", "-", "data.json"];
    arguments.extend(more);
    run_in(folder, &arguments, records)
}

fn saved(folder: &Path) -> String {
    fs::read_to_string(folder.join("data.json")).unwrap()
}

/// However the two write it, whatever holds the dialogs, and however many other ids the records name.
#[test]
fn an_id_that_two_dialogs_share_is_not_enough() {
    let folder = scratch();
    fs::create_dir(folder.path().join("formats")).unwrap();
    for (name, id) in [("keyed", "@key"), ("named", "name")] {
        let description = format!(
            "name = \"{name}\"\nid = \"{id}\"\nhas = [\"{name}[*].say\"]\n[turn]\nat = \"{name}[*]\"\ntext = \"say\"\n"
        );
        fs::write(folder.path().join(format!("formats/{name}.toml")), description).unwrap();
    }
    // A dialog of each shape, with its id in place of `I`.
    let shapes = [
        r#"{"conversation_id": "I", "vertical": "v", "utterances": [{"index": 0, "speaker": "user", "text": "T"}]}"#,
        r#"{"id": "I", "messages": [{"role": "user", "content": "T"}]}"#,
        r#"{"name": "I", "named": [{"say": "T"}]}"#,
        r#""I": {"keyed": [{"say": "T"}]}"#,
    ];
    // What is before, between and behind the dialogs.
    let array = ["[", ",\n", "]"];
    let (lines, keyed) = (["", "\n", ""], ["{", ",\n", "}"]);
    let mut files = Vec::new();
    for shape in shapes {
        for (one, other, id) in [
            (r"d\u00e9", "dé", "dé"),
            (r"a\/b", "a/b", "a/b"),
            (r"A\u0061", "Aa", "Aa"),
            (r"\ud83d\ude00", "😀", "😀"),
            (r"\ud800", r"\ufffd", "\u{fffd}"),
        ] {
            for (one, other) in [(one, other), (other, one)] {
                let mut ids = vec![one.to_owned()];
                ids.extend((0..9).map(|other| format!("other-{other}")));
                ids.push(other.to_owned());
                let dialogs: Vec<_> = ids.iter().map(|id| shape.replace('I', id)).collect();
                let is_keyed = shape.starts_with('"');
                let forms = if is_keyed { vec![keyed] } else { vec![array, lines] };
                for [before, between, behind] in forms {
                    let text = format!("{before}{}{behind}", dialogs.join(between));
                    files.push((text, id));
                }
            }
        }
    }
    // A task's id and the number of its trial are the id together.
    let tasks = r#"[{"id": "a-1", "messages": [{"role": "user", "content": "T"}]},
{"task_id": "a", "trial": 1, "messages": [{"role": "user", "content": "T"}]}]"#;
    files.push((tasks.to_owned(), "a-1"));
    let record = |id: &str| {
        serde_json::json!({"edit": "set_text", "dialog": id, "turn": 0, "text": "new"}).to_string()
    };
    for (text, id) in &files {
        fs::write(folder.path().join("data.json"), text).unwrap();
        let others = if text == tasks { 0 } else { 9 };
        for count in [0, others] {
            let mut records = vec![record(id)];
            records.extend((0..count).map(|other| record(&format!("other-{other}"))));
            let ran = apply(folder.path(), &records.join("\n"), &[]);
            let is_named = ran.err.contains("is in data.json more than once");
            assert!(ran.code == 1 && is_named, "{count} {text}: {ran:?}");
            assert_eq!(&saved(folder.path()), text);
        }
        for files in [&["data.json"][..], &["data.json", "formats"]] {
            let ran = run_in(folder.path(), &[&["show", "-d", id][..], files].concat(), "");
            let is_named = ran.err.contains("several dialogs have the id");
            assert!(ran.out.is_empty() && is_named, "{text}: {ran:?}");
        }
    }
}
