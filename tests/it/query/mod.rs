//! The language of queries, and the turns that queries find.

mod agents;
mod expected;
mod failed;
mod find;
mod language;
mod questions;
mod random;
