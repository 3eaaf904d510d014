//! Prints pages in the form that was asked for.

use std::io;

use clap::ValueEnum;

use super::printer::Printer;
use super::style;
use crate::page::{Emphasis, Page, Styled, html, latex, markdown};

/// The form of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines and tables for people
    Text,
    /// One object; undefined values are null, with the reason under `undefined`
    Json,
    /// One line per row; undefined values are empty, with the reason in the last column
    Csv,
    /// The lines and tables for a pull request or a dataset card
    Md,
    /// The tables for a paper, in the style of booktabs
    Latex,
    /// A page for a browser or a printer
    Html,
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

/// Prints a page with this title.
///
/// # Errors
/// If the output cannot be written.
pub fn print(page: &Page, title: &str, format: Format, out: &mut Printer) -> io::Result<()> {
    let report = match format {
        Format::Text => return page.write_text(out),
        Format::Json => return out.as_json(|out| page.write_json(out)),
        Format::Csv => return page.write_csv(out),
        Format::Md => markdown(&page.report(title)),
        Format::Latex => latex(&page.report(title)),
        Format::Html => html(&page.report(title)),
    };
    out.print_own(&report)
}
