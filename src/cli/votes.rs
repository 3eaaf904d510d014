//! `turnwise votes`: what the breakdown votes of logs add up to.

mod figures;
mod gather;
mod machine;
mod merge;
mod print;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};

use super::corpus_scan::{ScanReport, examine, report_issues};
use super::errors::file_error;
use super::printer::Printer;
use super::{CommandOutcome, complain};
use crate::format;
use crate::shell::find_files;
use crate::text::{counted, visible};
use crate::votes::Survey;
use crate::votes::group_by::GroupBy;
use figures::Figures;
use gather::{FigureRow, FileVotes, VotesRequest};

/// Say what breakdown votes add up to: majorities, ties, entropy and agreement
///
/// Exit code: 0 all is well, 1 votes are missing or not as they should be, 2 something could not be
/// read.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  turnwise votes logs/\n  turnwise votes logs/ --by file -t 0.5\n  turnwise votes logs/ --by system\n  turnwise votes logs/ --by annotator --format csv > annotators.csv\n  turnwise votes logs/ --confusion mk js"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Files, folders (with everything in them), or - for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// A row for each file, dialog, annotator, system, or position of a turn in its dialog
    #[arg(long, value_enum)]
    by: Option<By>,
    /// How to print the figures
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// The share of votes that a majority needs, from 0 to 1; a turn without one is O
    #[arg(short, long, value_name = "SHARE", default_value = "0", value_parser = share)]
    threshold: f64,
    /// What two annotators say of the turns that both have judged
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "by")]
    confusion: Option<Vec<String>>,
}

#[derive(Subcommand)]
enum Command {
    Merge(merge::Arguments),
}

/// What has a row of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    File,
    Dialog,
    Annotator,
    /// As the logs tell it: by `group-id`, by what ids begin with, or by the folder
    System,
    Position,
}

impl By {
    /// As figures for programs name it.
    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Dialog => "dialog",
            Self::Annotator => "annotator",
            Self::System => "system",
            Self::Position => "position",
        }
    }

    /// What stands over the names of its rows.
    fn heads(self) -> &'static [&'static str] {
        match self {
            Self::File => &["file"],
            Self::Dialog => &["file", "dialog"],
            Self::Annotator => &["annotator"],
            Self::System => &["system"],
            Self::Position => &["position"],
        }
    }

    fn split(self) -> Option<GroupBy> {
        match self {
            Self::System => Some(GroupBy::System),
            Self::Position => Some(GroupBy::Position),
            Self::File | Self::Dialog | Self::Annotator => None,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum OutputFormat {
    /// Tables to read
    Text,
    /// One object; what is undefined is null, with its reason under `undefined`
    Json,
    /// A line for each row; what is undefined is empty, with its reason in the last column
    Csv,
}

/// The share of votes that a flag asks for.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok();
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}

/// Dialogs counted twice that are named, at the most.
const TWICE: usize = 10;

/// Everything there is to print.
struct Findings<'a> {
    by: Option<By>,
    threshold: f64,
    /// Files and dialogs that can hold votes.
    files: u64,
    dialogs: u64,
    survey: Survey,
    total: Figures,
    /// Each file or dialog, if they were asked for.
    groups: Vec<FigureRow>,
    /// Files that could not be read, or not in whole.
    unusable: Vec<&'a ScanReport<FileVotes<'a>>>,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    if let Some(Command::Merge(arguments)) = &arguments.command {
        return merge::run(arguments, out);
    }
    let wish = VotesRequest {
        by: arguments.by,
        threshold: arguments.threshold,
        pair: match arguments.confusion.as_deref() {
            Some([first, second]) => Some((first.clone(), second.clone())),
            _ => None,
        },
    };
    let found = find_files(&arguments.paths);
    let mut reports = examine(&found, |_| FileVotes::new(&wish));
    reports.retain(may_hold_votes);
    let mut outcome = report_issues(&reports);
    tell_twice(&reports);
    let (survey, confusion) = gather::all(&reports);
    outcome = outcome.max(tell_odd(&reports));
    if survey.tallies.turns() == 0 {
        complain(format_args!("there are no votes in these files"));
        outcome = outcome.max(CommandOutcome::Issues);
    }
    if let Some(pair) = &wish.pair {
        for id in [&pair.0, &pair.1] {
            if !survey.annotators.contains_key(id.as_str()) {
                complain(format_args!("{id:?} has no vote in these files"));
                outcome = outcome.max(CommandOutcome::Issues);
            }
        }
        match arguments.format {
            OutputFormat::Text => print::confusion(&confusion, pair, out)?,
            OutputFormat::Json => machine::confusion_json(&confusion, pair, out)?,
            OutputFormat::Csv => machine::confusion_csv(&confusion, pair, out)?,
        }
        return Ok(outcome);
    }
    let findings = Findings {
        by: arguments.by,
        threshold: arguments.threshold,
        files: reports.iter().filter(|report| is_log(report)).count() as u64,
        dialogs: reports.iter().map(|report| report.gathered.dialogs).sum(),
        total: Figures::of(&survey, arguments.threshold),
        groups: gather::groups(&reports, &wish),
        survey,
        unusable: reports
            .iter()
            .filter(|report| report.outcome == CommandOutcome::Unusable)
            .collect(),
    };
    match arguments.format {
        OutputFormat::Text if findings.total.turns == 0 => {}
        OutputFormat::Text => print::text(&findings, out)?,
        OutputFormat::Json => machine::json(&findings, out)?,
        OutputFormat::Csv => machine::csv(&findings, out)?,
    }
    Ok(outcome)
}

/// True for logs with votes, and for what cannot be read. Other families in a folder are not what this
/// is about.
pub fn may_hold_votes<G>(report: &ScanReport<G>) -> bool {
    is_log(report) || report.family.is_none() || report.outcome == CommandOutcome::Unusable
}

/// True for files of dialogs that annotators vote on.
pub fn is_log<G>(report: &ScanReport<G>) -> bool {
    let format = report.family.and_then(format::named);
    format.is_some_and(<dyn format::Format>::has_votes)
}

/// Dialogs that are there more than once are told of on standard error: all their votes count each time.
/// Logs of two corpora may use an id for two dialogs.
fn tell_twice(reports: &[ScanReport<FileVotes<'_>>]) {
    let mut seen = HashMap::new();
    let mut twice = Vec::new();
    for report in reports {
        for named in &report.gathered.ids {
            match seen.entry(named) {
                Entry::Vacant(place) => {
                    place.insert(&report.file);
                }
                Entry::Occupied(first) => twice.push((&report.file, *first.get(), &named.0)),
            }
        }
    }
    for (file, first, id) in twice.iter().take(TWICE) {
        let first = visible(first);
        file_error(
            Path::new(file),
            &format_args!("dialog {id} is in {first} too, and counted twice"),
        );
    }
    let more = twice.len().saturating_sub(TWICE);
    if more > 0 {
        let dialogs = counted(more, "more dialog");
        complain(format_args!("{dialogs} counted twice"));
    }
}

/// Votes that are not as they should be, on standard error.
fn tell_odd(reports: &[ScanReport<FileVotes<'_>>]) -> CommandOutcome {
    let mut outcome = CommandOutcome::Clean;
    for report in reports {
        for odd in report.gathered.odd().told() {
            file_error(&report.path, &odd);
            outcome = CommandOutcome::Issues;
        }
    }
    outcome
}
