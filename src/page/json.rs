//! Pages as JSON: an object whose members are the facts and rows of a page.

use std::io::{self, Write};

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::fields::{Value, fields, has_statistics};
use super::{Cell, Column, Page, Part, Table};
use crate::json::output::to_writer;

impl Page {
    /// Writes the object, with each of many rows on a line of its own.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut before = b"{".as_slice();
        for part in &self.0 {
            let (Part::Fact(name, _) | Part::Row(name, _) | Part::Rows(name, _)) = part else {
                continue;
            };
            out.write_all(before)?;
            before = b",";
            write!(out, "\"{name}\":")?;
            match part {
                Part::Row(_, table) => {
                    let rows = table.rows.first();
                    to_writer(out, &rows.map(|row| Object(&table.columns, row)))?;
                }
                Part::Rows(_, table) => write_rows(table, out)?,
                Part::Fact(_, value) => to_writer(out, value)?,
                _ => {}
            }
        }
        out.write_all(if before == b"{" { b"{}\n" } else { b"}\n" })
    }
}

fn write_rows(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    for (number, row) in table.rows.iter().enumerate() {
        out.write_all(if number == 0 { b"\n" } else { b",\n" })?;
        to_writer(out, &Object(&table.columns, row))?;
    }
    out.write_all(if table.rows.is_empty() { b"]" } else { b"\n]" })
}

/// A row as a JSON object: undefined values are null, and `undefined` gives the reasons.
struct Object<'t>(&'t [Column], &'t [Cell]);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = fields(self.0, self.1);
        let mut map = serializer.serialize_map(None)?;
        for field in &fields {
            match field.value {
                Value::Nothing => map.serialize_entry(&field.name, &())?,
                Value::Text(text) => map.serialize_entry(&field.name, text)?,
                Value::Count(count) => map.serialize_entry(&field.name, &count)?,
                Value::Statistic(value) => map.serialize_entry(&field.name, &value.ok())?,
            }
        }
        if has_statistics(self.1) {
            let reasons = fields.iter();
            let reasons = reasons.filter_map(|field| Some((&field.name, field.reason()?)));
            let reasons = reasons.map(|(name, why)| (name.to_string(), why.to_string().into()));
            let reasons: serde_json::Map<String, serde_json::Value> = reasons.collect();
            map.serialize_entry("undefined", &reasons)?;
        }
        map.end()
    }
}
