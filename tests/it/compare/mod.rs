//! Copies of demo files and real dialogs: what differs, and the changes of two copies in one.
//! `tests/cases/cli/merge*.md` show the same of small files.

mod blame;
mod clashes;
#[cfg(target_os = "linux")]
mod git;
mod untold;

use std::fs;

use crate::support::{Ran, run_in, scratch};

/// Merges a base, ours and theirs; returns the merged file and the list beside it, too.
fn merge(texts: [&str; 3], options: &[&str]) -> (Ran, String, String) {
    let folder = scratch();
    for (name, text) in ["base.json", "ours.json", "theirs.json"].into_iter().zip(texts) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let arguments = ["merge", "base.json", "ours.json", "theirs.json", "-o", "out.json"];
    let ran = run_in(folder.path(), &[&arguments, options].concat(), "");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    (ran, read("out.json"), read("out.json.conflicts.jsonl"))
}

fn diff(old: &str, new: &str, options: &[&str]) -> Ran {
    let folder = scratch();
    fs::write(folder.path().join("old.json"), old).unwrap();
    fs::write(folder.path().join("new.json"), new).unwrap();
    run_in(folder.path(), &[&["diff", "old.json", "new.json"], options].concat(), "")
}
