//! The columns of the list of dialogs, from the table `[list]` of the settings or of `turnwise.toml`.

use serde::{Deserialize, Serialize};

use crate::query::Column;

/// The table `[list]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListColumns {
    /// From left to right.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// True if they are from a project file.
    #[serde(skip)]
    pub of_project: bool,
}

impl ListColumns {
    /// Takes over the columns of a project file, if it has any.
    pub fn replace(&mut self, project: Self) {
        if !project.columns.is_empty() {
            *self = Self { of_project: true, ..project };
        }
    }
}
