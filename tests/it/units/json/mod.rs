//! Tests of `src/json`.

mod compose;
mod error;
mod output;
mod patch;
mod string;
