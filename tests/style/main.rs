//! Checks of the sources, which no user notices: plain words, and imports that go down only.
//!
//! `cargo test` leaves it out; `cargo test --test style` runs it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod layers;
mod words;

use std::path::{Path, PathBuf};

/// A file of the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
