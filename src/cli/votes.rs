//! `turnwise votes`: summarizes the breakdown votes of logs.

mod figures;
mod gather;
mod gold;
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
use super::pipeline::{ExitOptions, StdinOptions};
use super::printer::Printer;
use super::{CommandOutcome, complain};
use crate::format;
use crate::text::{counted, visible};
use crate::votes::Survey;
use crate::votes::group_by::GroupBy;
use figures::Figures;
use gather::{FigureRow, FileVotes, VotesRequest};
pub use gold::GoldLabels;

/// Summarize breakdown votes: majorities, ties, entropy and agreement
///
/// Exit code: 0 success, 1 votes are missing or invalid, 2 a file could not be read.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  turnwise votes logs/\n  turnwise votes logs/ --by file -t 0.5\n  turnwise votes logs/ --by system\n  turnwise votes logs/ --by annotator --format csv > annotators.csv\n  turnwise votes logs/ --confusion mk js\n  turnwise votes logs/ --gold logs/gold"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Files, folders (recursive), or - for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// One row per file, dialog, annotator, system, or turn position in its dialog
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Share of votes that a majority needs, from 0 to 1; a turn without a majority is O
    #[arg(short, long, value_name = "SHARE", default_value = "0", value_parser = share)]
    threshold: f64,
    /// Compare each annotator with gold labels: a folder of them, such as `logs/gold`, or a file
    #[arg(long, value_name = "DIR", conflicts_with_all = ["by", "confusion"])]
    gold: Option<PathBuf>,
    /// Compare two annotators on the turns that both have judged
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "by")]
    confusion: Option<Vec<String>>,
    #[command(flatten)]
    stdin: StdinOptions,
    #[command(flatten)]
    exit: ExitOptions,
}

#[derive(Subcommand)]
enum Command {
    Merge(merge::Arguments),
}

/// The grouping of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    File,
    Dialog,
    Annotator,
    /// Taken from `group-id`, else the id prefix, else the folder
    System,
    Position,
}

impl By {
    /// The name of the grouping in machine-readable output.
    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Dialog => "dialog",
            Self::Annotator => "annotator",
            Self::System => "system",
            Self::Position => "position",
        }
    }

    /// The heads of its name columns.
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
    /// Tables
    Text,
    /// One object; undefined values are null, with the reason under `undefined`
    Json,
    /// One line per row; undefined values are empty, with the reason in the last column
    Csv,
}

/// Parses the share of votes in a flag.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok();
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}

/// The most dialogs to name as counted twice.
const TWICE: usize = 10;

/// Everything to print.
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
    /// Files that could not be read completely.
    unusable: Vec<&'a ScanReport<FileVotes<'a>>>,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    if let Some(Command::Merge(arguments)) = &arguments.command {
        return merge::run(arguments, out);
    }
    let outcome = summarize(arguments, out)?;
    Ok(arguments.exit.outcome(outcome))
}

/// Prints the statistics that were asked for.
fn summarize(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let mut wish = VotesRequest {
        by: arguments.by,
        threshold: arguments.threshold,
        pair: match arguments.confusion.as_deref() {
            Some([first, second]) => Some((first.clone(), second.clone())),
            _ => None,
        },
        gold: None,
    };
    let gold = match &arguments.gold {
        Some(folder) => match GoldLabels::read(folder) {
            Ok(gold) => Some(gold),
            Err(outcome) => return Ok(outcome),
        },
        None => None,
    };
    wish.gold = gold;
    let found = arguments.stdin.find(&arguments.paths);
    let mut reports = examine(&found, |_| FileVotes::new(&wish));
    let is_empty = reports.is_empty();
    reports.retain(may_hold_votes);
    let mut outcome = report_issues(&reports);
    tell_twice(&reports);
    if is_empty && matches!(arguments.format, OutputFormat::Text) {
        return Ok(outcome);
    }
    let (survey, confusion) = gather::all(&reports);
    outcome = outcome.max(tell_odd(&reports));
    if survey.tallies.turns() == 0 && !is_empty {
        complain(format_args!("no votes in these files"));
        outcome = outcome.max(CommandOutcome::Issues);
    }
    if let Some(pair) = &wish.pair {
        for id in [&pair.0, &pair.1] {
            if !is_empty && !survey.annotators.contains_key(id.as_str()) {
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
    if let Some(gold) = wish.gold.as_ref().filter(|_| !is_empty) {
        let compared = gold::all(&reports);
        return Ok(outcome.max(gold::print(gold, &compared, arguments.format, out)?));
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

/// Returns true for logs with votes, and for unreadable files. Other formats in a folder are ignored.
pub fn may_hold_votes<G>(report: &ScanReport<G>) -> bool {
    is_log(report) || report.family.is_none() || report.outcome == CommandOutcome::Unusable
}

/// Returns true for files of dialogs that annotators vote on.
pub fn is_log<G>(report: &ScanReport<G>) -> bool {
    let format = report.family.and_then(format::named);
    format.is_some_and(<dyn format::Format>::has_votes)
}

/// Warns on standard error about dialogs that occur more than once, because their votes count each time.
/// Logs of two corpora may use one id for two dialogs.
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
            &format_args!("dialog {id} is also in {first} and counted twice"),
        );
    }
    let more = twice.len().saturating_sub(TWICE);
    if more > 0 {
        let dialogs = counted(more, "more dialog");
        complain(format_args!("{dialogs} counted twice"));
    }
}

/// Reports invalid votes on standard error.
fn tell_odd(reports: &[ScanReport<FileVotes<'_>>]) -> CommandOutcome {
    let mut outcome = CommandOutcome::Clean;
    for report in reports {
        for odd in report.gathered.odd().messages() {
            file_error(&report.path, &odd);
            outcome = CommandOutcome::Issues;
        }
    }
    outcome
}
