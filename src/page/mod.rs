//! Pages of figures: lines and tables of typed cells, before they are printed in any form.
//!
//! A command fills a [`Page`] and knows no form; each form has a file here and knows no command: text for people, JSON
//! and CSV for programs. A column is for people, for programs, or for both.
//!
//! Undefined statistics need nothing of a command: people read a dash, and a note with the reason below the table;
//! JSON has null, and the reason under `undefined`; CSV has an empty cell, and the reason in a last column.

mod csv;
mod fields;
mod json;
mod text;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::text::{counted, grouped, percent};
use crate::votes::{Interval, Statistic, UndefinedReason};

pub use text::{Emphasis, Styled};

/// A value in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value: null for programs.
    Nothing,
    Text(String),
    Count(u64),
    /// Part of a whole; programs read the part.
    Share {
        count: u64,
        of: u64,
    },
    /// A statistic, and the bounds between which it would be had other dialogs been judged, if dialogs were drawn.
    Statistic(Statistic, Option<Interval>),
}

impl From<Statistic> for Cell {
    fn from(value: Statistic) -> Self {
        Self::Statistic(value, None)
    }
}

/// How people read the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Aligned left; all others are numbers.
    Name,
    Number,
    /// A share as a percentage without its sign, which the head has.
    Percent,
    /// Of a share that is a statistic, its bounds in percent.
    Spread,
    /// A statistic with one decimal.
    Tenths,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name for programs; None if it is for people alone.
    pub key: Option<Cow<'static, str>>,
    /// The head for people; None if it is for programs alone.
    pub head: Option<Cow<'static, str>>,
    /// The head above it and its neighbours with the same; empty without any.
    pub over: Cow<'static, str>,
    pub form: Form,
}

impl Column {
    /// Returns a column of numbers for people and programs.
    pub fn new(key: impl Into<Cow<'static, str>>, head: impl Into<Cow<'static, str>>) -> Self {
        let (key, head) = (Some(key.into()), Some(head.into()));
        Self { key, head, over: Cow::Borrowed(""), form: Form::Number }
    }

    /// Returns a column of names, which people and programs call the same.
    pub fn name(name: &'static str) -> Self {
        Self::new(name, name).form(Form::Name)
    }

    pub fn for_people(head: impl Into<Cow<'static, str>>, form: Form) -> Self {
        Self { key: None, ..Self::new("", head) }.form(form)
    }

    pub fn for_programs(key: impl Into<Cow<'static, str>>) -> Self {
        Self { head: None, ..Self::new(key, "") }
    }

    #[must_use]
    pub fn form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    #[must_use]
    pub fn over(self, over: impl Into<Cow<'static, str>>) -> Self {
        Self { over: over.into(), ..self }
    }
}

/// The cells of a row, each with its column.
pub type Row = Vec<(Column, Cell)>;

/// Rows with the same columns.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
    /// An emphasized last row, for people.
    pub total: Option<Vec<Cell>>,
}

impl Table {
    /// Makes a table of rows that have the same columns.
    pub fn of(rows: impl IntoIterator<Item = Row>) -> Self {
        let mut table = Self::default();
        for row in rows {
            let (columns, cells) = row.into_iter().unzip();
            if table.columns.is_empty() {
                table.columns = columns;
            }
            table.rows.push(cells);
        }
        table
    }
}

