//! `turnwise score`: scores a breakdown detector's labels.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use super::errors::{Ended, file_error};
use super::options::{ExcludedOption, share};
use super::page::Format;
use super::printer::Printer;
use super::scan::{Collector, Companions, ScanReport, ScannedDialog, examine, report_issues};
use super::style::shown;
use super::{CommandOutcome, complain};
use crate::dialog::Dialog;
use crate::format::{self, Family};
use crate::shell::{find_files, leave_out_excluded};
use crate::votes::{
    HitCounts, LabelGrouping, Pairing, Score, ScoredTurn, Statistic, TargetLabels, TurnMismatch,
};

/// Score a breakdown detector's labels, as the challenge's evaluation script does
///
/// Prints what the script prints for `-p LOGS -o LABELS -t SHARE`.
/// Exit code: 0 success, 1 labels are invalid, 2 a log or its labels could not be read or do not fit;
/// then nothing is scored.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise score logs/ output/\n  turnwise score logs/ output/ -t 0.5 --format json"
)]
pub struct Arguments {
    /// A log, or a folder of logs
    logs: PathBuf,
    #[command(flatten)]
    excluded: ExcludedOption,
    /// The detector's labels, or a folder of them; matched by dialogue id
    labels: PathBuf,
    /// Share of votes that a majority needs, from 0 to 1; a turn without a majority is O
    #[arg(short, long, value_name = "SHARE", default_value = "0", value_parser = share)]
    threshold: f64,
    /// How to match labels with turns
    #[arg(long, value_enum, default_value_t = By::Order)]
    pair: By,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(FORMATS))]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    /// In order: the first label goes with the first judged turn, as in the script
    Order,
    /// By `turn-index`
    Index,
}

/// The forms of the output.
const FORMATS: &[(Format, &str)] = &[
    (Format::Text, "The script's output; undefined values are 0"),
    (Format::Json, "One object; undefined values are null, with the reason under `undefined`"),
];

/// A log with its judged turns.
struct Log {
    id: String,
    turns: Vec<ScoredTurn>,
}

#[derive(Default)]
struct Logs(Vec<Log>);

impl Collector for Logs {
    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        if !read.format.has_votes() {
            return;
        }
        self.0.push(Log { turns: ScoredTurn::of(&read.dialog), id: read.dialog.id });
    }

    fn join(&mut self, later: Self) {
        self.0.extend(later.0);
    }
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let found = |path| find_files(std::slice::from_ref(path));
    let mut included = found(&arguments.logs);
    if !arguments.excluded.are_read() {
        leave_out_excluded(&mut included);
    }
    let mut logs = examine(&included, |_| Logs::default());
    if logs.is_empty() {
        // Standard input is empty.
        return Ok(CommandOutcome::Clean);
    }
    logs.retain(ScanReport::may_hold_votes);
    let mut labels = examine(&found(&arguments.labels), |_| Companions::default());
    labels.retain(may_be_labels);
    let readable = report_issues(&logs);
    let mut outcome = readable.max(report_issues(&labels));
    let mut sum = Sum::new(arguments);
    if readable == CommandOutcome::Unusable {
        complain(format_args!("nothing was scored because some logs cannot be read"));
        return Ok(outcome);
    }
    let labels = AllLabels::new(&labels);
    for report in &logs {
        for log in &report.gathered.0 {
            outcome = outcome.max(sum.add(&report.path, log, &labels));
        }
    }
    if outcome == CommandOutcome::Unusable && sum.unscored > 0 {
        complain(format_args!("nothing was scored"));
    } else if sum.score.turns() == 0 {
        file_error(&arguments.logs, &"no logs with votes here");
        outcome = CommandOutcome::Unusable;
    } else {
        match arguments.format {
            Format::Json => print_json(&sum.score, sum.logs, arguments.threshold, out)?,
            _ => print_text(&sum.score, sum.logs, out)?,
        }
    }
    Ok(outcome)
}

/// The score of the logs so far.
struct Sum<'a> {
    arguments: &'a Arguments,
    score: Score,
    logs: u64,
    /// Logs whose labels are missing or do not fit.
    unscored: u64,
}

