//! Writes dialogs in formats that other programs read.
//!
//! A format is one file with one [`ExportFormat`], and one line in [`FORMATS`]. It writes dialogs one by
//! one, so that memory does not grow with the corpus, and counts everything that it cannot write in
//! [`LeftOut`].
//!
//! This layer knows dialogs, but not screens or the disk: a caller opens the files.

mod asked;
mod cells;
mod chat;
mod chat_messages;
mod conll;
mod convokit;
mod corrections;
mod doccano;
mod dpo;
mod export_format;
mod hf;
mod kto;
mod label_studio;
pub mod labels;
mod left_out;
mod opinion;
mod payload;
mod place;
mod sides;
mod spacy;
mod spans;
mod split;
mod tables;
mod tokens;

pub use asked::{AskedDialog, AskedQuestion};
pub use export_format::{
    ExportFiles, ExportFormat, ExportOptions, ExportSubject, ExportedDialog, Exporter, Output,
    lines,
};
pub use label_studio::{JUDGED, is_xml};
pub use left_out::{LeftOut, TurnPart};
pub use opinion::Opinion;
pub use spans::{LabelledSpan, SpanPlaces, spans};
pub use split::{Split, SplitError};

/// All formats.
pub static FORMATS: &[ExportFormat] = &[
    tables::FORMAT,
    spacy::FORMAT,
    doccano::FORMAT,
    conll::FORMAT,
    label_studio::FORMAT,
    chat::FORMAT,
    kto::FORMAT,
    dpo::FORMAT,
    hf::FORMAT,
    convokit::FORMAT,
    labels::FORMAT,
];

/// Returns the format named `name`.
pub fn named(name: &str) -> Option<&'static ExportFormat> {
    FORMATS.iter().find(|format| format.name == name)
}
