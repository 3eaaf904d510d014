//! Copies of corpora: what differs, and the changes of two copies in one.

mod beside;
mod blame;
mod clashes;
#[cfg(target_os = "linux")]
mod git;
mod lost;
mod pairing;
mod untold;

use std::fs;

use crate::support::edited_file::EditedFile;
use crate::support::{Ran, run_in, scratch};

type File = EditedFile;

/// The outcome of a merge.
#[derive(Debug)]
struct Merged {
    code: i32,
    /// The merged file, and the list beside it.
    text: String,
    conflicts: String,
    out: String,
    err: String,
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
    let conflicts = read(&format!("{out}.conflicts.jsonl"));
    Merged { code: ran.code, text: read(&out), conflicts, out: ran.out, err: ran.err }
}

fn merge(texts: [&str; 3]) -> Merged {
    merge_as("json", texts, &[])
}

/// Asserts that the changes of two copies are both there, whichever is ours.
fn are_joined(end: &str, [base, one, other]: [&str; 3], both: &str) {
    for [ours, theirs] in [[one, other], [other, one]] {
        let merged = merge_as(end, [base, ours, theirs], &[]);
        assert_eq!((merged.code, merged.text.as_str()), (0, both), "{merged:?}");
    }
}

/// Asserts that two copies are in conflict, in which ours stays as it is; returns the merges.
fn are_in_conflict(end: &str, [base, one, other]: [&str; 3]) -> [Merged; 2] {
    [[one, other], [other, one]].map(|[ours, theirs]| {
        let merged = merge_as(end, [base, ours, theirs], &[]);
        assert_eq!((merged.code, merged.text.as_str()), (1, ours), "{merged:?}");
        merged
    })
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
