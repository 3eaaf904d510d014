//! The columns of the list of dialogs, from the table `[list]` of the settings or of `turnwise.toml`.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::DeValue;

use super::Invalid;
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "ListTable")]
pub struct ListColumns(Vec<ListColumn>);

/// The table as it is written.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
#[derive(Default)]
struct ListTable {
    columns: Vec<Spanned<ColumnName>>,
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
    /// Reads the table `[list]` of the settings.
    ///
    /// # Errors
    /// What is expected where, if it is not one.
    pub fn read(value: &DeValue<'_>) -> Result<Self, Invalid> {
        const EXPECTED: &str = "a table with `columns`, a list of names";
        let mut all = Vec::new();
        for (name, value) in value.as_table().ok_or(EXPECTED)? {
            if name.get_ref() != "columns" {
                return Err(Invalid::at(name.span(), EXPECTED));
            }
            let wrong = |()| Invalid::at(value.span(), EXPECTED);
            let names = value.get_ref().as_array().ok_or(()).map_err(wrong)?;
            for name in names {
                let text = name.get_ref().as_str().ok_or(EXPECTED);
                let column = text.and_then(Column::named);
                all.push(ListColumn {
                    column: column.map_err(|expected| Invalid::at(name.span(), expected))?,
                    span: name.span(),
                    place: String::new(),
                });
            }
        }
        Ok(Self(all))
    }

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

    /// Returns the table in the form of the settings, in one line.
    pub fn shown(&self) -> String {
        let quoted = |column: &ListColumn| toml::Value::from(column.column.name()).to_string();
        let names: Vec<_> = self.iter().map(quoted).collect();
        match names.join(", ") {
            none if none.is_empty() => "{}".to_owned(),
            names => format!("{{ columns = [{names}] }}"),
        }
    }
}
