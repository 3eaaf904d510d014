//! Reports: pages with a title and sections, for browsers, repositories and papers.

use serde::ser::{Serialize, SerializeMap as _, SerializeStruct as _, Serializer};

use super::{Cell, Column, Form, Page, Part, Row, Shown, Table};
use crate::text::cut;

/// A report.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Report {
    pub title: String,
    pub sections: Vec<Section>,
}

/// The figures on one topic.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// A short, stable name, which links use.
    pub name: &'static str,
    pub title: &'static str,
    /// The commands that give the same figures.
    pub commands: Vec<String>,
    pub parts: Vec<Part>,
}

/// The form of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlotKind {
    /// Horizontal bars, each with its name before it.
    Bars,
    /// Columns in the order of numbers.
    Columns,
    /// Horizontal bars of one length, each divided into the shares of its values.
    Shares,
}

/// A plot.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Plot {
    pub caption: String,
    pub kind: PlotKind,
    /// The things that are counted, in the plural.
    pub of: &'static str,
    /// The names of the values of each bar, if there are several.
    pub series: Vec<String>,
    pub bars: Vec<Bar>,
}

impl Plot {
    /// Makes one with a bar for each thing.
    pub fn bars(
        caption: impl Into<String>,
        of: &'static str,
        bars: impl Iterator<Item = Bar>,
    ) -> Self {
        let (caption, bars) = (caption.into(), bars.collect());
        Self { caption, kind: PlotKind::Bars, of, series: Vec::new(), bars }
    }
}

/// A bar of a plot.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Bar {
    pub label: String,
    pub values: Vec<u64>,
}

impl Bar {
    pub fn new(label: impl Into<String>, value: u64) -> Self {
        Self { label: label.into(), values: vec![value] }
    }

    pub fn total(&self) -> u64 {
        self.values.iter().sum()
    }
}

impl Plot {
    /// Returns the numbers as a table.
    pub fn table(&self) -> Shown {
        let row = |bar: &Bar| {
            let of = bar.total();
            let values = bar.values.iter().map(|value| match bar.values.len() {
                1 => Cell::Count(*value),
                _ => Cell::Share { count: *value, of },
            });
            [Cell::text(&bar.label)].into_iter().chain(values).collect()
        };
        let counted = match &self.series[..] {
            [] => vec![self.of.to_owned()],
            series => series.to_vec(),
        };
        let mut columns = heads([""]);
        columns.extend(counted.into_iter().map(|head| Column::for_people(head, Form::Number)));
        let rows = self.bars.iter().map(row).collect();
        Shown {
            caption: self.caption.clone(),
            table: Table { columns, rows, total: None },
            left_out: 0,
        }
    }
}

/// A place in the corpus, and its text.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Example {
    /// The name of the rule, or of whatever it is an example of.
    pub of: String,
    pub message: String,
    /// The file, and the line if it is known.
    pub place: String,
    /// The command that opens it.
    pub command: String,
    /// The text before, in, and after what the example is about; all may be empty.
    pub excerpt: [String; 3],
}

impl Page {
    /// Returns what people read of a page as a report: named lines and last rows are tables and rows like others.
    pub fn report(&self, title: &str) -> Report {
        let mut parts: Vec<Part> = Vec::new();
        let mut is_lines = false;
        for part in &self.0 {
            let goes_on = std::mem::replace(&mut is_lines, matches!(part, Part::Line { .. }));
            match part {
                Part::Line { name, text } => {
                    let row = vec![Cell::text(name), Cell::text(text)];
                    match parts.last_mut() {
                        Some(Part::Shown(lines)) if goes_on => lines.table.rows.push(row),
                        _ => parts.push(table("", texts(["", ""]), [row], 0)),
                    }
                }
                Part::Text(text) if text.is_empty() => {}
                Part::Heading(text) => parts.push(Part::Text(text.clone())),
                // A table without rows may have no columns.
                Part::Shown(shown) if shown.table.columns.is_empty() => {}
                Part::Shown(shown) => {
                    let mut shown = shown.clone();
                    shown.table.rows.extend(shown.table.total.take());
                    for column in shown.table.columns.iter_mut().filter(|of| !of.over.is_empty()) {
                        let over = std::mem::take(&mut column.over);
                        let head = column.head.take();
                        column.head = head.map(|head| format!("{over}: {head}").into());
                    }
                    parts.push(Part::Shown(shown));
                }
                other => parts.push(other.clone()),
            }
        }
        let section = Section { parts, ..Section::default() };
        Report { title: title.to_owned(), sections: vec![section] }
    }
}

