//! A report as headings, tables, plots and examples, before it is written in any form.

use serde::{Serialize, Serializer};

use crate::page::{self, Form};

/// A report.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub title: String,
    pub sections: Vec<Section>,
}

/// The figures on one topic.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Section {
    /// A short, stable name, which links use.
    pub name: &'static str,
    pub title: &'static str,
    /// The commands that give the same figures.
    pub commands: Vec<String>,
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    Text(String),
    /// Named figures, in a row.
    Figures(Vec<Figure>),
    Table(Table),
    Plot(Plot),
    Examples(Vec<Example>),
}

/// A named figure.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    pub name: &'static str,
    pub value: Cell,
}

/// A table whose first column has names.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Table {
    pub caption: String,
    pub heads: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
    /// The number of rows that are left out.
    pub left_out: u64,
}

impl Table {
    /// Returns what people read of a table, at most so many rows of it.
    pub fn of(caption: String, table: &page::Table, most: usize) -> Self {
        let columns = table.columns.iter().enumerate();
        let columns = columns.filter_map(|(at, column)| Some((at, column, column.head.as_ref()?)));
        let columns: Vec<_> = columns.collect();
        let row = |row: &Vec<page::Cell>| {
            let cells = columns.iter().map(|(at, column, _)| match &row[*at] {
                page::Cell::Count(count) => Cell::Count(*count),
                page::Cell::Share { count, of } => Cell::Share { count: *count, of: *of },
                page::Cell::Statistic(value, _) if column.form != Form::Spread => {
                    Cell::statistic(*value)
                }
                cell => Cell::text(short(&cell.shown(column.form).unwrap_or_default())),
            });
            cells.collect()
        };
        Self {
            caption,
            heads: columns.iter().map(|(.., head)| short(head)).collect(),
            rows: table.rows.iter().take(most).map(row).collect(),
            left_out: table.rows.len().saturating_sub(most) as u64,
        }
    }
}

/// Returns the heads of a table with these columns.
pub fn heads<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).into()
}

/// A value in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(String),
    Count(u64),
    /// A number of which an estimate is known.
    About(u64),
    /// Part of a whole.
    Share {
        count: u64,
        of: u64,
    },
    Number(f64),
    /// A mean of counts.
    Mean(f64),
    /// A value that does not exist, and the reason.
    Undefined(String),
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Returns a mean, or "-" for one that does not exist.
    pub fn mean(mean: Option<f64>) -> Self {
        mean.map_or_else(|| Self::Undefined(String::new()), Self::Mean)
    }

    /// Returns a count, or "-" for one that does not exist.
    pub fn count(count: Option<u64>) -> Self {
        count.map_or_else(|| Self::Undefined(String::new()), Self::Count)
    }

    /// Returns a statistic with the reason why it is undefined, if it is.
    pub fn statistic(statistic: crate::votes::Statistic) -> Self {
        match statistic {
            Ok(value) => Self::Number(value),
            Err(why) => Self::Undefined(why.to_string()),
        }
    }

    /// Returns its size; None for texts and values that do not exist.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Count(count) | Self::About(count) | Self::Share { count, .. } => {
                Some(*count as f64)
            }
            Self::Number(number) | Self::Mean(number) => Some(*number),
            Self::Text(_) | Self::Undefined(_) => None,
        }
    }

    /// True for values that are aligned right in a column.
    pub fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Count(count) | Self::About(count) => serializer.serialize_u64(*count),
            Self::Share { count, of } => {
                let share = [("count", *count), ("of", *of)];
                serializer.collect_map(share)
            }
            Self::Number(number) | Self::Mean(number) => serializer.serialize_f64(*number),
            Self::Undefined(_) => serializer.serialize_none(),
        }
    }
}

/// The form of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, Serialize)]
pub struct Plot {
    pub caption: String,
    pub kind: PlotKind,
    /// The things that are counted, in the plural.
    pub of: &'static str,
    /// The names of the values of each bar, if there are several.
    pub series: Vec<String>,
    pub bars: Vec<Bar>,
}

/// A bar of a plot.
#[derive(Clone, Debug, Serialize)]
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

/// A place in the corpus, and its text.
#[derive(Clone, Debug, Serialize)]
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

/// The most characters of a name in a report.
const LONGEST: usize = 100;

/// Cuts a text that is too long for a report.
pub fn short(text: &str) -> String {
    cut(text, LONGEST)
}

/// Cuts a text to a number of characters.
pub fn cut(text: &str, longest: usize) -> String {
    let mut places = text.char_indices();
    match places.nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
