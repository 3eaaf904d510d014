//! `turnwise export`: writes dialogs in other programs' formats, one file each.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::PathBuf;

use super::corpus_scan::{Collector, ScanReport, ScannedDialog, examine, report_issues};
use super::errors::file_error;
use super::output::{blocked_by_file, report_nothing_written, report_save_error, tell_doubt};
use super::printer::Printer;
use super::style::shown;
use super::votes::{may_hold_votes, share};
use super::{CommandOutcome, complain};
use crate::export::{EXPORTS, Export, named};
use crate::shell::{RealFs, find_files, read_side_file, write_new};
use crate::text::{counted, visible};
use crate::votes::ids::CROWD;
use crate::votes::{VerdictError, VoteSource, verdicts};

/// Write dialogs in other programs' formats, one file each
///
/// `labels` writes the votes of a breakdown log as a detector's output, which the
/// challenge's evaluation script reads.
/// Exit code: 0 success, 1 a dialog cannot be exported, 2 a file could not be read or written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise export labels logs/ --annotator crowd -t 0.5 -o output/\n  turnwise export labels logs/ --annotator mk -o output/"
)]
pub struct Arguments {
    /// The format to write
    #[arg(value_name = "WHAT", value_parser = clap::builder::PossibleValuesParser::new(EXPORTS.iter().map(|export| export.name())))]
    what: String,
    /// Files, folders (recursive), or - for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The annotator whose votes become labels, or `crowd` for all annotators
    #[arg(long, value_name = "ID", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    annotator: String,
    /// Share of votes that the crowd's label needs, from 0 to 1; a turn without such a label is O
    #[arg(short, long, value_name = "SHARE", default_value = "0", value_parser = share)]
    threshold: f64,
    /// The output folder; each file is named after its dialog's id
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Replace existing files
    #[arg(long)]
    overwrite: bool,
}

/// The export to write.
struct ExportRequest {
    export: &'static dyn Export,
    whose: VoteSource,
    threshold: f64,
}

/// The dialogs of a file, each with its id, as texts or with the reason there is none.
struct Texts<'w> {
    wish: &'w ExportRequest,
    texts: Vec<(String, Result<String, NotExported>)>,
}

/// Why a dialog is not written.
enum NotExported {
    /// It has no votes by the annotator.
    NotConcerned,
    /// For another reason, which is reported.
    Refused(String),
}

impl Collector for Texts<'_> {
    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        if !read.format.has_votes() {
            return;
        }
        let dialog = read.dialog;
        let text = match verdicts(&dialog, &self.wish.whose, self.wish.threshold) {
            Ok(labels) => {
                let text = self.wish.export.text(&labels);
                text.map_err(|lacking| NotExported::Refused(lacking.to_string()))
            }
            Err(VerdictError::NotJudged | VerdictError::Absent { .. }) => {
                Err(NotExported::NotConcerned)
            }
            Err(why) => Err(NotExported::Refused(why.to_string())),
        };
        self.texts.push((dialog.id, text));
    }

    fn join(&mut self, later: Self) {
        self.texts.extend(later.texts);
    }
}

