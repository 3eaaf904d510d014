//! Pages of figures: lines and tables of typed cells, before they are printed in any form.
//!
//! A command fills a [`Page`], a report the parts of its sections, and neither knows a form; each form has a file here
//! and knows no command: text for people, JSON and CSV for programs, HTML, Markdown and LaTeX for reports. A column is for
//! people, for programs, or for both.
//!
//! Undefined statistics need nothing of a command: people read a dash, and a note with the reason below the table;
//! JSON has null, and the reason under `undefined`; CSV has an empty cell, and the reason in a last column.

mod csv;
mod document;
mod fields;
mod html;
mod json;
mod latex;
mod markdown;
mod svg;
mod text;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::text::{counted, grouped, percent};
use crate::votes::{Interval, Statistic, UndefinedReason};

pub use document::{
    Bar, Example, Plot, PlotKind, Report, Section, figures, heads, number, numbers, short, table,
    texts,
};
pub use html::{COLOURS, DARK, escaped, html};
pub use latex::latex;
pub use markdown::markdown;
pub use svg::plot_svg;
pub use text::{Emphasis, Styled};

/// A value in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value: null for programs.
    Nothing,
    Text(String),
    Count(u64),
    /// A number of which an estimate is known.
    About(u64),
    /// Part of a whole; programs read the part.
    Share {
        count: u64,
        of: u64,
    },
    /// A mean of counts, with one decimal.
    Mean(Statistic),
    /// A statistic, and the bounds between which it would be had other dialogs been judged, if dialogs were drawn.
    Statistic(Statistic, Option<Interval>),
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Returns a mean, or no value without any.
    pub fn mean(mean: Option<f64>) -> Self {
        mean.map_or(Self::Nothing, |mean| Self::Mean(Ok(mean)))
    }

    /// Returns a count, or no value without any.
    pub fn count(count: Option<u64>) -> Self {
        count.map_or(Self::Nothing, Self::Count)
    }

    /// Returns its size; None for texts and values that do not exist.
    pub fn size(&self) -> Option<f64> {
        match self {
            Self::Count(count) | Self::About(count) | Self::Share { count, .. } => {
                Some(*count as f64)
            }
            Self::Mean(value) | Self::Statistic(value, _) => value.ok(),
            Self::Text(_) | Self::Nothing => None,
        }
    }
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
    /// Of a statistic, its bounds.
    Bounds,
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

/// A table for people, with what they read around it.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Empty without any.
    pub caption: String,
    pub table: Table,
    /// The number of rows beyond those in the table.
    pub left_out: u64,
}

/// A column that people read.
pub struct ShownColumn<'t> {
    /// Its position in a row.
    pub at: usize,
    pub head: &'t str,
    pub over: &'t str,
    pub form: Form,
}

impl ShownColumn<'_> {
    /// True if its cells are aligned right.
    pub fn is_of_numbers(&self) -> bool {
        self.form != Form::Name
    }
}

impl Shown {
    /// Returns the first rows of a table, at most so many.
    pub fn of(caption: impl Into<String>, mut table: Table, most: usize) -> Self {
        let left_out = table.rows.len().saturating_sub(most) as u64;
        table.rows.truncate(most);
        Self { caption: caption.into(), table, left_out }
    }

    /// Returns what people read below it: how many rows are left out, and why statistics have no value.
    fn notes(&self) -> Vec<String> {
        let more = (self.left_out > 0).then(|| format!("and {} more", grouped(self.left_out)));
        more.into_iter().chain(self.table.reasons()).collect()
    }
}

