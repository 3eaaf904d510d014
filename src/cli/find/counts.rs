//! Prints how many hits have which value.

use std::io::{self, Write as _};

use serde::Serialize;

use super::{Arguments, OutputFormat};
use crate::cli::page::{self, Format};
use crate::cli::printer::Printer;
use crate::page::{Cell, Column, Form, Page, Part, Table};
use crate::query::{CountKey, ValueCounts, shown_value};
use crate::text::counted;

/// A value, or the hits without one, on a line of JSON.
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
    let values = sorted.into_iter().map(|(value, hits)| (Some(value), hits));
    let mut values: Vec<_> = values.take(arguments.limit.unwrap_or(different)).collect();
    let left_out = different - values.len();
    let without = (counts.without > 0).then_some((None, counts.without));
    let hits = |hits: usize| Cell::Count(hits as u64);
    let text = |text: &str| Cell::Text(text.to_owned());
    let column = |key: &'static str| Column::for_programs(key);
    let mut page = Page::default();
    page.fact("field", key.as_str());
    page.fact("hits", counts.hits);
    // With those beyond the limit.
    page.fact("different", different);
    page.fact("without", counts.without);
    page.add(Part::Rows(
        "values",
        Table::of(values.iter().map(|(value, count)| {
            vec![
                (column("value"), value.map_or(Cell::Nothing, text)),
                (column("hits"), hits(*count)),
            ]
        })),
    ));
    values.extend(without);
    let record = |kind: &str, value: &str, count: usize| {
        vec![
            (column("kind"), text(kind)),
            (column("value"), text(value)),
            (column("hits"), hits(count)),
        ]
    };
    let records = values.iter().map(|(value, count)| {
        record(value.map_or("none", |_| "value"), value.unwrap_or_default(), *count)
    });
    page.add(Part::Csv(Table::of(records.chain([record("total", "", counts.hits)]))));
    let row = |(value, count): &(Option<&str>, usize)| {
        let value = value.map_or_else(|| "(no value)".into(), shown_value);
        vec![text(&value), hits(*count)]
    };
    let mut rows: Vec<_> = values.iter().map(row).collect();
    if left_out > 0 {
        let more = format!("({} not shown)", counted(left_out, "more value"));
        rows.push(vec![Cell::Text(more), Cell::Nothing]);
    }
    page.show(Table {
        columns: vec![
            Column::for_people(key.as_str().to_owned(), Form::Name),
            Column::for_people("hits", Form::Number),
        ],
        rows,
        total: Some(vec![text("all hits"), hits(counts.hits)]),
    });
    let format = match arguments.format {
        OutputFormat::Json => Format::Json,
        OutputFormat::Csv => Format::Csv,
        OutputFormat::Md => Format::Md,
        OutputFormat::Latex => Format::Latex,
        OutputFormat::Html => Format::Html,
        OutputFormat::Jsonl => {
            return values.iter().try_for_each(|(value, hits)| {
                out.json(&CountRecord { value: *value, hits: *hits })?;
                writeln!(out)
            });
        }
        OutputFormat::Text | OutputFormat::Ids | OutputFormat::Count => Format::Text,
    };
    page::print(&page, "Values of hits", format, out)
}