/// Returns columns for people: the first of names, the others of numbers.
pub fn heads<const N: usize>(names: [&'static str; N]) -> Vec<Column> {
    let mut columns = numbers(names);
    columns.iter_mut().take(1).for_each(|first| first.form = Form::Name);
    columns
}

/// Returns columns of numbers for people.
pub fn numbers<const N: usize>(names: [&'static str; N]) -> Vec<Column> {
    names.map(number).into()
}

/// Returns a column of numbers for people.
pub fn number(name: &'static str) -> Column {
    Column::for_people(name, Form::Number)
}

/// Returns columns of texts for people.
pub fn texts<const N: usize>(names: [&'static str; N]) -> Vec<Column> {
    names.map(|name| Column::for_people(name, Form::Name)).into()
}

/// Returns named figures for people.
pub fn figures(all: impl IntoIterator<Item = (&'static str, Cell)>) -> Part {
    let named = |(name, cell)| (Column::for_people(name, Form::Number), cell);
    Part::Figures(all.into_iter().map(named).collect())
}

/// Returns a table for people.
pub fn table(
    caption: impl Into<String>,
    columns: Vec<Column>,
    rows: impl IntoIterator<Item = Vec<Cell>>,
    left_out: u64,
) -> Part {
    let table = Table { columns, rows: rows.into_iter().collect(), total: None };
    Part::Shown(Shown { caption: caption.into(), table, left_out })
}

/// The most characters of a name in a report.
const LONGEST: usize = 100;

/// Cuts a text that is too long for a report.
pub fn short(text: &str) -> String {
    cut(text, LONGEST)
}

impl Serialize for Section {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut section = serializer.serialize_struct("Section", 4)?;
        section.serialize_field("name", self.name)?;
        section.serialize_field("title", self.title)?;
        section.serialize_field("commands", &self.commands)?;
        section.serialize_field("blocks", &self.parts.iter().map(Block).collect::<Vec<_>>())?;
        section.end()
    }
}

/// A part of a section as an object with one member.
struct Block<'p>(&'p Part);

impl Serialize for Block<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self.0 {
            Part::Text(text) => map.serialize_entry("text", text)?,
            Part::Figures(figures) => map.serialize_entry("figures", &named(figures))?,
            Part::Shown(shown) => map.serialize_entry("table", shown)?,
            Part::Plot(plot) => map.serialize_entry("plot", plot)?,
            Part::Examples(examples) => map.serialize_entry("examples", examples)?,
            // What commands print for programs, and lines of text, are in no report.
            Part::Fact(..)
            | Part::Line { .. }
            | Part::Heading(_)
            | Part::Row(..)
            | Part::Rows(..)
            | Part::Csv(_) => {}
        }
        map.end()
    }
}

/// A figure.
#[derive(serde::Serialize)]
struct Named<'c> {
    name: &'c str,
    value: Value<'c>,
}

fn named(figures: &Row) -> Vec<Named<'_>> {
    let named = figures.iter().map(|(column, cell)| Named {
        name: column.head.as_deref().unwrap_or_default(),
        value: Value(cell, column.form),
    });
    named.collect()
}

/// A cell in a column of this form as a value: a part of a whole is an object.
struct Value<'c>(&'c Cell, Form);

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Cell::Nothing => serializer.serialize_none(),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Count(count) | Cell::About(count) => serializer.serialize_u64(*count),
            Cell::Share { count, of } => serializer.collect_map([("count", *count), ("of", *of)]),
            Cell::Statistic(..) if matches!(self.1, Form::Spread | Form::Bounds) => {
                let text = self.0.shown(self.1).filter(|text| !text.is_empty());
                text.serialize(serializer)
            }
            Cell::Statistic(value, _) | Cell::Mean(value) => value.ok().serialize(serializer),
        }
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns = self.table.shown();
        let heads: Vec<&str> = columns.iter().map(|column| column.head).collect();
        let rows = self.table.rows.iter().map(|row| {
            let cells = columns.iter().map(|column| Value(&row[column.at], column.form));
            cells.collect::<Vec<_>>()
        });
        let mut table = serializer.serialize_struct("Table", 4)?;
        table.serialize_field("caption", &self.caption)?;
        table.serialize_field("heads", &heads)?;
        table.serialize_field("rows", &rows.collect::<Vec<_>>())?;
        table.serialize_field("left_out", &self.left_out)?;
        table.end()
    }
}
