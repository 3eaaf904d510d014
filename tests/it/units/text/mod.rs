//! Tests of `src/text`.

mod boundary;
mod codepoints;
mod compare;
mod display;
mod lanes;
mod moments;
mod numbers;
mod offsets;
mod rows_around;
mod span_map;
mod tokens;
mod words;
mod wrap;
