//! The list of families, and how one is recognized.

pub mod detect;
pub mod file_format;
pub mod formats;
