//! Faults that a reader found in the form of a dialog: a missing field, a value of the wrong type.
//!
//! Nearly all issues are about what the published schema of the family rules out; the others are turns of which nothing
//! is read, and numbers that JSON does not have. The rules of the layers above decide whether a well-formed dialog makes
//! sense.

use std::fmt;

use super::model::{Extent, Short};

/// One of them and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    /// The place in the text of the dialog.
    pub at: Extent,
    /// Position of the turn that contains it, if any.
    pub turn: Option<usize>,
    pub problem: IssueKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum IssueKind {
    /// `object` lacks a required field.
    Missing { object: &'static str, field: &'static str },
    /// A value is not of the required type.
    Wrong {
        field: &'static str,
        /// True if the value is an item of the array in this field.
        item: bool,
        expected: &'static str,
        found: String,
    },
    /// A number that JSON does not have, such as `NaN`.
    NotNumber(String),
    /// A turn of which only the speaker is read.
    NothingRead { speaker: Short, members: String },
}

impl fmt::Display for IssueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { object, field } => write!(f, "{object} lacks `{field}`"),
            Self::Wrong { field, item, expected, found } => {
                let item = if *item { "an item of " } else { "" };
                write!(f, "{item}`{field}` should be {expected}, found {found}")
            }
            Self::NotNumber(found) => {
                write!(
                    f,
                    "{found} is not valid JSON, and many programs reject it; turnwise keeps it but reads no value"
                )
            }
            Self::NothingRead { speaker, members } => {
                write!(
                    f,
                    "turnwise reads only the speaker of this turn, `{speaker}`; the turn also has {members}"
                )
            }
        }
    }
}

impl IssueKind {
    /// The code of a number that JSON does not have, of which each file has one.
    pub const NOT_NUMBER: &str = "not-json";

    /// Returns a short name of the kind, stable across versions.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "missing",
            Self::Wrong { .. } => "wrong-type",
            Self::NotNumber(_) => Self::NOT_NUMBER,
            Self::NothingRead { .. } => "nothing-read",
        }
    }
}
