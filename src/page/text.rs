//! Pages as text for people: named lines, and tables with names aligned left and numbers aligned right.

use std::io::{self, Write};

use super::{Cell, Page, Part, Shown, ShownColumn, Table};
use crate::text::{visible, width};

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

/// Texts without any emphasis.
impl Styled for Vec<u8> {
    fn write_as(&mut self, _: Emphasis, text: &str) -> io::Result<()> {
        self.write_all(text.as_bytes())
    }
}

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
                // Programs read the others, or a report has them.
                Part::Fact(..)
                | Part::Row(..)
                | Part::Rows(..)
                | Part::Csv(_)
                | Part::Figures(_)
                | Part::Plot(_)
                | Part::Examples(_) => {}
            }
        }
        Ok(())
    }
}

fn write_line(emphasis: Emphasis, text: &str, out: &mut impl Styled) -> io::Result<()> {
    out.write_as(emphasis, text)?;
    writeln!(out)
}

/// The columns of a table, and the width of each.
struct Columns<'t> {
    columns: Vec<ShownColumn<'t>>,
    widths: Vec<usize>,
}

impl Shown {
    fn write_text(&self, out: &mut impl Styled) -> io::Result<()> {
        let Table { rows, total, .. } = &self.table;
        let columns = self.table.shown();
        let texts = |row: &Vec<Cell>| -> Vec<String> {
            let cells = columns.iter().map(|column| {
                let shown = row.get(column.at).unwrap_or(&Cell::Nothing).shown(column.form);
                visible(shown.as_deref().unwrap_or("-")).into_owned()
            });
            cells.collect()
        };
        let heads: Vec<_> =
            columns.iter().map(|column| visible(column.head).into_owned()).collect();
        let rows: Vec<_> = rows.iter().map(texts).collect();
        let total = total.as_ref().map(texts);
        let mut widths: Vec<usize> = heads.iter().map(|head| width(head)).collect();
        for row in rows.iter().chain(&total) {
            for (room, text) in widths.iter_mut().zip(row) {
                *room = width(text).max(*room);
            }
        }
        let columns = Columns { columns, widths };
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
        let notes = self.notes();
        if !notes.is_empty() {
            writeln!(out)?;
        }
        notes.iter().try_for_each(|note| writeln!(out, "- {}", visible(note)))
    }
}

impl Columns<'_> {
    fn line(&self, texts: &[String]) -> String {
        let mut line = String::new();
        for (number, (column, text)) in self.columns.iter().zip(texts).enumerate() {
            if number > 0 {
                line.extend([' '; BETWEEN]);
            }
            let pad = " ".repeat(self.widths[number] - width(text));
            let parts = if column.is_of_numbers() { [&pad, text] } else { [text, &pad] };
            line.extend(parts.map(String::as_str));
        }
        line.truncate(line.trim_end().len());
        line
    }

    /// Returns the line of heads above groups of columns, each above the first column of its group.
    fn over(&self) -> String {
        let (mut line, mut start, mut last) = (String::new(), 0_usize, "");
        for (column, room) in self.columns.iter().zip(&self.widths) {
            if column.over != last {
                // A long one may reach beyond its columns.
                let least = if line.is_empty() { 0 } else { BETWEEN };
                let gap = start.saturating_sub(width(&line)).max(least);
                line.push_str(&" ".repeat(gap));
                line.push_str(&visible(column.over));
            }
            last = column.over;
            start += room + BETWEEN;
        }
        line.truncate(line.trim_end().len());
        line
    }
}
