//! Blame in the background: the job of the screen finds what the command prints. `tests/cases/cli/git.md` shows
//! what git does with turnwise as its driver.

use std::fs;
use std::process::Command;

use turnwise::corpus::{Bytes, CorpusFile};
use turnwise::shell::jobs::{BlameScope, blame};

use crate::support::check::read;
use crate::support::files::{indexed, open_path};
use crate::support::{CORPUS, run_in, scratch};

const LABEL: &str =
    r#"{"edit":"set_labels","dialog":"dlg-a","turn":0,"segment":0,"labels":["film"]}"#;
const TEXT: &str = r#"{"edit":"set_text","dialog":"dlg-a","turn":0,"text":"Well: Two for Nosferatu at nine, please."}"#;

#[test]
fn a_dialog_is_followed_through_commits_in_the_background() {
    let folder = scratch();
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(folder.path()).args(["-c", "user.name=a", "-c", "user.email=a@b.c"]);
        assert!(git.args(arguments).status().unwrap().success(), "{arguments:?}");
    };
    let path = folder.path().join("data.json");
    fs::write(&path, CORPUS).unwrap();
    git(&["init", "-q"]);
    for edit in ["", LABEL, TEXT] {
        assert_eq!(run_in(folder.path(), &["apply", "-", "data.json"], edit).code, 0);
        git(&["add", "."]);
        git(&["commit", "-qm", "an edit"]);
    }
    let file = open_path(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let index = indexed(&bytes);
    let scope = BlameScope {
        path,
        dialog: read(&file, 0),
        file: CorpusFile::new(Bytes::from(bytes), index),
        position: 0,
    };
    let (text, first) = blame(scope, 0, &mut |_| true);
    assert_eq!(first, 0);
    let of_dialog = ["blame", "data.json", "-d", "0", "--format", "jsonl"];
    let printed = run_in(folder.path(), &of_dialog, "");
    let parts = printed.out.lines().map(serde_json::from_str::<serde_json::Value>);
    let parts: Vec<_> = parts.map(Result::unwrap).collect();
    assert_eq!(text.lines().count(), parts.len());
    for (line, part) in text.lines().zip(&parts) {
        let said = part["said"].as_str().unwrap();
        assert!(line.contains(said) && line.contains(part["part"].as_str().unwrap()), "{line}");
    }
}
