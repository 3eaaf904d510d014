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
}

impl ListColumns {
    /// Takes over the columns of `other`, if it has any.
    pub fn replace(&mut self, other: Self) {
        if !other.columns.is_empty() {
            *self = other;
        }
    }
}
