//! Breakdown votes: their statistics, merging, scoring and export.

mod command;
mod corpora;
mod counted;
mod export;
mod judge;
pub mod logs;
mod merge;
mod progress;
mod properties;
pub mod questions;
mod score;
