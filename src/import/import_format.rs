//! The description of a format of annotations.

use super::annotated::{AnnotatedTurn, ImportError};

/// The files to read.
#[derive(Clone, Debug, Default)]
pub struct ImportTexts {
    /// The annotations.
    pub annotations: String,
    /// True if they are comma-separated values.
    pub is_csv: bool,
    /// The table of turns beside a table of segments, and whether it is comma-separated values.
    pub turns: Option<(String, bool)>,
    /// True if the table of segments is complete: turns of the other table that it lacks have no segments.
    pub is_complete: bool,
}

type Read = fn(&ImportTexts, Option<&str>) -> Result<Vec<AnnotatedTurn>, Vec<ImportError>>;

/// A format of annotations.
pub struct ImportFormat {
    pub name: &'static str,
    /// A description of its files.
    pub reads: &'static str,
    /// Reads the turns, only those by the named annotator if there is a name.
    pub read: Read,
    /// True for a label that a file can have. The others are in no export, so they stay as they are.
    pub holds: fn(&str) -> bool,
    /// True if a file also has the segments without a place in the text or without a label.
    pub has_all: bool,
    /// Says what a file holds that is not read.
    pub unread: fn(&ImportTexts) -> Option<String>,
}
