//! Breakdown votes: what they add up to.

mod corpora;
mod properties;
