//! The integration tests, one binary: what the program promises, tried from outside.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

mod apply;
mod browse;
mod cli;
mod corpora;
mod fixtures;
mod formats;
mod journal;
mod json;
mod layers;
mod lint;
mod manual;
mod save;
mod schema;
mod support;
// Pseudo-terminals, /proc and setsid are used as Linux has them.
#[cfg(target_os = "linux")]
mod terminal;
mod votes;