/// A part of a page. Each form prints some of them.
#[derive(Clone, Debug)]
pub enum Part {
    /// A member, for programs.
    Fact(&'static str, Value),
    /// A named line, for people.
    Line { name: String, text: String },
    /// A line for people; an empty one between parts.
    Text(String),
    /// The line above the parts on one topic, for people.
    Heading(String),
    /// A table for people.
    Shown(Table),
    /// The only row of a table under a name, for programs.
    Row(&'static str, Table),
    /// The rows of a table under a name, for programs.
    Rows(&'static str, Table),
    /// The table that CSV has.
    Csv(Table),
}

/// A page: what a command reports, in the order in which people and programs read it.
#[derive(Clone, Debug, Default)]
pub struct Page(Vec<Part>);

impl Page {
    pub fn add(&mut self, part: Part) {
        self.0.push(part);
    }

    /// Adds a member for programs.
    pub fn fact(&mut self, name: &'static str, value: impl Serialize) {
        // Values with keys that are not texts alone have no JSON.
        let value = serde_json::to_value(value).unwrap_or_default();
        self.add(Part::Fact(name, value));
    }

    /// Adds a named line for people.
    pub fn line(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.add(Part::Line { name: name.into(), text: text.into() });
    }

    /// Adds a line for people: a statistic with its bounds and remarks, or the reason why it has no value.
    pub fn statistic(&mut self, name: &str, cell: &Cell, remarks: &[&str]) {
        let Cell::Statistic(value, interval) = cell else {
            return;
        };
        let interval = interval.as_ref().filter(|_| value.is_ok());
        let mut all = vec![interval.and_then(bounds).unwrap_or_default()];
        all.extend(remarks.iter().map(|remark| (*remark).to_owned()));
        all.push(interval.and_then(undefined).unwrap_or_default());
        all.retain(|remark| !remark.is_empty());
        let remark = all.join("  ");
        let text = match value {
            Ok(value) => format!("{}  {remark}", decimals(*value)),
            Err(why) if remark.is_empty() => format!("-      {why}"),
            Err(why) => format!("-      {remark}: {why}"),
        };
        self.line(name, text.trim_end());
    }

    pub fn text(&mut self, text: impl Into<String>) {
        self.add(Part::Text(text.into()));
    }

    /// Adds an empty line.
    pub fn space(&mut self) {
        self.text("");
    }

    pub fn heading(&mut self, text: impl Into<String>) {
        self.add(Part::Heading(text.into()));
    }

    /// Adds a table that people and programs read, the latter as `rows`.
    pub fn rows(&mut self, table: Table) {
        self.add(Part::Rows("rows", table.clone()));
        self.add(Part::Csv(table.clone()));
        self.add(Part::Shown(table));
    }
}

impl Cell {
    /// Returns the value as people read it in a column of this form; None if there is none.
    pub fn shown(&self, form: Form) -> Option<String> {
        match self {
            Self::Nothing => Some(String::new()),
            Self::Text(text) => Some(text.clone()),
            Self::Count(count) => Some(grouped(count)),
            Self::Share { of: 0, .. } if form == Form::Percent => None,
            Self::Share { count, of } if form == Form::Percent => {
                Some(percent(*count, *of).to_string())
            }
            Self::Share { count, of } => Some(share(*count, *of)),
            Self::Statistic(_, interval) if form == Form::Spread => {
                let spread = interval.as_ref().and_then(Interval::spread);
                let percents =
                    |[low, high]: [f64; 2]| format!("{:.0}–{:.0} %", 100.0 * low, 100.0 * high);
                Some(spread.map_or_else(String::new, percents))
            }
            Self::Statistic(value, _) if form == Form::Tenths => {
                value.ok().map(|value| format!("{value:.1}"))
            }
            Self::Statistic(value, _) => value.ok().map(decimals),
        }
    }

    /// Returns why it has no value, in a column that shows one.
    fn reason(&self, form: Form) -> Option<UndefinedReason> {
        match self {
            Self::Statistic(Err(why), _) if form != Form::Spread => Some(*why),
            _ => None,
        }
    }
}

/// Returns a number of things with its share of all: `406 (47 %)`.
pub fn share(count: u64, of: u64) -> String {
    let percent = if of == 0 { "-".to_owned() } else { format!("{} %", percent(count, of)) };
    format!("{} ({percent})", grouped(count))
}

/// Formats three decimals, without a minus sign before zero.
pub fn decimals(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.strip_prefix('-') {
        Some("0.000") => "0.000".to_owned(),
        _ => text,
    }
}

/// Formats an interval: `0.500 to 0.900`.
fn bounds(interval: &Interval) -> Option<String> {
    let [low, high] = interval.bounds?;
    if high > low {
        return Some(format!("{} to {}", decimals(low), decimals(high)));
    }
    Some("the same in every draw".to_owned())
}

/// Returns in how many draws a figure was undefined, if in any.
fn undefined(interval: &Interval) -> Option<String> {
    let draws = counted(interval.undefined, "draw");
    (interval.undefined > 0).then(|| format!("(undefined in {draws})"))
}