impl Table {
    /// Returns the columns that people read.
    pub fn shown(&self) -> Vec<ShownColumn<'_>> {
        let columns = self.columns.iter().enumerate().filter_map(|(at, column)| {
            let Column { head, over, form, .. } = column;
            Some(ShownColumn { at, head: head.as_deref()?, over, form: *form })
        });
        columns.collect()
    }

    /// Returns why statistics have no value, each reason once for a column, with the name of the row if it is one alone.
    fn reasons(&self) -> Vec<String> {
        let mut reasons = BTreeMap::<_, Vec<Option<&str>>>::new();
        let columns = self.shown();
        for row in self.rows.iter().chain(&self.total) {
            let name = match row.first() {
                Some(Cell::Text(name)) if !name.is_empty() => Some(name.as_str()),
                _ => None,
            };
            for column in &columns {
                let why = row.get(column.at).and_then(|cell| cell.reason(column.form));
                if let Some(why) = why {
                    reasons.entry((column.head, why)).or_default().push(name);
                }
            }
        }
        let told = |((head, why), rows): ((&str, UndefinedReason), Vec<Option<&str>>)| match rows[..]
        {
            [Some(name)] if columns.len() == 2 => format!("{name}: {why}"),
            [Some(name)] => format!("{name}, {head}: {why}"),
            _ => format!("{head}: {why} ({})", counted(rows.len(), "row")),
        };
        reasons.into_iter().map(told).collect()
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
    /// Named figures, for people.
    Figures(Row),
    /// A table for people.
    Shown(Shown),
    /// A plot, for people.
    Plot(Plot),
    /// Places in a corpus, for people.
    Examples(Vec<Example>),
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

    /// Adds a table for people.
    pub fn show(&mut self, table: Table) {
        self.add(Part::Shown(Shown { caption: String::new(), table, left_out: 0 }));
    }

    /// Adds a table that people and programs read, the latter as `rows`.
    pub fn rows(&mut self, table: Table) {
        self.add(Part::Rows("rows", table.clone()));
        self.add(Part::Csv(table.clone()));
        self.show(table);
    }
}

impl Cell {
    /// Returns the value as people read it in a column of this form; None if there is none.
    pub fn shown(&self, form: Form) -> Option<String> {
        match self {
            Self::Nothing => Some(String::new()),
            Self::Text(text) => Some(text.clone()),
            Self::Count(count) => Some(grouped(count)),
            Self::About(count) => Some(format!("about {}", grouped(count))),
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
            Self::Statistic(_, interval) if form == Form::Bounds => {
                let spread = interval.as_ref().and_then(Interval::spread);
                Some(spread.map_or_else(String::new, range))
            }
            Self::Mean(value) => value.ok().map(tenths),
            Self::Statistic(value, _) => value.ok().map(decimals),
        }
    }

    /// Returns why it has no value, in a column that shows one.
    fn reason(&self, form: Form) -> Option<UndefinedReason> {
        match self {
            Self::Mean(Err(why)) => Some(*why),
            Self::Statistic(Err(why), _) if !matches!(form, Form::Spread | Form::Bounds) => {
                Some(*why)
            }
            _ => None,
        }
    }
}

/// Returns a number of things with its share of all: `406 (47 %)`.
pub fn share(count: u64, of: u64) -> String {
    let percent = if of == 0 { "-".to_owned() } else { format!("{} %", percent(count, of)) };
    format!("{} ({percent})", grouped(count))
}

/// Formats one decimal, with thousands apart.
fn tenths(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.split_once('.') {
        Some((whole, tenth)) => format!("{}.{tenth}", grouped(whole)),
        None => text,
    }
}

/// Formats three decimals, without a minus sign before zero.
pub fn decimals(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.strip_prefix('-') {
        Some("0.000") => "0.000".to_owned(),
        _ => text,
    }
}

/// Formats bounds: `0.500 to 0.900`.
fn range([low, high]: [f64; 2]) -> String {
    format!("{} to {}", decimals(low), decimals(high))
}

/// Formats an interval.
fn bounds(interval: &Interval) -> Option<String> {
    let [low, high] = interval.bounds?;
    if high > low {
        return Some(range([low, high]));
    }
    Some("the same in every draw".to_owned())
}

/// Returns in how many draws a figure was undefined, if in any.
fn undefined(interval: &Interval) -> Option<String> {
    let draws = counted(interval.undefined, "draw");
    (interval.undefined > 0).then(|| format!("(undefined in {draws})"))
}
