//! The language of queries, and the turns that queries find.

pub mod expected;
mod find;
mod language;
mod questions;
