//! `turnwise check`: what files hold, and what is wrong with their form.

mod print;

use std::io;
use std::path::PathBuf;

use clap::ValueEnum;

use super::CommandOutcome;
use super::corpus_scan::{Collector, ScannedDialog, examine, worst};
use super::printer::Printer;
use crate::dialog::Counts;
use crate::shell::find_files;

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

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let reports = examine(&find_files(&arguments.paths), |_| Counts::default());
    match arguments.format {
        OutputFormat::Text => print::text(&reports, out)?,
        OutputFormat::Json => print::json(&reports, out)?,
    }
    Ok(worst(&reports))
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
