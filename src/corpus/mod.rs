//! Corpus files: pieces between gaps, read on demand, edited in memory.
//!
//! A [`CorpusFile`] knows where the dialogs of a file are and keeps the text of those that were
//! edited; everything else stays in the [`Source`] it is read from. [`History`] remembers what was
//! done, and a [`Record`] is an edit as it is written down for later.
//!
//! This layer reads bytes through a small trait. It does not know the file system or screens.

pub mod explain;
mod file;
mod history;
mod ids;
mod index;
mod locate;
mod record;
mod source;

pub use file::{CorpusFile, EditsMade, FilePart, ReadError};
pub use history::{History, Revision};
pub use ids::IdLookup;
pub use index::{
    Arrangement, Contents, Index, ScanPass, ScanProgress, beginning, index, index_all,
};
pub use locate::{advance, positions};
pub use record::{BadRecord, DialogRef, Record};
pub use source::Source;
