//! `turnwise apply`: records in, files out.

use std::fs;

use serde_json::json;
use turnwise::dialog::Edit;

use crate::support::{CORPUS, run, run_in, scratch};

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
    let record =
        |id: &str| json!({"edit": "set_text", "dialog": id, "turn": 0, "text": "new"}).to_string();
    let path = folder.path().join("data.json");
    for (text, id) in &files {
        fs::write(&path, text).unwrap();
        let others = if text == tasks { 0 } else { 9 };
        for count in [0, others] {
            let mut records = vec![record(id)];
            records.extend((0..count).map(|other| record(&format!("other-{other}"))));
            let ran = run_in(folder.path(), &["apply", "-", "data.json"], &records.join("\n"));
            let is_named = ran.err.contains("is in data.json more than once");
            assert!(ran.code == 1 && is_named, "{count} {text}: {ran:?}");
            assert_eq!(&fs::read_to_string(&path).unwrap(), text);
        }
        for files in [&["data.json"][..], &["data.json", "formats"]] {
            let ran = run_in(folder.path(), &[&["show", "-d", id][..], files].concat(), "");
            let is_named = ran.err.contains("several dialogs have the id");
            assert!(ran.out.is_empty() && is_named, "{text}: {ran:?}");
        }
    }
}

#[test]
fn help_lists_every_kind_of_edit_with_its_fields() {
    let help = run(&["apply", "--help"]).out;
    for kind in Edit::FIELDS {
        let line = help.lines().find(|line| line.trim_start().starts_with(kind.kind));
        let line = line.unwrap_or_else(|| panic!("{}: {help}", kind.kind));
        let fields: Vec<_> = line.split([' ', ',']).filter(|f| !f.is_empty()).skip(1).collect();
        let optional = kind.optional.iter().map(|name| format!("[{name}]"));
        let required = kind.required.iter().map(|name| (*name).to_owned());
        assert_eq!(fields, required.chain(optional).collect::<Vec<_>>(), "{}", kind.kind);
    }
}

/// A file's name may contain anything.
#[cfg(unix)]
#[test]
fn names_cannot_speak_to_the_terminal() {
    let folder = scratch();
    let name = "a\u{1b}[31m\u{202e}\n\"b\\é.json";
    fs::write(folder.path().join(name), CORPUS).unwrap();
    let fix = r#"{"edit":"set_span","dialog":"dlg-a","turn":0,"segment":0,"start":8,"end":17}"#;
    let plain = |text: &str| {
        let odd = |c: &char| *c != '\n' && c.is_control() || *c == '\u{202e}';
        text.chars().find(odd).is_none() && !text.lines().any(|line| line.starts_with('"'))
    };
    let nowhere = fix.replace("dlg-a", "dlg-\\u202e");
    let several = fix.replace("\"dlg-a\"", "0");
    let broken = format!("{CORPUS}]");
    for (more, records, code) in [
        (vec![name], nowhere.as_str(), 1),
        (vec![name, "--dry-run"], fix, 0),
        (vec![name, "--diff"], fix, 0),
        (vec![name, "c\n\"c.json"], &several, 1),
        (vec![name, "d\n\"d.json"], &several, 2),
        (vec!["e\u{1b}\n\"e.json"], &several, 2),
        (vec![name], fix, 0),
    ] {
        fs::write(folder.path().join("c\n\"c.json"), CORPUS).unwrap();
        fs::write(folder.path().join("d\n\"d.json"), &broken).unwrap();
        let mut arguments = vec!["apply", "-"];
        arguments.extend(&more);
        let ran = run_in(folder.path(), &arguments, records);
        assert_eq!(ran.code, code, "{more:?}: {ran:?}");
        assert!(plain(&ran.out) && plain(&ran.err), "{more:?}: {ran:?}");
    }
    for command in ["check", "show"] {
        for name in [name, "d\n\"d.json", "e\u{1b}\n\"e.json"] {
            let ran = run_in(folder.path(), &[command, name], "");
            assert!(plain(&ran.out) && plain(&ran.err), "{command}: {ran:?}");
        }
    }
    let back = fix.replace("17", "16");
    let ran = run_in(folder.path(), &["apply", "-", name, "--diff"], &back);
    fs::write(folder.path().join("fix.patch"), &ran.out).unwrap();
    let patched = std::process::Command::new("git")
        .args(["apply", "-p0", "--unsafe-paths", "fix.patch"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(patched.success(), "{}", ran.out);
    assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), CORPUS);
}
