//! The forms of what commands print, and pages in these forms.

use std::io;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::printer::Printer;
use super::style;
use crate::page::{Emphasis, Page, Report, Styled, html, latex, markdown};

/// The form of what a command prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    #[default]
    Text,
    Json,
    Jsonl,
    Csv,
    Md,
    Latex,
    Html,
    Github,
    Sarif,
    Ids,
    Count,
}

impl Format {
    /// The forms of a page.
    pub const OF_PAGES: &[(Self, &str)] = &[
        (Self::Text, "Lines and tables for people"),
        (Self::Json, "One object; undefined values are null, with the reason under `undefined`"),
        (
            Self::Csv,
            "One line per row; undefined values are empty, with the reason in the last column",
        ),
        (Self::Md, "The lines and tables for a pull request or a dataset card"),
        (Self::Latex, "The tables for a paper, in the style of booktabs"),
        (Self::Html, "A page for a browser or a printer"),
    ];

    /// Reads the name of one of the forms that a command prints; help lists them with these descriptions.
    pub fn among(forms: &'static [(Self, &'static str)]) -> impl TypedValueParser<Value = Self> {
        let values = forms.iter().filter_map(|(form, help)| {
            let value = form.to_possible_value()?;
            Some(value.help(*help))
        });
        PossibleValuesParser::new(values).try_map(|name| Self::from_str(&name, false))
    }

    /// True for the forms of a table alone.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Csv | Self::Md | Self::Latex | Self::Html)
    }
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

/// Returns a report as Markdown or LaTeX, or else as HTML.
pub fn rendered(report: &Report, format: Format) -> String {
    match format {
        Format::Md => markdown(report),
        Format::Latex => latex(report),
        _ => html(report),
    }
}

/// Prints a page with this title. What is not a form of a page is printed as text.
///
/// # Errors
/// If the output cannot be written.
pub fn print(page: &Page, title: &str, format: Format, out: &mut Printer) -> io::Result<()> {
    match format {
        Format::Json => out.as_json(|out| page.write_json(out)),
        Format::Csv => page.write_csv(out),
        Format::Md | Format::Latex | Format::Html => {
            out.print_own(&rendered(&page.report(title), format))
        }
        Format::Text
        | Format::Jsonl
        | Format::Github
        | Format::Sarif
        | Format::Ids
        | Format::Count => page.write_text(out),
    }
}
