//! The fields of a row for programs: each cell under the key of its column, and the bounds of a statistic after it.

use std::borrow::Cow;

use super::{Cell, Column};
use crate::votes::{Statistic, UndefinedReason};

/// A named value.
pub struct Field<'t> {
    pub name: Cow<'t, str>,
    pub value: Value<'t>,
}

/// A value for programs.
pub enum Value<'t> {
    Nothing,
    Text(&'t str),
    Count(u64),
    Statistic(Statistic),
}

impl Field<'_> {
    /// Returns why it has no value.
    pub fn reason(&self) -> Option<UndefinedReason> {
        match self.value {
            Value::Statistic(value) => value.err(),
            Value::Nothing | Value::Text(_) | Value::Count(_) => None,
        }
    }
}

/// True for a row that may have values that are undefined.
pub fn has_statistics(cells: &[Cell]) -> bool {
    cells.iter().any(|cell| matches!(cell, Cell::Mean(_) | Cell::Statistic(..)))
}

/// Returns the fields of a row: of a statistic also its bounds, and the number of draws in which it was undefined.
pub fn fields<'t>(columns: &'t [Column], cells: &'t [Cell]) -> Vec<Field<'t>> {
    let mut all = Vec::new();
    let mut add = |name: Cow<'t, str>, value| all.push(Field { name, value });
    for (column, cell) in columns.iter().zip(cells) {
        let Some(key) = column.key.as_deref() else {
            continue;
        };
        let value = match cell {
            Cell::Nothing => Value::Nothing,
            Cell::Text(text) => Value::Text(text),
            Cell::Count(count) | Cell::About(count) | Cell::Share { count, .. } => {
                Value::Count(*count)
            }
            Cell::Mean(value) | Cell::Statistic(value, _) => Value::Statistic(*value),
        };
        add(key.into(), value);
        if let Cell::Statistic(value, Some(interval)) = cell {
            let bound = |of: usize| {
                let otherwise = value.err().unwrap_or(UndefinedReason::NoAnswers);
                Value::Statistic(interval.bounds.map(|bounds| bounds[of]).ok_or(otherwise))
            };
            add(format!("{key}_low").into(), bound(0));
            add(format!("{key}_high").into(), bound(1));
            add(format!("{key}_undefined_draws").into(), Value::Count(interval.undefined.into()));
        }
    }
    all
}
