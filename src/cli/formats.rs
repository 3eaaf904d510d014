//! `turnwise formats`: lists the formats, prints and tries a description, and drafts one.

mod check;
mod new;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::errors::{Ended, file_error};
use super::page::{self, Format};
use super::printer::Printer;
use super::style::shown;
use super::{CommandOutcome, complain};
use crate::format::{self, Family, descriptions};
use crate::page::{Cell, Column, Page, Table};
use crate::shell::{FormatFinder, find_files};
use crate::text::visible;

/// List the dataset formats, print or try a description of one, or draft one
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  turnwise formats\n  turnwise formats new data.json -o formats/mine.toml\n  turnwise formats check formats/mine.toml data.json"
)]
pub struct Arguments {
    /// Corpora whose declared formats are listed, too [default: the current folder]
    paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    Check(check::Arguments),
    New(new::Arguments),
    Print(PrintArguments),
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    match &arguments.command {
        Some(Command::Check(arguments)) => check::run(arguments, out),
        Some(Command::New(arguments)) => new::run(arguments, out),
        Some(Command::Print(arguments)) => print_description(arguments, out),
        None => list(&arguments.paths, arguments.format, out),
    }
}

fn list(paths: &[PathBuf], form: Format, out: &mut Printer) -> Ended {
    let mut finder = FormatFinder::default();
    let mut own: Vec<&'static Family> = Vec::new();
    let mut add = |path: &Path| {
        for format in finder.of(path).own() {
            if own.iter().all(|other| !std::ptr::eq(*other, *format)) {
                own.push(*format);
            }
        }
    };
    if paths.is_empty() {
        add(Path::new("-"));
    }
    for found in find_files(paths) {
        add(found.path());
    }
    let row = |format: &'static Family| {
        vec![
            (Column::name("name"), Cell::text(visible(format.name()))),
            (Column::name("title"), Cell::text(visible(format.title()))),
            (Column::name("holds"), Cell::text(visible(format.holds()))),
            (
                Column::name("file"),
                format.path().map_or(Cell::Nothing, |path| Cell::Text(shown(path))),
            ),
        ]
    };
    let mut page = Page::default();
    page.rows(Table::of(format::all().chain(own).map(row)));
    page::print(&page, "Formats", form, out)?;
    for (path, error) in &finder.wrong {
        file_error(path, error);
    }
    Ok(if finder.wrong.is_empty() { CommandOutcome::Clean } else { CommandOutcome::Unusable })
}

/// Print the description of a format, as an example for your own
///
/// Exit code: 0 printed, 2 the format has no description.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise formats print codex > formats/mine.toml")]
struct PrintArguments {
    /// The name of the format, as `turnwise formats` lists it
    name: String,
}

fn print_description(arguments: &PrintArguments, out: &mut Printer) -> Ended {
    let name = &arguments.name;
    let is_it = |(file, _): &(&str, &str)| file.strip_suffix(".toml") == Some(name);
    if let Some((_, description)) = descriptions().find(is_it) {
        write!(out, "{description}")?;
        return Ok(CommandOutcome::Clean);
    }
    let names = descriptions().filter_map(|(file, _)| file.strip_suffix(".toml"));
    let names: Vec<_> = names.collect();
    complain(format_args!("no description is called {name}; there are {}", names.join(", ")));
    Ok(CommandOutcome::Unusable)
}