impl<'a> Sum<'a> {
    fn new(arguments: &'a Arguments) -> Self {
        let pairing = match arguments.pair {
            By::Order => Pairing::Order,
            By::Index => Pairing::Number,
        };
        Self { arguments, score: Score::new(arguments.threshold, pairing), logs: 0, unscored: 0 }
    }

    /// Adds a log from `file`. Reports why it has no score, and labels that were compared with other
    /// turns.
    fn add(&mut self, path: &Path, log: &Log, labels: &AllLabels<'_>) -> CommandOutcome {
        self.logs += 1;
        let found = labels.of(&log.id, &self.arguments.labels);
        let compared = found.and_then(|(path, labels)| {
            let mismatches = self.score.add(&log.turns, labels);
            let mismatches = mismatches.map_err(|why| format!("{}: {why}", shown(path)))?;
            Ok(report_mismatches(path, &mismatches))
        });
        compared.unwrap_or_else(|why| {
            file_error(path, &why);
            self.unscored += 1;
            CommandOutcome::Unusable
        })
    }
}

/// Returns true for a detector's output, and for unreadable files.
fn may_be_labels<G>(report: &ScanReport<G>) -> bool {
    let format = report.family.and_then(format::named);
    let is_labels = format.is_some_and(Family::is_companion);
    is_labels || report.family.is_none() || report.outcome == CommandOutcome::Unusable
}

/// Reports labels that were compared with turns they are not meant for.
fn report_mismatches(path: &Path, mismatches: &[TurnMismatch]) -> CommandOutcome {
    let Some(TurnMismatch { turn, label }) = mismatches.first() else {
        return CommandOutcome::Clean;
    };
    let others = match mismatches.len() {
        1 => String::new(),
        2 => ", and 1 more label with a wrong turn".to_owned(),
        count => format!(", and {} more labels with wrong turns", count - 1),
    };
    let why = format!(
        "the label for turn {label} was compared with turn {turn}{others}; like the challenge's script, turnwise matches labels in order; use --pair index to match labels by `turn-index`"
    );
    file_error(path, &why);
    CommandOutcome::Issues
}

/// All labels, by the ids of their dialogs and by their files.
struct AllLabels<'r> {
    by_id: HashMap<&'r str, Vec<(&'r Path, &'r Dialog)>>,
    by_file: HashMap<&'r Path, &'r ScanReport<Companions>>,
}

impl<'r> AllLabels<'r> {
    fn new(reports: &'r [ScanReport<Companions>]) -> Self {
        let mut by_id: HashMap<&str, Vec<(&Path, &Dialog)>> = HashMap::new();
        for report in reports {
            for dialog in &report.gathered.0 {
                let labels = by_id.entry(&dialog.id).or_default();
                labels.push((report.path.as_path(), dialog));
            }
        }
        // Of several reports on one file, the first counts.
        let by_file = reports.iter().rev();
        let by_file = by_file.map(|report| (report.path.as_path(), report));
        let by_file = by_file.collect();
        Self { by_id, by_file }
    }

    /// Returns the labels for the dialog `id`, and their file. If several files have some, `ID.labels.json`
    /// directly in the folder `named` wins, because the challenge's script looks there.
    ///
    /// # Errors
    /// If there are none, or the choice is ambiguous; the reason as text.
    fn of(&self, id: &str, named: &Path) -> Result<(&'r Path, &'r Dialog), String> {
        let usual = named.join(format!("{id}.labels.json"));
        match self.by_id.get(id).map_or(&[][..], Vec::as_slice) {
            [one] => Ok(*one),
            [] => {
                let other = self.by_file.get(usual.as_path());
                let other = other.and_then(|report| report.gathered.0.first());
                let other =
                    other.map(|dialog| format!("; {} is for {:?}", shown(&usual), dialog.id));
                let other = other.unwrap_or_default();
                Err(format!("no labels for dialog {id:?} in {}{other}", shown(named)))
            }
            several => {
                let mut usual = several.iter().filter(|(path, _)| *path == usual);
                match (usual.next(), usual.next()) {
                    (Some(one), None) => Ok(*one),
                    _ => Err(format!(
                        "there are labels for dialog {id:?} in {} and in {}",
                        shown(several[0].0),
                        shown(several[1].0)
                    )),
                }
            }
        }
    }
}

