//! Tests of `src/report`.

mod histogram;
