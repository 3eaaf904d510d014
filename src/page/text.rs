//! Pages as text for people: named lines, and tables with names aligned left and numbers aligned right.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{Cell, Column, Form, Page, Part, Table};
use crate::text::{counted, visible, width};

/// Output that may emphasize texts.
pub trait Styled: Write {
    /// Writes a text with an emphasis.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write_as(&mut self, emphasis: Emphasis, text: &str) -> io::Result<()>;
}

/// The emphasis of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    Strong,
    Soft,
}

/// Columns before the text of a named line.
const MARGIN: usize = 22;
/// Spaces between two columns of a table.
const BETWEEN: usize = 2;

impl Page {
    /// Writes the lines and tables for people.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write_text(&self, out: &mut impl Styled) -> io::Result<()> {
        for part in &self.0 {
            match part {
                Part::Line { name, text } => {
                    out.write_as(Emphasis::Soft, &format!("{name:MARGIN$}"))?;
                    writeln!(out, "{text}")?;
                }
                Part::Text(text) => writeln!(out, "{text}")?,
                Part::Heading(text) => write_line(Emphasis::Strong, text, out)?,
                Part::Shown(table) => table.write_text(out)?,
                Part::Fact(..) | Part::Row(..) | Part::Rows(..) | Part::Csv(_) => {}
            }
        }
        Ok(())
    }
}

fn write_line(emphasis: Emphasis, text: &str, out: &mut impl Styled) -> io::Result<()> {
    out.write_as(emphasis, text)?;
    writeln!(out)
}

/// The texts of a table, and the width of each column.
struct Columns<'t> {
    /// The shown columns, with their positions in a row.
    shown: Vec<(usize, &'t Column)>,
    widths: Vec<usize>,
}

impl Table {
    fn write_text(&self, out: &mut impl Styled) -> io::Result<()> {
        let shown = self.columns.iter().enumerate();
        let shown: Vec<_> = shown.filter(|(_, column)| column.head.is_some()).collect();
        let texts = |row: &Vec<Cell>| -> Vec<String> {
            let cells = shown.iter().map(|(at, column)| {
                let shown = row.get(*at).unwrap_or(&Cell::Nothing).shown(column.form);
                visible(&shown.unwrap_or_else(|| "-".to_owned())).into_owned()
            });
            cells.collect()
        };
        let heads = shown.iter().filter_map(|(_, column)| column.head.as_deref());
        let heads: Vec<String> = heads.map(|head| visible(head).into_owned()).collect();
        let rows: Vec<_> = self.rows.iter().map(texts).collect();
        let total = self.total.as_ref().map(texts);
        let mut widths: Vec<usize> = heads.iter().map(|head| width(head)).collect();
        for row in rows.iter().chain(&total) {
            for (room, text) in widths.iter_mut().zip(row) {
                *room = width(text).max(*room);
            }
        }
        let columns = Columns { shown, widths };
        let over = columns.over();
        if !over.is_empty() {
            write_line(Emphasis::Soft, &over, out)?;
        }
        if heads.iter().any(|head| !head.is_empty()) {
            write_line(Emphasis::Soft, &columns.line(&heads), out)?;
        }
        for row in &rows {
            writeln!(out, "{}", columns.line(row))?;
        }
        if let Some(total) = &total {
            write_line(Emphasis::Strong, &columns.line(total), out)?;
        }
        self.write_reasons(out)
    }

    /// Writes why statistics have no value, each reason once for a column.
    fn write_reasons(&self, out: &mut impl Styled) -> io::Result<()> {
        let mut reasons = BTreeMap::<_, u64>::new();
        for row in self.rows.iter().chain(&self.total) {
            for (column, cell) in self.columns.iter().zip(row) {
                if let (Some(head), Some(why)) = (&column.head, cell.reason(column.form)) {
                    *reasons.entry((head, why)).or_default() += 1;
                }
            }
        }
        if !reasons.is_empty() {
            writeln!(out)?;
        }
        for ((head, why), rows) in reasons {
            writeln!(out, "- {}: {why} ({})", visible(head), counted(rows, "row"))?;
        }
        Ok(())
    }
}

impl Columns<'_> {
    fn line(&self, texts: &[String]) -> String {
        let mut line = String::new();
        for (number, ((_, column), text)) in self.shown.iter().zip(texts).enumerate() {
            if number > 0 {
                line.extend([' '; BETWEEN]);
            }
            let pad = " ".repeat(self.widths[number] - width(text));
            let parts = if column.form == Form::Name { [text, &pad] } else { [&pad, text] };
            line.extend(parts.map(String::as_str));
        }
        line.truncate(line.trim_end().len());
        line
    }

    /// Returns the line of heads above groups of columns, each above the first column of its group.
    fn over(&self) -> String {
        let (mut line, mut start, mut last) = (String::new(), 0, "");
        for ((_, column), room) in self.shown.iter().zip(&self.widths) {
            if column.over != last {
                line.push_str(&" ".repeat(start - width(&line).min(start)));
                line.push_str(&visible(&column.over));
            }
            last = &column.over;
            start += room + BETWEEN;
        }
        line.truncate(line.trim_end().len());
        line
    }
}
