//! Tests of `src/compare`.

mod carry;
mod turns;
