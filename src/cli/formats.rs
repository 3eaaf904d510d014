//! `turnwise formats`: lists the formats, prints and tries a description, and drafts one.

mod check;
mod new;
mod print;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::errors::{Ended, file_error};
use super::printer::Printer;
use super::style::{self, shown};
use super::{CommandOutcome, complain};
use crate::format::{self, Family};
use crate::shell::{FormatFinder, find_files};
use crate::text::{visible, width};

/// List the dataset formats, print or try a description of one, or draft one
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  turnwise formats\n  turnwise formats new data.json -o formats/mine.toml\n  turnwise formats check formats/mine.toml data.json"
)]
pub struct Arguments {
    /// Corpora whose declared formats are listed, too [default: the current folder]
    paths: Vec<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    Check(check::Arguments),
    New(new::Arguments),
    Print(print::Arguments),
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    match &arguments.command {
        Some(Command::Check(arguments)) => check::run(arguments, out),
        Some(Command::New(arguments)) => new::run(arguments, out),
        Some(Command::Print(arguments)) => print::run(arguments, out),
        None => list(&arguments.paths, out),
    }
}

fn list(paths: &[PathBuf], out: &mut Printer) -> Ended {
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
    let all: Vec<_> = format::all().collect();
    let rows = || all.iter().chain(&own);
    let widest = |of: fn(&'static Family) -> &'static str| {
        rows().map(|format| width(&visible(of(format)))).max().unwrap_or(0)
    };
    let (name, title) = (widest(Family::name), widest(Family::title));
    let (bold, dim) = (out.style(style::PLACE), out.style(style::DIM));
    for format in rows() {
        let place = format.path().map(|path| format!(" ({})", shown(path)));
        writeln!(
            out,
            "{bold}{:name$}{bold:#}  {:title$}  {dim}{}{}{dim:#}",
            visible(format.name()),
            visible(format.title()),
            visible(format.holds()),
            place.unwrap_or_default(),
        )?;
    }
    for (path, error) in &finder.wrong {
        file_error(path, error);
    }
    Ok(if finder.wrong.is_empty() { CommandOutcome::Clean } else { CommandOutcome::Unusable })
}
