//! Prints pages: as text, JSON or CSV.

use std::io;

use clap::ValueEnum;

use super::printer::Printer;
use super::style;
use crate::page::{Emphasis, Page, Styled};

/// The form of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines and tables for people
    Text,
    /// One object; undefined values are null, with the reason under `undefined`
    Json,
    /// One line per row; undefined values are empty, with the reason in the last column
    Csv,
}

impl Styled for Printer {
    fn write_as(&mut self, emphasis: Emphasis, text: &str) -> io::Result<()> {
        let style = match emphasis {
            Emphasis::Strong => style::PLACE,
            Emphasis::Soft => style::DIM,
        };
        let style = self.style(style);
        io::Write::write_fmt(self, format_args!("{style}{text}{style:#}"))
    }
}

/// Prints a page.
///
/// # Errors
/// If the output cannot be written.
pub fn print(page: &Page, format: Format, out: &mut Printer) -> io::Result<()> {
    match format {
        Format::Text => page.write_text(out),
        Format::Json => out.as_json(|out| page.write_json(out)),
        Format::Csv => page.write_csv(out),
    }
}
