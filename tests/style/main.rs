//! Checks of the sources, which no user notices: plain words, and imports that go down only.
//!
//! `cargo test` leaves it out; `cargo test --test style` runs it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod layers;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

/// A file of the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the files under `folder` with one of `endings`.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all =
        entries.flat_map(|path| if path.is_dir() { files(&path, endings) } else { vec![path] });
    let wanted =
        |path: &PathBuf| path.extension().is_some_and(|e| endings.iter().any(|end| e == *end));
    all.filter(wanted).collect()
}