/// Prints exactly the script's output, including its tabs, because other programs read it.
fn print_text(score: &Score, files: u64, out: &mut Printer) -> io::Result<()> {
    let [o, t, x] = score.labels();
    writeln!(out, "######### Data Stats #########")?;
    writeln!(out, "File Num : \t\t{files}")?;
    writeln!(out, "System Utterance Num : \t{}", score.turns())?;
    writeln!(out, "O Label Num : \t\t{o}")?;
    writeln!(out, "T Label Num : \t\t{t}")?;
    writeln!(out, "X Label Num : \t\t{x}\n")?;
    writeln!(out, "######### Results #########")?;
    let (accuracy, correct) = (decimals(score.accuracy()), score.correct());
    writeln!(out, "Accuracy : \t\t{accuracy} ({correct}/{})\n", score.turns())?;
    found(score.found(TargetLabels::X), "X", out)?;
    found(score.found(TargetLabels::Tx), "T+X", out)?;
    for grouping in LabelGrouping::ALL {
        let value = decimals(score.divergence(grouping));
        writeln!(out, "JS divergence ({}) : \t{value}", grouping.name())?;
    }
    writeln!(out)?;
    for grouping in LabelGrouping::ALL {
        let value = decimals(score.squared_error(grouping));
        writeln!(out, "Mean squared error ({}) : \t{value}", grouping.name())?;
    }
    writeln!(out, "###########################")
}

fn found(found: HitCounts, label: &str, out: &mut Printer) -> io::Result<()> {
    let HitCounts { hits, detected, there } = found;
    let precision = decimals(found.precision());
    writeln!(out, "Precision ({label}) : \t{precision} ({hits}/{detected})")?;
    let recall = decimals(found.recall());
    writeln!(out, "Recall    ({label}) : \t{recall} ({hits}/{there})")?;
    writeln!(out, "F-measure ({label}) : \t{}\n", decimals(found.f_measure()))
}

/// Formats a statistic; like the script, prints 0 if it is undefined.
fn decimals(statistic: Statistic) -> String {
    format!("{:.6}", statistic.unwrap_or(0.0))
}

fn print_json(score: &Score, files: u64, threshold: f64, out: &mut Printer) -> io::Result<()> {
    let mut undefined = Map::new();
    let mut value = |name: &str, statistic: Statistic| match statistic {
        Ok(value) => json!(value),
        Err(why) => {
            undefined.insert(name.to_owned(), json!(why.to_string()));
            Value::Null
        }
    };
    let accuracy = value("accuracy", score.accuracy());
    let mut quality = |name: &str, sought: TargetLabels| {
        let found = score.found(sought);
        json!({
            "hits": found.hits,
            "detected": found.detected,
            "there": found.there,
            "precision": value(&format!("{name}.precision"), found.precision()),
            "recall": value(&format!("{name}.recall"), found.recall()),
            "f_measure": value(&format!("{name}.f_measure"), found.f_measure()),
        })
    };
    let (x, tx) = (quality("X", TargetLabels::X), quality("T+X", TargetLabels::Tx));
    let grouped = |of: &dyn Fn(LabelGrouping) -> Statistic| -> Map<String, Value> {
        let one = |grouping: LabelGrouping| (grouping.name().to_owned(), json!(of(grouping).ok()));
        LabelGrouping::ALL.into_iter().map(one).collect()
    };
    let object = json!({
        "threshold": threshold,
        "files": files,
        "turns": score.turns(),
        "labels": score.labels(),
        "correct": score.correct(),
        "accuracy": accuracy,
        "X": x,
        "T+X": tx,
        "js_divergence": grouped(&|grouping| score.divergence(grouping)),
        "mean_squared_error": grouped(&|grouping| score.squared_error(grouping)),
        "undefined": undefined,
    });
    out.json(&object)?;
    writeln!(out)
}
