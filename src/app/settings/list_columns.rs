//! The columns of the list of dialogs, from the table `[list]` of the settings or of `turnwise.toml`.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::query::Column;

/// A column, and where the settings name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListColumn {
    pub column: Column,
    span: Range<usize>,
    /// The file and the line.
    pub place: String,
}

/// The columns, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "ListTable", into = "NamedColumns")]
pub struct ListColumns(Vec<ListColumn>);

/// The table as it is written.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ListTable {
    columns: Vec<Spanned<ColumnName>>,
}

/// The table as it is printed.
#[derive(Serialize)]
struct NamedColumns {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    columns: Vec<String>,
}

impl From<ListColumns> for NamedColumns {
    fn from(list: ListColumns) -> Self {
        Self { columns: list.iter().map(|named| named.column.name().to_owned()).collect() }
    }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct ColumnName(Column);

impl TryFrom<String> for ColumnName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let expected = |expected| format!("`{name}` should be {expected}");
        Column::named(&name).map(Self).map_err(expected)
    }
}

impl TryFrom<ListTable> for ListColumns {
    type Error = String;

    fn try_from(table: ListTable) -> Result<Self, String> {
        let column = |name: Spanned<ColumnName>| ListColumn {
            span: name.span(),
            column: name.into_inner().0,
            place: String::new(),
        };
        Ok(Self(table.columns.into_iter().map(column).collect()))
    }
}

impl ListColumns {
    /// Notes in which file they are named, and on which lines of its `text`.
    pub fn locate(&mut self, file: &str, text: &str) {
        for column in &mut self.0 {
            let before = text.get(..column.span.start).unwrap_or_default();
            column.place = format!("{file}: line {}", before.matches('\n').count() + 1);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &ListColumn> {
        self.0.iter()
    }

    /// Takes over the columns of `other`, if it has any.
    pub fn replace(&mut self, other: Self) {
        if !other.0.is_empty() {
            *self = other;
        }
    }
}
