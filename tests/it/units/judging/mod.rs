//! Tests of `src/judging`.

mod answers;
mod assignment;
mod opinions;
mod scheme_file;
