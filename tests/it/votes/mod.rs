//! Breakdown votes: what they add up to.

mod command;
mod corpora;
mod counted;
mod export;
mod logs;
mod merge;
mod properties;
mod score;
