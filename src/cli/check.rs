//! `turnwise check`: reports the contents of files and format errors in them.

mod judgements;
mod print;

use std::io;
use std::path::PathBuf;

use clap::ValueEnum;

use super::CommandOutcome;
use super::options::{ExcludedOption, ExitOptions, InputOptions};
use super::printer::Printer;
use super::scan::{Collector, ScannedDialog, examine, worst};
use crate::corpus::{CorpusFile, explain};
use crate::dialog::{Counts, UnreadParts};
use crate::json::repeated_members;
use crate::shell::{logs_of_others, read_judgements};

/// Report the contents of corpus files, errors in their format, and parts that are not read
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
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
    #[command(flatten)]
    exit: ExitOptions,
}

#[derive(Clone, Copy, ValueEnum)]
enum OutputFormat {
    /// One issue or note per line, then a table of the files
    Text,
    /// An array with one object per file
    Json,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let mut found = arguments.stdin.find_included(&arguments.paths, arguments.excluded);
    // What is wrong in files of judgements is reported if they are checked themselves.
    read_judgements(&mut found);
    let logs = logs_of_others(&mut found);
    let mut reports = examine(&found, |path| FileSummary {
        only_votes: logs.contains(path),
        ..FileSummary::default()
    });
    judgements::report_unfit(&found, &mut reports)?;
    match arguments.format {
        OutputFormat::Text => print::text(&reports, out)?,
        OutputFormat::Json => print::json(&reports, out)?,
    }
    Ok(arguments.exit.outcome(worst(&reports)))
}

/// The contents of a file.
#[derive(Default)]
struct FileSummary {
    counts: Counts,
    unread: UnreadParts,
    /// Its dialogs are those of another file that is checked, too.
    only_votes: bool,
}

impl FileSummary {
    fn add(&mut self, counts: Counts) {
        self.counts += if self.only_votes {
            Counts { votes: counts.votes, ..Counts::default() }
        } else {
            counts
        };
    }
}

impl Collector for FileSummary {
    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        self.add(read.dialog.counts());
        self.unread.add_dialog(&read.dialog);
        // Elsewhere, members have one reader and one writer.
        if read.format.is_session() || read.format.chat().is_some() {
            for name in repeated_members(read.tree.root()) {
                self.unread.add(format!("earlier `{name}`").into(), 1);
            }
        }
    }

    fn broken(&mut self) {
        self.add(Counts { dialogs: 1, ..Counts::default() });
    }

    fn join(&mut self, later: Self) {
        self.counts += later.counts;
        self.unread.join(&later.unread);
    }

    fn end_of_file(&mut self, file: &CorpusFile) -> io::Result<()> {
        for name in explain::unread_members(file)? {
            self.unread.add(name.into(), 1);
        }
        Ok(())
    }
}
