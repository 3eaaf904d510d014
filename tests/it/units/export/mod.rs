//! Tests of `src/export`.

mod folder;
mod left_out;
mod split;
