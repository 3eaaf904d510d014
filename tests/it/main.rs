//! The integration tests, in one binary: they use the program from outside.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod apply;
mod autosave;
mod browse;
mod codes;
mod compare;
mod compressed;
mod damage;
mod declared;
mod excluded;
mod export;
mod formats;
mod hostile;
mod import;
mod journal;
mod json;
mod judged;
mod judgements;
mod laws;
mod lint;
mod manual;
mod neighbours;
mod owner;
mod pairs;
mod pipelines;
mod query;
mod report;
mod save;
mod schema;
mod schemes;
mod screens;
#[cfg(target_os = "linux")]
mod side_files;
mod support;
mod team;
// Pseudo-terminals, /proc and setsid are used as Linux has them.
#[cfg(target_os = "linux")]
mod terminal;
mod traces;
mod units;
mod unreadable;
mod votes;
