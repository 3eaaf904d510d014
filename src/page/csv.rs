//! Pages as CSV: the one table that a page has for it, with a head.

use std::io::{self, Write};

use super::fields::{Value, fields, has_statistics};
use super::{Page, Part, Table};

impl Page {
    /// Writes a line for each row, and nothing without rows.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut tables = self.0.iter().filter_map(|part| match part {
            Part::Csv(table) => Some(table),
            _ => None,
        });
        tables.try_for_each(|table| write_table(table, out))
    }
}

fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for (number, row) in table.rows.iter().enumerate() {
        let has_reasons = has_statistics(row);
        let fields = fields(&table.columns, row);
        if number == 0 {
            let names = fields.iter().map(|field| field.name.as_ref());
            let record = names.chain(has_reasons.then_some("undefined"));
            writer.write_record(record).map_err(as_io)?;
        }
        let values = fields.iter().map(|field| match field.value {
            Value::Nothing => String::new(),
            Value::Text(text) => text.to_owned(),
            Value::Count(count) => count.to_string(),
            Value::Statistic(value) => value.map_or_else(|_| String::new(), |of| of.to_string()),
        });
        let reasons = fields.iter().filter_map(|field| {
            let why = field.reason()?;
            Some(format!("{}: {why}", field.name))
        });
        let reasons = has_reasons.then(|| reasons.collect::<Vec<_>>().join("; "));
        writer.write_record(values.chain(reasons)).map_err(as_io)?;
    }
    writer.flush()
}

/// Returns the output error itself, whose kind the library hides.
fn as_io(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
