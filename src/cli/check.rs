//! `turnwise check`: reports the contents of files and format errors in them.

mod print;

use std::io;
use std::path::PathBuf;

use clap::ValueEnum;

use super::CommandOutcome;
use super::corpus_scan::{Collector, ScannedDialog, examine, worst};
use super::pipeline::{ExitOptions, StdinOptions};
use super::printer::Printer;
use crate::dialog::Counts;

/// Report the contents of corpus files and errors in their format
///
/// Exit code: 0 no issues, 1 issues found, 2 a file could not be read.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise check corpus/\n  turnwise check --format json data.json | jq '.[].issues'\n  zcat data.json.gz | turnwise check -"
)]
pub struct Arguments {
    /// Files, folders (recursive), or - for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten)]
    stdin: StdinOptions,
    #[command(flatten)]
    exit: ExitOptions,
}

#[derive(Clone, Copy, ValueEnum)]
enum OutputFormat {
    /// One issue per line, then a table of the files
    Text,
    /// An array with one object per file
    Json,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let reports = examine(&arguments.stdin.find(&arguments.paths), |_| {
        Counts::default()
    });
    match arguments.format {
        OutputFormat::Text => print::text(&reports, out)?,
        OutputFormat::Json => print::json(&reports, out)?,
    }
    Ok(arguments.exit.outcome(worst(&reports)))
}

impl Collector for Counts {
    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        *self += read.dialog.counts();
    }

    fn broken(&mut self) {
        self.dialogs += 1;
    }

    fn join(&mut self, later: Self) {
        *self += later;
    }
}
