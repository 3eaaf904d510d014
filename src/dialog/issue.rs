//! Violations of the schema that a reader found in a dialog: a missing field, a value of the wrong type.
//!
//! An issue is only about what the published schema of the family rules out. The rules of the layers above
//! decide whether a well-formed dialog makes sense.

use std::fmt;

use super::model::Extent;

/// A schema violation and its place.
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
    /// The text of the dialog cannot be read at all.
    Unreadable(String),
}

impl fmt::Display for IssueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { object, field } => write!(f, "{object} lacks `{field}`"),
            Self::Wrong { field, item, expected, found } => {
                let item = if *item { "an item of " } else { "" };
                write!(f, "{item}`{field}` should be {expected}, found {found}")
            }
            Self::Unreadable(reason) => f.write_str(reason),
        }
    }
}

impl IssueKind {
    /// Returns a short name of the kind, stable across versions.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "missing",
            Self::Wrong { .. } => "wrong-type",
            Self::Unreadable(_) => "unreadable",
        }
    }
}
