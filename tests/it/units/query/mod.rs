//! Tests of `src/query`.

mod prefilter;
mod text;
mod typed;
mod value;
