//! Copies of corpora: what differs, and the changes of two copies in one.

mod beside;
mod blame;
mod choices;
mod clashes;
#[cfg(target_os = "linux")]
mod git;
mod lost;
mod pairing;
mod untold;

use std::fs;
use std::path::Path;

use crate::support::edited_file::EditedFile;
use crate::support::{Ran, run_in};

type File = EditedFile;

/// Merges `base.json`, `ours.json` and `theirs.json` of a folder into `out.json`.
fn merge(folder: &Path, more: &[&str]) -> Ran {
    let mut arguments = vec!["merge", "base.json", "ours.json", "theirs.json", "-o", "out.json"];
    arguments.extend(more);
    run_in(folder, &arguments, "")
}

/// The same, of these texts.
fn merge_texts(folder: &Path, texts: [&str; 3], more: &[&str]) -> Ran {
    for (name, text) in ["base.json", "ours.json", "theirs.json"].iter().zip(texts) {
        fs::write(folder.join(name), text).unwrap();
    }
    merge(folder, more)
}
