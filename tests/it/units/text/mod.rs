//! Tests of `src/text`.

mod boundary;
mod codepoints;
mod display;
mod lanes;
mod moments;
mod offsets;
mod rows_around;
mod span_map;
mod tokens;
mod words;
mod wrap;
