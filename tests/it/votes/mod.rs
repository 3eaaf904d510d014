//! Breakdown votes: what they add up to.

mod command;
mod corpora;
mod logs;
mod properties;
mod score;
