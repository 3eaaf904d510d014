//! `turnwise votes`: summarizes the breakdown votes of logs, or the answers to another question.

mod figures;
mod gather;
mod gold;
mod machine;
mod merge;
mod partial;
mod print;
pub mod progress;
mod question;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};

use super::errors::file_error;
use super::options::{ExcludedOption, ExitOptions, GoldLabels, InputOptions, PartOptions, share};
use super::printer::Printer;
use super::scan::{ScanReport, examine, report_issues};
use super::{CommandOutcome, complain};
use crate::dialog::Breakdown;
use crate::text::{counted, visible};
use crate::votes::group_by::GroupBy;
use crate::votes::{Confusion, Survey};
use figures::Figures;
use gather::{FigureRow, FileVotes, VotesRequest};
use partial::VoteSums;

pub use machine::write_csv;
use serde_json::Value;

/// Summarize breakdown votes: majorities, ties, entropy and agreement
///
/// Exit code: 0 success, 1 votes are missing or invalid, 2 a file could not be read.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  turnwise votes logs/\n  turnwise votes logs/ --by file -t 0.5\n  turnwise votes logs/ --by system\n  turnwise votes logs/ --by annotator --format csv > annotators.csv\n  turnwise votes logs/ --confusion mk js\n  turnwise votes logs/ --gold logs/gold\n  turnwise votes corpus/ --question verdict --scheme success\n  turnwise votes corpus/ --question code --scheme error-analysis --curve\n  turnwise votes corpus/ --question verdict --scheme success --judge judge-1 --gold mk"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Files, folders (recursive), or - for standard input
    #[arg(required_unless_present = "from")]
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
    /// Compare each annotator with gold labels: a folder of them, such as `logs/gold`, or a file; of the
    /// answers to a question, with one annotator
    #[arg(long, value_name = "DIR|ANNOTATOR", conflicts_with_all = ["by", "confusion"])]
    gold: Option<PathBuf>,
    /// Compare two annotators on the turns that both have judged
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "by")]
    confusion: Option<Vec<String>>,
    #[command(flatten)]
    question: question::Options,
    #[command(flatten)]
    parts: PartOptions,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
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
    /// Returns the name of the grouping in machine-readable output.
    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Dialog => "dialog",
            Self::Annotator => "annotator",
            Self::System => "system",
            Self::Position => "position",
        }
    }

    /// Returns the heads of its name columns.
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

/// The most dialogs to name as counted twice.
const TWICE: usize = 10;

/// Everything to print.
struct Findings {
    by: Option<By>,
    threshold: f64,
    /// Files and dialogs that can hold votes.
    files: u64,
    dialogs: u64,
    survey: Survey,
    total: Figures,
    /// Each file, dialog, system or position, if they were asked for.
    groups: Vec<FigureRow>,
    /// The reasons why files could not be read completely.
    unreadable: Vec<Value>,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    if let Some(Command::Merge(arguments)) = &arguments.command {
        return merge::run(arguments, out);
    }
    let outcome = match &arguments.question.question {
        Some(name) => question::run(arguments, name, out)?,
        None => summarize(arguments, out)?,
    };
    Ok(arguments.exit.outcome(outcome))
}

/// Prints the statistics that were asked for.
fn summarize(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let gold = match arguments.gold.as_deref().map(GoldLabels::read).transpose() {
        Ok(gold) => gold,
        Err(outcome) => return Ok(outcome),
    };
    let request = VotesRequest {
        by: arguments.by,
        threshold: arguments.threshold,
        pair: match arguments.confusion.as_deref() {
            Some([first, second]) => Some((first.clone(), second.clone())),
            _ => None,
        },
        gold,
        partial: arguments.parts.partial,
    };
    let gathered = if arguments.parts.from.is_empty() {
        read_corpora(arguments, &request)
    } else {
        match read_parts(arguments, &request) {
            Ok(sums) => Gathered { is_empty: false, sums, rows: Vec::new() },
            Err(why) => {
                complain(format_args!("{why}"));
                return Ok(CommandOutcome::Unusable);
            }
        }
    };
    if arguments.parts.partial {
        gathered.sums.print(out)?;
        return Ok(gathered.sums.outcome);
    }
    report(arguments, gathered, out)
}

/// How often two annotators gave each pair of labels.
struct PairTable<'a> {
    confusion: &'a Confusion,
    labels: &'a [String],
    /// The ids of the two.
    pair: (&'a str, &'a str),
    /// The word for that which is counted: `turns`.
    items: &'static str,
}

impl PairTable<'_> {
    fn print(&self, format: OutputFormat, out: &mut Printer) -> io::Result<()> {
        match format {
            OutputFormat::Text => print::confusion(self, out),
            OutputFormat::Json => machine::confusion_json(self, out),
            OutputFormat::Csv => machine::confusion_csv(self, out),
        }
    }
}

/// The votes that were read.
struct Gathered {
    /// True if standard input was empty.
    is_empty: bool,
    sums: VoteSums,
    /// Rows by file or by dialog, if they were asked for.
    rows: Vec<FigureRow>,
}

