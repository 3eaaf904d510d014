//! `turnwise check`: what files hold, and what is wrong with their form.

mod examine;
mod print;
mod progress;

use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rayon::prelude::*;

use super::Outcome;
use crate::shell::{Found, find_files, open, open_source};
pub use examine::batches;
use examine::{Report, examine, unreadable};
pub use progress::Progress;

/// Say what corpus files hold and what is wrong with their form
///
/// Exit code: 0 nothing is wrong, 1 there are issues, 2 something could not be read.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise check corpus/\n  turnwise check --format json data.json | jq '.[].issues'\n  zcat data.json.gz | turnwise check -"
)]
pub struct Arguments {
    /// Files, folders (with everything in them), or - for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How to print the findings
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum OutputFormat {
    /// Issues a line each, then a table of the files
    Text,
    /// An array with an object for each file
    Json,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Outcome> {
    let found = find_files(&arguments.paths);
    let progress = Progress::over(&found);
    let reports: Vec<Report> = found
        .par_iter()
        .map(|found| check(found, &progress))
        .collect();
    progress.finish();
    match arguments.format {
        OutputFormat::Text => print::text(&reports, out)?,
        OutputFormat::Json => print::json(&reports, out)?,
    }
    Ok(reports
        .iter()
        .map(|report| report.outcome)
        .max()
        .unwrap_or_default())
}

fn check(found: &Found, progress: &Progress) -> Report {
    match found {
        Found::Problem { path, error } => unreadable(name(path), error.to_string()),
        Found::File { path, .. } if path == Path::new("-") => match standard_input() {
            Ok(bytes) => match open_source(bytes, false) {
                Ok(file) => examine("-".to_owned(), &file, progress),
                Err(error) => unreadable("-".to_owned(), error.to_string()),
            },
            Err(error) => unreadable("-".to_owned(), error.to_string()),
        },
        Found::File { path, .. } => match open(path, false) {
            Ok(opened) => examine(name(path), &opened.file, progress),
            Err(error) => unreadable(name(path), error.to_string()),
        },
    }
}

fn standard_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}
