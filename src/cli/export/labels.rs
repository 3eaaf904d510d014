//! `turnwise export labels`: writes the votes of breakdown logs as a detector's output, one file each.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;

use super::Arguments;
use crate::cli::errors::{Ended, Stop, file_error};
use crate::cli::output::{LONGEST_NAME, OutputFiles, blocked_by_file, report_nothing_written};
use crate::cli::printer::Printer;
use crate::cli::scan::{Collector, ScanReport, ScannedDialog, examine, report_issues};
use crate::cli::style::shown;
use crate::cli::{CommandOutcome, complain};
use crate::export::labels;
use crate::text::{counted, grouped, visible};
use crate::votes::ids::CROWD;
use crate::votes::{VerdictError, VoteSource, verdicts};

/// The most bytes of an id in a file's name.
const LONGEST_ID: usize = LONGEST_NAME - labels::ENDING.len();

/// The votes to write.
struct ExportRequest {
    whose: VoteSource,
    threshold: f64,
}

/// The dialogs of a file, each with its id, as texts or with the reason there is none.
struct Texts<'w> {
    request: &'w ExportRequest,
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
        let text = match verdicts(&dialog, &self.request.whose, self.request.threshold) {
            Ok(verdicts) => {
                let text = labels::text(&verdicts);
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

/// Writes the votes of `annotator`.
pub fn run(arguments: &Arguments, annotator: &str, out: &mut Printer) -> Ended {
    let request = ExportRequest {
        whose: match annotator {
            CROWD => VoteSource::Crowd,
            id => VoteSource::Annotator(id.to_owned()),
        },
        threshold: arguments.threshold,
    };
    let start = |_: &_| Texts { request: &request, texts: Vec::new() };
    let mut reports =
        examine(&arguments.stdin.find_included(&arguments.paths, arguments.excluded), start);
    let is_empty = reports.is_empty();
    reports.retain(ScanReport::may_hold_votes);
    let mut outcome = report_issues(&reports);
    let goals = goals(arguments, reports, &mut outcome);
    let Some((goals, left_out)) = goals.filter(|_| !blocked_by_file(&arguments.output)) else {
        report_nothing_written();
        return Ok(CommandOutcome::Unusable);
    };
    if goals.is_empty() && !is_empty && outcome == CommandOutcome::Clean {
        complain(format_args!("{annotator:?} has no vote in these files"));
        return Ok(CommandOutcome::Issues);
    }
    let mut files = OutputFiles::new(Vec::new());
    if !goals.is_empty()
        && let Err(error) = files.make_folder(&arguments.output)
    {
        return Err(Stop::at(&arguments.output, error));
    }
    for OutputFile { path, text } in &goals {
        if let Err(error) = files.file(path).and_then(|file| file.write_all(text.as_bytes())) {
            complain(format_args!("{error}"));
            outcome = CommandOutcome::Unusable;
        }
    }
    let written = files.finish(arguments.overwrite, &mut outcome);
    if outcome == CommandOutcome::Unusable {
        return Ok(outcome);
    }
    let folder = shown(&arguments.output);
    write!(out, "{folder}: {written}")?;
    if left_out > 0 {
        write!(out, ", {} without votes by {}", counted(left_out, "dialog"), visible(annotator))?;
    }
    writeln!(out)?;
    Ok(outcome)
}

/// Returns the files to write, and the number of dialogs without votes by the annotator. Reports the
/// error and returns None if two dialogs would be written to one file, or an id is not a valid file
/// name.
fn goals(
    arguments: &Arguments,
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
                Ok(_) if id.len() > LONGEST_ID => {
                    let bytes = grouped(id.len());
                    refuse(&format_args!(
                        "its id cannot be a file name: it has {bytes} bytes, and {LONGEST_ID} fit"
                    ));
                    fits = false;
                }
                Ok(text) => {
                    if let Some(other) = taken.insert(id.clone(), report.file.clone()) {
                        refuse(&format_args!("{} also has a dialog with this id", visible(&other)));
                        fits = false;
                    }
                    goals.push(OutputFile {
                        path: arguments.output.join(format!("{id}{}", labels::ENDING)),
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
