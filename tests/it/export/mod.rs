//! `turnwise export`: corpora in, files for other programs out.

mod annotation;
mod corpora;
mod frame;
mod judgements;
mod peers;
mod spans;
mod tables;
pub mod training;

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Ran, TempDir, run_in, scratch};

/// Two dialogs with segments in every state, a call, and characters beyond ASCII.
const CORPUS: &str = r#"[
  {"conversation_id": "dlg-1", "vertical": "Movie Tickets", "utterances": [
    {"index": 0, "speaker": "user", "text": "Two for Dune 🍿 at  nine", "segments": [
      {"start_index": 8, "end_index": 12, "text": "Dune", "annotations": [{"name": "name.movie"}, {"name": "title"}]},
      {"start_index": 19, "end_index": 23, "text": "nine", "annotations": [{"name": "time"}]},
      {"start_index": 17, "end_index": 23, "text": "  nine", "annotations": [{"name": "time"}]},
      {"start_index": 90, "end_index": 99, "text": "gone", "annotations": [{"name": "time"}]}
    ], "apis": [
      {"name": "find", "args": {"name.movie": "Dune", "num": 2}, "response": {"time": ["21:00"]}}
    ]},
    {"index": 1, "speaker": "assistant", "text": "At 21:00, \"sir\",\nok?"}
  ]},
  {"conversation_id": "../x", "vertical": "Movie Tickets", "utterances": [
    {"index": 0, "speaker": "user", "text": ""}
  ]}
]"#;

/// A folder with [`CORPUS`].
fn corpus() -> TempDir {
    let folder = scratch();
    fs::write(folder.path().join("c.json"), CORPUS).unwrap();
    folder
}

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

/// The files in and below a folder, in order.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            found.extend(files(&entry.path()).into_iter().map(|below| format!("{name}/{below}")));
        } else {
            found.push(name);
        }
    }
    found.sort();
    found
}
