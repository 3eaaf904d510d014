//! `fix -` and `apply EDITS -`: standard input in, the changed text out, and nothing else changed.

use std::fs;

use super::{padded, records};
use crate::support::{CORPUS, Ran, TempDir, project, run_in, scratch};

const FIX: &str = r#"{"edit":"set_span","dialog":"dlg-a","turn":0,"segment":0,"start":8,"end":17}"#;

fn folder(edits: &str) -> TempDir {
    let folder = scratch();
    fs::write(folder.path().join("edits.jsonl"), edits).unwrap();
    folder
}

fn apply(edits: &str, more: &[&str], input: &str) -> Ran {
    let arguments = [&["apply", "edits.jsonl", "-"], more].concat();
    run_in(folder(edits).path(), &arguments, input)
}

/// The output is the file that the same command saves, to the byte.
#[test]
fn a_filter_writes_what_the_command_saves() {
    let folder = scratch();
    let mut changed = 0;
    for name in ["taskmaster-3.json", "messages.jsonl", "sim-m.json", "dbdc/demo_001.log.json"] {
        let text = fs::read_to_string(project("assets/demo").join(name)).unwrap();
        let text = text.replace(".\"", ". \"").replace('\n', "\r\n");
        fs::write(folder.path().join("data.json"), &text).unwrap();
        let line = ["fix", "data.json", "--unsafe-fixes"];
        let saved = run_in(folder.path(), &line, "");
        let expected = fs::read_to_string(folder.path().join("data.json")).unwrap();
        let line = ["fix", "-", "--unsafe-fixes", "--stdin-name", "data.json"];
        let ran = run_in(folder.path(), &line, &text);
        assert_eq!(ran.out, expected, "{name}");
        assert_eq!(ran.code, saved.code, "{name}");
        // The report of the saved file is on standard output.
        for said in saved.out.lines() {
            assert!(ran.err.contains(&format!("turnwise: {said}\n")), "{name}: {ran:?}");
        }
        changed += usize::from(expected != text);
    }
    assert!(changed > 1, "{changed}");
}

#[test]
fn what_cannot_be_read_passes_unchanged() {
    let folder = scratch();
    let fix = |text: &str| {
        run_in(folder.path(), &["fix", "-", "--unsafe-fixes", "--rule", "edge-whitespace"], text)
    };
    let text = format!("{}{{\"conversation_id\": ,}}\n{}", padded("a"), padded("b"));
    let ran = fix(&text);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (2, text.replace("Ran ", "Ran").replace("Booked.  ", "Booked.").as_str())
    );
    assert_eq!(
        ran.err,
        "turnwise: -:2:21: dialog 1: expected a value [syntax]\n    {\"conversation_id\": ,}\n                        ^\nturnwise: -: 4 problems fixed\n"
    );
    for text in ["This is prose.\n", "[{\"name\": 1}]", "[{\"conversation_id\": \"x\""] {
        let ran = fix(text);
        assert_eq!((ran.code, ran.out.as_str()), (2, text), "{ran:?}");
    }
}

#[test]
fn previews_of_a_filter_are_those_of_a_file() {
    let folder = scratch();
    let text = padded("a");
    fs::write(folder.path().join("a.jsonl"), &text).unwrap();
    let line = |path, more| ["fix", path, "--unsafe-fixes", "--stdin-name", "a.jsonl", more];
    for preview in ["--dry-run", "--diff", "--diff=dialog"] {
        let of_file = run_in(folder.path(), &line("a.jsonl", preview), "");
        let of_stdin = run_in(folder.path(), &line("-", preview), &text);
        assert_eq!(of_stdin.out, of_file.out);
        assert!(!of_file.out.is_empty());
    }
    assert_eq!(fs::read_to_string(folder.path().join("a.jsonl")).unwrap(), text);
}

