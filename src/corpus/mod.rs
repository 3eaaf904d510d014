//! Corpus files: pieces between gaps, read on demand, edited in memory.
//!
//! A [`CorpusFile`] has the byte ranges of the dialogs of a file and the texts of the edited ones;
//! everything else stays in the [`Source`]. A [`Change`] is what an edit did to a text, and a [`Record`] is
//! an edit in its serialized form.
//!
//! This layer reads bytes through a small trait. It does not know the file system or screens.

pub mod explain;
mod file;
mod ids;
mod index;
mod judgement_store;
mod judgements;
mod record;
mod record_check;
mod source;
mod suggestion;
mod turns_in_lines;

pub use file::{Change, CorpusFile, DialogPlace, EditsMade, FilePart, ReadError, WholeChange};
pub use ids::{IdLookup, IdPrefilter, id_of};
pub use index::{
    Arrangement, Contents, DialogList, Index, ScanPass, ScanProgress, beginning,
    hash_without_returns, index, index_all, index_with,
};
pub use judgement_store::{JudgementMet, JudgementStore, attach_judgements, has_strayed};
pub use judgements::{
    BrokenLine, JUDGEMENTS_FOLDER, JudgementLines, changed_dialogs, is_other_text,
};
pub use record::{BadRecord, DialogRef, Origin, Record};
pub use source::{Bytes, Source, advance, positions, write_range};
pub use suggestion::{Proposal, QuotedEdit, Suggestion};
