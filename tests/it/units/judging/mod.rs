//! Tests of `src/judging`.

mod answers;
mod assignment;
mod opinions;
mod question;
mod scheme;
mod scheme_file;