#[test]
fn records_are_applied_on_the_way() {
    let expected = CORPUS
        .replace("\"end_index\": 16", "\"end_index\": 17")
        .replace("\"text\": \"Nosferat\"", "\"text\": \"Nosferatu\"");
    let ran = apply(FIX, &[], CORPUS);
    assert_eq!(
        (ran.code, ran.out, ran.err.as_str()),
        (0, expected, "turnwise: -: 1 edit applied\n")
    );
    let ran = apply("", &[], CORPUS);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, CORPUS, ""));
    let ran = apply(FIX, &["--dry-run"], CORPUS);
    assert_eq!((ran.code, ran.out.as_str()), (0, "-: 1 edit would be applied\n"));
    let ran = apply(FIX, &["--diff", "--stdin-name", "data.json"], CORPUS);
    assert!(ran.out.starts_with("--- data.json\n+++ data.json\n@@ "), "{ran:?}");
    // One record that does not fit: nothing is changed, and nothing is lost.
    let misfit = format!("{FIX}\n{}", FIX.replace("17", "900"));
    let ran = apply(&misfit, &[], CORPUS);
    assert_eq!((ran.code, ran.out.as_str()), (1, CORPUS));
    assert!(ran.err.contains("edits.jsonl:2: dialog \"dlg-a\""), "{ran:?}");
    let ran = apply("{\"edit\": \"nonsense\"}", &[], CORPUS);
    assert_eq!(ran.out, CORPUS);
    assert!(ran.code > 0 && ran.err.contains("edits.jsonl:1"), "{ran:?}");
    let both = run_in(folder(FIX).path(), &["apply", "-", "-"], FIX);
    assert_eq!((both.code, both.out.as_str()), (2, ""));
    let ran = apply(FIX, &["--output", "new"], CORPUS);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
}

/// The records of a whole corpus go to each of its parts.
#[test]
fn records_of_other_parts_are_skipped_if_asked() {
    let elsewhere = FIX.replace("dlg-a", "dlg-z");
    let of_file = FIX.replace("{\"edit\"", "{\"file\":\"b.json\",\"edit\"");
    let edits = format!("{FIX}\n{elsewhere}\n{of_file}\n");
    let ran = apply(&edits, &[], CORPUS);
    assert_eq!((ran.code, ran.out.as_str()), (1, CORPUS));
    assert!(ran.err.ends_with("turnwise: nothing was changed\n"), "{ran:?}");
    let ran = apply(&edits, &["--skip-missing"], CORPUS);
    assert_eq!((ran.code, ran.out), (0, apply(FIX, &[], CORPUS).out));
    assert_eq!(
        ran.err,
        "turnwise: 2 records skipped: the dialog is not here\nturnwise: -: 1 edit applied\n"
    );
    let ran = apply(FIX, &["--skip-missing"], "");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    // Files too.
    let folder = folder(&edits);
    fs::write(folder.path().join("data.json"), CORPUS).unwrap();
    let line = ["apply", "edits.jsonl", "data.json", "--skip-missing"];
    let ran = run_in(folder.path(), &line, "");
    assert_eq!((ran.code, ran.out.as_str()), (0, "data.json: 1 edit applied\n"));
    assert_eq!(ran.err, "turnwise: 2 records skipped: the dialog is not here\n");
}

/// Fixes that were found in a part are for the dialog of that id, wherever it is in the whole.
#[test]
fn an_id_beside_the_number_finds_the_dialog_in_the_whole() {
    let folder = scratch();
    let dialogs = ["one", "two", "three", "three"].map(padded);
    let lint = ["lint", "-", "--select", "edge-whitespace", "--format", "jsonl"];
    let found = run_in(folder.path(), &lint, &dialogs[1]);
    let edits: Vec<_> = records(&found.out)
        .iter()
        .map(|record| {
            let mut edit = record["fixes"][0]["edits"][0].clone();
            assert_eq!((&edit["dialog"], &edit["dialog_id"]), (&0.into(), &"two".into()));
            edit.as_object_mut().unwrap().remove("file");
            format!("{edit}\n")
        })
        .collect();
    let edits = edits.concat();
    let whole = dialogs.concat();
    let fixed = dialogs[1].replace("Ran ", "Ran").replace("Booked.  ", "Booked.");
    let ran = apply(&edits, &[], &whole);
    assert_eq!((ran.code, ran.out), (0, whole.replace(&dialogs[1], &fixed)));
    // The number decides between dialogs with the same id.
    let third = edits.replace("\"two\"", "\"three\"").replace("\"dialog\":0", "\"dialog\":3");
    let ran = apply(&third, &[], &whole);
    let fixed = fixed.replace("two", "three");
    assert_eq!((ran.code, ran.out), (0, [&dialogs[..3].concat(), &fixed[..]].concat()));
    let ran = apply(&third.replace("\"dialog\":3", "\"dialog\":0"), &[], &whole);
    assert_eq!((ran.code, ran.out), (1, whole.clone()));
    assert!(ran.err.contains("more than once"), "{}", ran.err);
    let ran = apply(&edits.replace("\"two\"", "7"), &[], &whole);
    assert!(ran.err.contains("`dialog_id` should be the id"), "{}", ran.err);
}
