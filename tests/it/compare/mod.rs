//! Copies of corpora: what differs, and the changes of two copies in one; `tests/cases/cli/merge*.md` show more.

mod blame;
mod clashes;
#[cfg(target_os = "linux")]
mod git;
mod untold;

use std::fs;

use crate::support::edited_file::EditedFile;
use crate::support::{Ran, run_in, scratch};

type File = EditedFile;

/// The outcome of a merge.
#[derive(Debug)]
struct Merged {
    ran: Ran,
    /// The merged file, and the list beside it.
    text: String,
    conflicts: String,
}

/// Merges a base, ours and theirs in files whose names end in this way.
fn merge_as(end: &str, texts: [&str; 3], options: &[&str]) -> Merged {
    let folder = scratch();
    let folder = folder.path();
    let [base, ours, theirs, out] =
        ["base", "ours", "theirs", "out"].map(|name| format!("{name}.{end}"));
    for (name, text) in [&base, &ours, &theirs].into_iter().zip(texts) {
        fs::write(folder.join(name), text).unwrap();
    }
    let arguments: [&str; 6] = ["merge", &base, &ours, &theirs, "-o", &out];
    let ran = run_in(folder, &[&arguments, options].concat(), "");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    Merged { ran, text: read(&out), conflicts: read(&format!("{out}.conflicts.jsonl")) }
}

fn merge(texts: [&str; 3]) -> Merged {
    merge_as("json", texts, &[])
}

fn diff(end: &str, texts: [&str; 2], options: &[&str]) -> Ran {
    let folder = scratch();
    let names = ["old", "new"].map(|name| format!("{name}.{end}"));
    for (name, text) in names.iter().zip(texts) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    run_in(folder.path(), &[&["diff", &names[0], &names[1]], options].concat(), "")
}

/// Returns what the edits between two texts make of the first.
fn patched(old: &str, new: &str) -> String {
    let edits = diff("json", [old, new], &["--format", "jsonl"]);
    assert_eq!((edits.code, edits.err.as_str()), (1, ""));
    let folder = scratch();
    let path = folder.path().join("old.json");
    fs::write(&path, old).unwrap();
    let ran = run_in(folder.path(), &["apply", "-", "old.json"], &edits.out);
    assert_eq!(ran.code, 0, "{ran:?}");
    fs::read_to_string(path).unwrap()
}
