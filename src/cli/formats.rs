//! `turnwise formats`: lists the formats, prints and tries a description, and drafts one.

mod check;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::errors::{Ended, OrStop as _, file_error};
use super::output::{report_save_error, tell_doubt};
use super::page::{self, Format};
use super::printer::Printer;
use super::style::shown;
use super::{CommandOutcome, complain};
use crate::format::declared::{Draft, draft};
use crate::format::{self, Family, Formats, descriptions};
use crate::page::{Cell, Column, Page, Table};
use crate::shell::{
    FormatFinder, SaveError, find_files, is_description_found, open, read_side_text, write_text,
};
use crate::text::visible;

/// List the dataset formats; print, try or draft the description of one
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  turnwise formats\n  turnwise formats new data.json -o formats/mine.toml\n  turnwise formats check formats/mine.toml data.json"
)]
pub struct Arguments {
    /// Corpora whose declared formats are listed, too [default: the current folder]
    paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(Format::OF_PAGES))]
    format: Format,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    Check(check::Arguments),
    New(NewArguments),
    Print(PrintArguments),
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    match &arguments.command {
        Some(Command::Check(arguments)) => check::run(arguments, out),
        Some(Command::New(arguments)) => draft_new(arguments, out),
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
    complain(format_args!("unknown description {name}; use one of: {}", names.join(", ")));
    Ok(CommandOutcome::Unusable)
}

/// Draft a description of an unknown file: places that look like turns, texts, speakers and spans
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise formats new data.json -o formats/mine.toml")]
struct NewArguments {
    /// A file of the corpus, of at most 64 MiB
    corpus: PathBuf,
    /// Write the draft to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

fn draft_new(arguments: &NewArguments, out: &mut Printer) -> Ended {
    let path = &arguments.corpus;
    let text = read_side_text(path, LARGEST).or_stop_at(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match draft(&text, &name).and_then(|draft| recognized(draft, path)) {
        Ok(Draft { toml, reads, warnings }) => {
            match &arguments.output {
                None => out.write_all(toml.as_bytes())?,
                Some(output) => match write_text(output, toml.as_bytes(), &[], false) {
                    Ok(saved) => tell_doubt(output, "written", &saved),
                    Err(error) => {
                        match error {
                            SaveError::Exists(path) => file_error(&path, &"the file exists"),
                            other => report_save_error(output, &other),
                        }
                        return Ok(CommandOutcome::Unusable);
                    }
                },
            }
            complain(format_args!(
                "{}: with this draft, turnwise reads {reads}; check its guesses",
                shown(path)
            ));
            for warning in warnings {
                complain(format_args!("{}: {warning}", shown(path)));
            }
            if let Some(output) =
                arguments.output.as_deref().filter(|o| !is_description_found(o, path))
            {
                complain(format_args!(
                    "{}: turnwise reads descriptions only from a folder `formats` beside or above the corpus, or in your settings folder; move this file there",
                    shown(output)
                ));
            }
            Ok(CommandOutcome::Clean)
        }
        Err(why) => {
            file_error(path, &why);
            Ok(CommandOutcome::Unusable)
        }
    }
}

/// Returns a draft.
///
/// # Errors
/// If the dialogs of the file at `path` are not of the family that it describes.
fn recognized(draft: Draft, path: &Path) -> Result<Draft, String> {
    let declared = Family::read_from(&draft.toml, None).map_err(|error| error.to_string())?;
    let format = declared.keep();
    let opened = open(path, &Formats::with(vec![format]), false);
    let opened = opened.map_err(|error| error.to_string())?;
    match opened.file.format() {
        Some(found) if found.is_same(format) => Ok(draft),
        _ => Err("no draft fits: a description cannot name the keys of this file".to_owned()),
    }
}