/// Reads corpora, and reports what is wrong with them.
fn read_corpora(arguments: &Arguments, request: &VotesRequest) -> Gathered {
    let found = arguments.stdin.find_included(&arguments.paths, arguments.excluded);
    let mut reports = examine(&found, |_| FileVotes::new(request));
    let is_empty = reports.is_empty();
    reports.retain(ScanReport::may_hold_votes);
    let outcome = report_issues(&reports);
    warn_of_duplicates(&reports);
    let outcome = outcome.max(report_invalid(&reports));
    Gathered {
        is_empty,
        sums: VoteSums::of(&reports, request, outcome),
        rows: gather::file_rows(&reports, request),
    }
}

/// Adds the sums of parts.
///
/// # Errors
/// If they cannot be read, or do not have what is asked for.
fn read_parts(arguments: &Arguments, request: &VotesRequest) -> Result<VoteSums, String> {
    if let Some(by @ (By::File | By::Dialog)) = request.by {
        let by = by.name();
        return Err(format!(
            "rows by {by} cannot be added: run `votes --by {by}` on each part, and join the rows"
        ));
    }
    let sums = VoteSums::read(&arguments.parts.from)?;
    if !request.partial && request.pair.is_some() && sums.pair != request.pair {
        return Err("the parts were not made with the same --confusion".to_owned());
    }
    if request.gold.is_some() {
        return Err(
            "the parts hold the gold labels that they were made with; leave out --gold".to_owned()
        );
    }
    if let Some((threshold, _)) = sums.gold
        && !partial::is_same(threshold, request.threshold)
    {
        return Err(format!("the gold labels of the parts need -t {threshold}"));
    }
    Ok(sums)
}

/// Returns the folder of logs beside a corpus without votes, if turns were judged.
fn logs_beside(path: &Path) -> Option<PathBuf> {
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    let logs = folder?.join("votes");
    logs.is_dir().then_some(logs)
}

/// Prints the figures.
fn report(
    arguments: &Arguments,
    gathered: Gathered,
    out: &mut Printer,
) -> io::Result<CommandOutcome> {
    let Gathered { is_empty, sums, rows } = gathered;
    let mut outcome = sums.outcome;
    if is_empty && matches!(arguments.format, OutputFormat::Text) {
        return Ok(outcome);
    }
    if sums.survey.tallies.turns() == 0 && !is_empty {
        match arguments.paths.iter().find_map(|path| logs_beside(path)) {
            Some(logs) => complain(format_args!(
                "no votes in these files; those of judged turns are in logs: turnwise votes {}",
                logs.display()
            )),
            None => complain(format_args!("no votes in these files")),
        }
        outcome = outcome.max(CommandOutcome::Issues);
    }
    if let Some(pair) = &sums.pair {
        for id in [&pair.0, &pair.1] {
            if !is_empty && !sums.survey.annotators.contains_key(id.as_str()) {
                complain(format_args!("{id:?} has no vote in these files"));
                outcome = outcome.max(CommandOutcome::Issues);
            }
        }
        let labels = Breakdown::ALL.map(|label| label.letter().to_owned());
        let table = PairTable {
            confusion: &sums.confusion,
            labels: &labels,
            pair: (&pair.0, &pair.1),
            items: "turns",
        };
        table.print(arguments.format, out)?;
        return Ok(outcome);
    }
    if let Some((_, compared)) = sums.gold.as_ref().filter(|_| !is_empty) {
        let folder = arguments.gold.as_deref().unwrap_or(Path::new("--gold"));
        return Ok(outcome.max(gold::print(folder, compared, arguments.format, out)?));
    }
    let (by, threshold) = (arguments.by, arguments.threshold);
    let mut groups = rows;
    groups.extend(gather::group_rows(&sums.apart, by, threshold));
    let findings = Findings {
        by,
        threshold,
        files: sums.files.len() as u64,
        dialogs: sums.dialogs,
        total: Figures::of(&sums.survey, threshold),
        groups,
        survey: sums.survey,
        unreadable: sums.unreadable,
    };
    match arguments.format {
        OutputFormat::Text if findings.total.turns == 0 => {}
        OutputFormat::Text => print::text(&findings, out)?,
        OutputFormat::Json => machine::json(&findings, out)?,
        OutputFormat::Csv => machine::csv(&findings, out)?,
    }
    Ok(outcome)
}

/// Warns on standard error about dialogs that occur more than once, because their votes count each time.
/// Logs of two corpora may use one id for two dialogs.
fn warn_of_duplicates(reports: &[ScanReport<FileVotes<'_>>]) {
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
fn report_invalid(reports: &[ScanReport<FileVotes<'_>>]) -> CommandOutcome {
    let mut outcome = CommandOutcome::Clean;
    for report in reports {
        for invalid in report.gathered.invalid().messages() {
            file_error(&report.path, &invalid);
            outcome = CommandOutcome::Issues;
        }
    }
    outcome
}
