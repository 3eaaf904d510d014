//! Edit records: one JSON object per line, as `turnwise apply` reads them and the journal stores them.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::suggestion::{Proposal, Suggestion};
use crate::dialog::{Edit, EditContext, EditFields};
use crate::json::output;

/// The dialog that a record is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DialogRef {
    /// Its position in its file, from 0.
    Number(usize),
    /// Its id in the corpus.
    Id(String),
}

impl fmt::Display for DialogRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "dialog number {number}"),
            Self::Id(id) => write!(f, "dialog {id:?}"),
        }
    }
}

/// An edit and the dialog it is for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record<E = Edit> {
    /// The end of the path of the file, if ids alone are ambiguous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub dialog: DialogRef,
    /// The id of the dialog beside its position: a dialog at another position that has the id is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialog_id: Option<String>,
    /// An edit, or what is proposed.
    #[serde(flatten)]
    pub edit: E,
    /// The context in which it was made; the edit is refused if that has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<EditContext>,
    #[serde(flatten)]
    pub origin: Origin,
}

/// The origin of a suggested edit; all empty for other edits.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Origin {
    /// The person or program that suggests it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// How sure they are, in units of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Their reason, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Origin {
    /// Returns the origin of an edit of which only the author is known, if that.
    pub fn of(by: Option<&str>) -> Self {
        Self { by: by.map(str::to_owned), ..Self::default() }
    }
}

/// The reason why a line is not a record.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    #[error("not valid JSON at column {column}: {why}")]
    NotJson { column: u64, why: String },
    #[error("expected a JSON object, found {0}")]
    NotAnObject(&'static str),
    #[error("`{0}` appears more than once; keep one of them")]
    RepeatedField(String),
    #[error("`edit` is missing; it should be one of {}", kinds())]
    NoEdit,
    #[error("unknown edit {kind:?}{}; the edits are {}", meant(*nearest), kinds())]
    UnknownEdit { kind: String, nearest: Option<&'static str> },
    #[error("`{name}` is missing; in {kind}, it should be {expected}")]
    NoField { name: &'static str, expected: &'static str, kind: &'static str },
    #[error(
        "unknown field {name:?}{}; {} takes {}",
        meant(*nearest),
        kind.kind,
        kind.names().collect::<Vec<_>>().join(", ")
    )]
    UnknownField { name: String, kind: &'static EditFields, nearest: Option<&'static str> },
    #[error("`dialog` is missing; it should be an id or a non-negative integer")]
    NoDialog,
    #[error("`{0}` is neither an id nor a non-negative integer")]
    BadDialog(Value),
    #[error("`dialog_id` should be the id of the dialog, a string")]
    BadDialogId,
    #[error("`file` should be the end of a file's path")]
    BadFile,
    #[error("`on` should be the context of the edit, a string")]
    BadBasis,
    #[error("`{field}` should be {expected}, found {found}")]
    BadField { field: &'static str, expected: &'static str, found: Value },
    #[error("`nth` needs a `quote`")]
    NthWithoutQuote,
    #[error("give a `quote` or `start` and `end`, not both")]
    QuoteAndOffsets,
    #[error("{0} takes no `quote`; only set_span and add_segment do")]
    NoSpanToQuote(&'static str),
    #[error("offsets are needed here, not a `quote`")]
    Quoted,
    #[error("{0}")]
    BadEdit(serde_json::Error),
}

fn kinds() -> String {
    Edit::kinds().collect::<Vec<_>>().join(", ")
}

/// Offers a name for an unknown one.
fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

impl TryFrom<Suggestion> for Record {
    type Error = BadRecord;

    /// Returns the record of a suggestion with offsets.
    fn try_from(suggestion: Suggestion) -> Result<Self, BadRecord> {
        let Suggestion { file, dialog, dialog_id, edit, on, origin } = suggestion;
        match edit {
            Proposal::Edit(edit) => Ok(Self { file, dialog, dialog_id, edit, on, origin }),
            Proposal::Quoted(_) => Err(BadRecord::Quoted),
        }
    }
}

impl std::str::FromStr for Record {
    type Err = BadRecord;

    /// Reads a record with offsets; [`Suggestion`] reads those with a quotation too.
    fn from_str(line: &str) -> Result<Self, BadRecord> {
        line.parse::<Suggestion>()?.try_into()
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = output::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&line)
    }
}
