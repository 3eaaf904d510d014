//! Tables with names aligned left and numbers aligned right.

use std::io::{self, Write as _};

use super::printer::Printer;
use super::style;
use crate::text::{visible, width};

/// A table of texts.
#[derive(Debug, Default)]
pub struct Table {
    /// Column heads; printed if any is not empty.
    pub heads: Vec<String>,
    /// Heads above groups of columns, each at the first column of its group.
    pub over: Vec<(usize, String)>,
    /// Number of leading name columns, aligned left; all others are numbers.
    pub names: usize,
    pub rows: Vec<Vec<String>>,
    /// An emphasized last row.
    pub total: Option<Vec<String>>,
}

/// Spaces between two columns.
const BETWEEN: usize = 2;

impl Table {
    pub fn print(&self, out: &mut Printer) -> io::Result<()> {
        let widths = self.widths();
        let (bold, dim) = (out.style(style::PLACE), out.style(style::DIM));
        if !self.over.is_empty() {
            writeln!(out, "{dim}{}{dim:#}", self.line_over(&widths))?;
        }
        if self.heads.iter().any(|head| !head.is_empty()) {
            writeln!(out, "{dim}{}{dim:#}", self.line(&self.heads, &widths))?;
        }
        for row in &self.rows {
            writeln!(out, "{}", self.line(row, &widths))?;
        }
        if let Some(total) = &self.total {
            writeln!(out, "{bold}{}{bold:#}", self.line(total, &widths))?;
        }
        Ok(())
    }

    fn widths(&self) -> Vec<usize> {
        let rows = || self.rows.iter().chain(&self.total).chain([&self.heads]);
        let widest =
            |column: usize| rows().filter_map(move |row| row.get(column)).map(|c| shown(c).1);
        (0..self.heads.len()).map(|column| widest(column).max().unwrap_or(0)).collect()
    }

    fn line(&self, row: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for (column, (cell, room)) in row.iter().zip(widths).enumerate() {
            if column > 0 {
                line.extend([' '; BETWEEN]);
            }
            let (cell, width) = shown(cell);
            let pad = " ".repeat(room - width);
            if column < self.names {
                line.push_str(&cell);
                line.push_str(&pad);
            } else {
                line.push_str(&pad);
                line.push_str(&cell);
            }
        }
        line.truncate(line.trim_end().len());
        line
    }

    fn line_over(&self, widths: &[usize]) -> String {
        let mut line = String::new();
        for (column, text) in &self.over {
            let start: usize = widths[..*column].iter().map(|width| width + BETWEEN).sum();
            line.push_str(&" ".repeat(start.saturating_sub(width(&line))));
            line.push_str(&shown(text).0);
        }
        line
    }
}

/// Returns a cell as printed, and its width in columns.
fn shown(cell: &str) -> (String, usize) {
    let cell = visible(cell).into_owned();
    let width = width(&cell);
    (cell, width)
}
