//! Reads annotations that other programs made, and compares them with the dialogs.
//!
//! A format is one file with one [`ImportFormat`], and one line in [`FORMATS`]. It reads a whole file into
//! [`AnnotatedTurn`]s; [`dialogs`] puts those of a dialog together, and [`differences`] returns the edits
//! that make a turn like its annotations. They ignore what an export leaves out.
//!
//! This layer knows dialogs, but not screens or the disk: a caller reads the files.

mod annotated;
mod compare;
mod doccano;
mod import_format;
mod json_lines;
mod label_studio;
mod pairing;
mod place;
mod prodigy;
mod tables;

pub use annotated::{AnnotatedSpan, AnnotatedTurn, ImportError, dialogs};
pub use compare::differences;
pub use import_format::{ImportFormat, ImportTexts};

/// All formats.
pub static FORMATS: &[ImportFormat] =
    &[label_studio::FORMAT, doccano::FORMAT, prodigy::FORMAT, tables::FORMAT];

/// Returns the format named `name`.
pub fn named(name: &str) -> Option<&'static ImportFormat> {
    FORMATS.iter().find(|format| format.name == name)
}
