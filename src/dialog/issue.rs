//! What a reader found wrong with a dialog's form: a field missing, a value of the wrong type.
//!
//! An issue is about form alone, what the published schema of the family would object to. Whether a
//! well-formed dialog makes sense is for the rules of the layers above.

use std::fmt;

use super::model::Extent;

/// One thing wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    /// In the text of the dialog.
    pub at: Extent,
    /// Position of the turn it is in, if it is in one.
    pub turn: Option<usize>,
    pub problem: IssueKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum IssueKind {
    /// `object` lacks a field it must have.
    Missing {
        object: &'static str,
        field: &'static str,
    },
    /// A value is not what it must be.
    Wrong {
        field: &'static str,
        /// It is an item of the array in this field.
        item: bool,
        expected: &'static str,
        found: String,
    },
    /// The dialog's text cannot be read at all.
    Unreadable(String),
}

impl fmt::Display for IssueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { object, field } => write!(f, "{object} lacks `{field}`"),
            Self::Wrong {
                field,
                item,
                expected,
                found,
            } => {
                let item = if *item { "an item of " } else { "" };
                write!(f, "{item}`{field}` should be {expected}, found {found}")
            }
            Self::Unreadable(reason) => f.write_str(reason),
        }
    }
}

impl IssueKind {
    /// A short name for the kind of problem, stable across versions.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "missing",
            Self::Wrong { .. } => "wrong-type",
            Self::Unreadable(_) => "unreadable",
        }
    }
}
