//! Prints how many hits have which value.

use std::io::{self, Write as _};

use serde::Serialize;

use super::{Arguments, OutputFormat};
use crate::cli::printer::Printer;
use crate::cli::table::Table;
use crate::cli::votes::write_csv;
use crate::query::{CountKey, ValueCounts, shown_value};
use crate::text::{counted, grouped};

/// The counts in machine-readable output.
#[derive(Serialize)]
struct CountsRecord<'c> {
    field: &'c str,
    /// The number of hits.
    hits: usize,
    /// The number of different values, with those beyond the limit.
    different: usize,
    /// The number of hits without a value.
    without: usize,
    values: Vec<CountRecord<'c>>,
}

/// One value, or the hits without one if `value` is None.
#[derive(Serialize)]
struct CountRecord<'c> {
    value: Option<&'c str>,
    hits: usize,
}

pub fn print(
    counts: &ValueCounts,
    key: &CountKey,
    arguments: &Arguments,
    out: &mut Printer,
) -> io::Result<()> {
    let sorted = counts.sorted();
    let different = sorted.len();
    let values = sorted.into_iter().map(|(value, hits)| CountRecord { value: Some(value), hits });
    let values: Vec<_> = values.take(arguments.limit.unwrap_or(different)).collect();
    let without = (counts.without > 0).then_some(CountRecord { value: None, hits: counts.without });
    match arguments.format {
        OutputFormat::Json => {
            out.json_pretty(&CountsRecord {
                field: key.as_str(),
                hits: counts.hits,
                different,
                without: counts.without,
                values,
            })?;
            writeln!(out)
        }
        OutputFormat::Jsonl => {
            let mut rows = values.iter().chain(&without);
            rows.try_for_each(|row| {
                out.json(row)?;
                writeln!(out)
            })
        }
        OutputFormat::Csv => {
            let row = |kind: &str, value: &str, hits: usize| {
                vec![kind.to_owned(), value.to_owned(), hits.to_string()]
            };
            let mut rows = vec![["kind", "value", "hits"].map(str::to_owned).to_vec()];
            for record in values.iter().chain(&without) {
                let kind = record.value.map_or("none", |_| "value");
                rows.push(row(kind, record.value.unwrap_or_default(), record.hits));
            }
            rows.push(row("total", "", counts.hits));
            write_csv(&rows, out)
        }
        _ => {
            let value = |value: Option<&str>| {
                value.map_or_else(
                    || "(no value)".to_owned(),
                    |value| shown_value(value).into_owned(),
                )
            };
            let rows = values.iter().chain(&without);
            let mut rows: Vec<_> =
                rows.map(|row| vec![value(row.value), grouped(row.hits)]).collect();
            let left_out = different - values.len();
            if left_out > 0 {
                rows.push(vec![
                    format!("({} not shown)", counted(left_out, "more value")),
                    String::new(),
                ]);
            }
            let table = Table {
                heads: vec![key.as_str().to_owned(), "hits".to_owned()],
                names: 1,
                rows,
                total: Some(vec!["all hits".to_owned(), grouped(counts.hits)]),
                ..Table::default()
            };
            table.print(out)
        }
    }
}
