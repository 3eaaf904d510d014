//! Examples of many corpora: those that are read, those that hold a dialog as one text, and drafts for the
//! others.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::files::{neighbours, say};
use crate::support::{run_in, scratch};

/// The examples that hold a dialog as one text, with the member that does.
const ONE_TEXT: [(&str, &str); 3] =
    [("DialogSum", "dialogue"), ("HH-RLHF", "chosen"), ("SAMSum", "dialogue")];

/// Examples without a bundled description whose turns are separate values, with the turns in them.
const DRAFTED: [(&str, u64); 4] =
    [("BiTOD", 156), ("DuRecDial-2.0", 78), ("HDSA-Dialog", 66), ("STAR", 135)];

fn examples(test: &str) -> Option<Vec<PathBuf>> {
    let is_example = |path: &PathBuf| path.parent().is_some_and(|p| p.ends_with("examples"));
    Some(neighbours(test)?.into_iter().filter(is_example).collect())
}

fn name(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

/// The report of `turnwise check` on one file.
fn checked(folder: &Path, file: &str) -> Value {
    let ran = run_in(folder, &["check", file, "--format", "json"], "");
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    report[0].clone()
}

#[test]
fn more_than_half_of_the_real_examples_are_read_and_the_others_say_why_not() {
    let Some(files) = examples("reading examples") else {
        return;
    };
    let folder = scratch();
    let (mut read, mut one_text, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for path in &files {
        let file = path.to_str().unwrap();
        let report = checked(folder.path(), file);
        if report["family"].is_string() {
            assert_eq!(report["issues"].as_array().map(Vec::len), Some(0), "{report}");
            assert!(report["turns"].as_u64() > report["dialogs"].as_u64(), "{report}");
            read.push(name(path));
            continue;
        }
        let ran = run_in(folder.path(), &["check", file], "");
        assert_eq!(ran.code, 2, "{ran:?}");
        let texts = ONE_TEXT.iter().find(|(corpus, _)| *corpus == name(path));
        if let Some((corpus, member)) = texts {
            let reason =
                format!("`{member}` holds a dialog as one text, which turnwise does not read");
            assert!(ran.out.contains(&reason), "{corpus}: {}", ran.out);
            one_text.push(*corpus);
        } else {
            assert!(ran.out.contains("`turnwise formats new` drafts"), "{}", ran.out);
            others.push(name(path));
        }
    }
    say(&format!("{} of {} examples are read: {read:?}", read.len(), files.len()));
    say(&format!("one text: {one_text:?}; to be described: {others:?}"));
    assert!(read.len() >= 12, "{read:?}");
    assert_eq!(one_text.len(), ONE_TEXT.len(), "{one_text:?}");
}

#[test]
fn drafts_read_the_real_examples_that_have_turns() {
    let Some(files) = examples("drafting") else {
        return;
    };
    for (corpus, turns) in DRAFTED {
        let Some(path) = files.iter().find(|path| name(path) == corpus) else {
            continue;
        };
        let folder = scratch();
        fs::create_dir(folder.path().join("formats")).unwrap();
        fs::copy(path, folder.path().join("corpus.json")).unwrap();
        let draft = run_in(folder.path(), &["formats", "new", "corpus.json"], "");
        assert_eq!(draft.code, 0, "{draft:?}");
        fs::write(folder.path().join("formats/own.toml"), draft.out).unwrap();
        let tried = ["formats", "check", "formats/own.toml", "corpus.json"];
        let ran = run_in(folder.path(), &tried, "");
        // Some turns hold only calls in a form of their own.
        let is_silent = |line: &str| line.contains("nothing of this turn is read");
        assert!(ran.code <= 1 && ran.err.lines().all(is_silent), "{corpus}: {ran:?}");
        let report = checked(folder.path(), "corpus.json");
        assert_eq!(report["turns"].as_u64(), Some(turns), "{corpus}: {report}");
    }
}
