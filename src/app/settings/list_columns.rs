//! The columns of the list of dialogs, from the table `[list]` of the settings or of `turnwise.toml`.

use serde::{Deserialize, Serialize};

use crate::query::Column;

/// The columns, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListColumns {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    columns: Vec<NamedColumn>,
}

/// A column as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct NamedColumn(Column);

impl From<NamedColumn> for String {
    fn from(NamedColumn(column): NamedColumn) -> Self {
        column.name().to_owned()
    }
}

impl TryFrom<String> for NamedColumn {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let expected = |expected| format!("`{name}` should be {expected}");
        Column::named(&name).map(Self).map_err(expected)
    }
}

impl ListColumns {
    pub fn iter(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().map(|NamedColumn(column)| column)
    }

    /// Takes over the columns of `other`, if it has any.
    pub fn replace(&mut self, other: Self) {
        if !other.columns.is_empty() {
            *self = other;
        }
    }
}
