//! The language of queries, and the turns that queries find.

mod agents;
pub mod expected;
mod failed;
mod find;
mod language;
mod questions;