/// A file to write.
struct OutputFile {
    path: PathBuf,
    text: String,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let Some(export) = named(&arguments.what) else {
        return Ok(CommandOutcome::Unusable);
    };
    let wish = ExportRequest {
        export,
        whose: match arguments.annotator.as_str() {
            CROWD => VoteSource::Crowd,
            id => VoteSource::Annotator(id.to_owned()),
        },
        threshold: arguments.threshold,
    };
    let start = |_: &_| Texts {
        wish: &wish,
        texts: Vec::new(),
    };
    let mut reports = examine(&find_files(&arguments.paths), start);
    reports.retain(may_hold_votes);
    let mut outcome = report_issues(&reports);
    let goals = goals(arguments, export, reports, &mut outcome);
    let Some((goals, left_out)) = goals.filter(|_| !blocked_by_file(&arguments.output)) else {
        report_nothing_written();
        return Ok(CommandOutcome::Unusable);
    };
    if goals.is_empty() && outcome == CommandOutcome::Clean {
        complain(format_args!(
            "{:?} has no vote in these files",
            arguments.annotator
        ));
        return Ok(CommandOutcome::Issues);
    }
    let mut files = Files::default();
    if !goals.is_empty()
        && let Err(error) = std::fs::create_dir_all(&arguments.output)
    {
        file_error(&arguments.output, &error);
        return Ok(CommandOutcome::Unusable);
    }
    for goal in &goals {
        outcome = outcome.max(write(goal, arguments.overwrite, &mut files));
    }
    let folder = shown(&arguments.output);
    write!(out, "{folder}: {} written", counted(files.written, "file"))?;
    if files.there > 0 {
        write!(out, ", {} unchanged", counted(files.there, "file"))?;
    }
    if left_out > 0 {
        write!(
            out,
            ", {} without votes by {}",
            counted(left_out, "dialog"),
            visible(&arguments.annotator)
        )?;
    }
    writeln!(out)?;
    Ok(outcome)
}

/// Returns the files to write, and the number of dialogs without votes by the annotator. Reports the
/// error and returns None if two dialogs would be written to one file, or an id is not a valid file
/// name.
fn goals(
    arguments: &Arguments,
    export: &dyn Export,
    reports: Vec<ScanReport<Texts<'_>>>,
    outcome: &mut CommandOutcome,
) -> Option<(Vec<OutputFile>, u64)> {
    let mut goals: Vec<OutputFile> = Vec::new();
    let mut taken: HashMap<String, String> = HashMap::new();
    let (mut left_out, mut fits) = (0, true);
    for report in reports {
        for (id, text) in report.gathered.texts {
            let refuse = |why: &dyn std::fmt::Display| {
                file_error(&report.path, &format_args!("dialog {id:?}: {why}"));
            };
            match text {
                Ok(_) if !names_a_file(&id) => {
                    refuse(&"its id cannot be a file name");
                    fits = false;
                }
                Ok(text) => {
                    if let Some(other) = taken.insert(id.clone(), report.file.clone()) {
                        refuse(&format_args!(
                            "{} also has a dialog with this id",
                            visible(&other)
                        ));
                        fits = false;
                    }
                    goals.push(OutputFile {
                        path: arguments.output.join(format!("{id}{}", export.ending())),
                        text,
                    });
                }
                Err(NotExported::NotConcerned) => left_out += 1,
                Err(NotExported::Refused(why)) => {
                    refuse(&why);
                    *outcome = (*outcome).max(CommandOutcome::Issues);
                }
            }
        }
    }
    fits.then_some((goals, left_out))
}

/// Returns true if `id` is a valid name for a file in any folder.
fn names_a_file(id: &str) -> bool {
    let odd = |char: char| char.is_control() || matches!(char, '/' | '\\');
    !id.is_empty() && !id.starts_with('.') && !id.contains(odd)
}

/// Counts of output files.
#[derive(Default)]
struct Files {
    written: u64,
    /// Files that already had the right content.
    there: u64,
}

fn write(goal: &OutputFile, overwrite: bool, files: &mut Files) -> CommandOutcome {
    let there = read_side_file(&goal.path, goal.text.len() as u64);
    if there.is_ok_and(|bytes| bytes == goal.text.as_bytes()) {
        files.there += 1;
        return CommandOutcome::Clean;
    }
    match write_new(&RealFs, &goal.path, goal.text.as_bytes(), overwrite) {
        Ok(saved) => {
            files.written += 1;
            tell_doubt(&saved.path, "written", &saved);
            CommandOutcome::Clean
        }
        Err(error) => {
            report_save_error(&goal.path, &error);
            CommandOutcome::Unusable
        }
    }
}
