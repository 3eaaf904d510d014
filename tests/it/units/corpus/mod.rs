//! Tests of `src/corpus`.

mod ids;
mod record;
