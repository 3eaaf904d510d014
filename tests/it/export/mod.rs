//! `turnwise export` of real corpora and of sessions; `tests/cases/cli/export.md` shows its formats.

mod corpora;
mod peers;

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Ran, run_in};

/// Runs `turnwise export` in `folder`, with `arguments` separated by spaces.
fn export(folder: &Path, arguments: &str) -> Ran {
    let all: Vec<_> = ["export"].into_iter().chain(arguments.split(' ')).collect();
    run_in(folder, &all, "")
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// The JSON Lines of a file.
fn lines(folder: &Path, name: &str) -> Vec<Value> {
    let text = read(folder, name);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
