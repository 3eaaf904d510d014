//! `turnwise export`: dialogs written out for other programs, a file each.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::PathBuf;

use super::errors::file_error;
use super::examine::{Gather, Read, Report, examine, report_issues};
use super::output::{blocked_by_file, report_nothing_written, report_save_error, tell_doubt};
use super::paint::shown;
use super::printer::Printer;
use super::votes::{may_hold_votes, share};
use super::{Outcome, complain};
use crate::export::{EXPORTS, Export, named};
use crate::shell::{RealFs, find_files, read_side_file, write_new};
use crate::text::{counted, visible};
use crate::votes::ids::CROWD;
use crate::votes::{NoLabels, Whose, verdicts};

/// Write dialogs out for other programs, a file each
///
/// What is written: `labels`, the votes of a breakdown log as a detector's output, which the
/// challenge's evaluation script reads.
/// Exit code: 0 all is well, 1 a dialog cannot be exported, 2 something could not be read or written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise export labels logs/ --annotator crowd -t 0.5 -o output/\n  turnwise export labels logs/ --annotator mk -o output/"
)]
pub struct Arguments {
    /// What to write
    #[arg(value_name = "WHAT", value_parser = clap::builder::PossibleValuesParser::new(EXPORTS.iter().map(|export| export.name())))]
    what: String,
    /// Files, folders (with everything in them), or - for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Whose votes become labels: an annotator's id, or `crowd` for everybody's
    #[arg(long, value_name = "ID", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    annotator: String,
    /// The share of votes that the crowd's label needs, from 0 to 1; a turn without one is O
    #[arg(short, long, value_name = "SHARE", default_value = "0", value_parser = share)]
    threshold: f64,
    /// The folder to write into; each file is called by its dialog's id
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Replace files that are there already
    #[arg(long)]
    overwrite: bool,
}

/// What is to be written.
struct Wish {
    export: &'static dyn Export,
    whose: Whose,
    threshold: f64,
}

/// The dialogs of a file, each with its id, as texts or why there is none.
struct Texts<'w> {
    wish: &'w Wish,
    texts: Vec<(String, Result<String, Why>)>,
}

/// Why a dialog is not written.
enum Why {
    /// It is not about the one who was asked for.
    NotConcerned,
    Told(String),
}

impl Gather for Texts<'_> {
    fn dialog(&mut self, read: Read<'_, '_>) {
        if !read.format.has_votes() {
            return;
        }
        let dialog = read.dialog;
        let text = match verdicts(&dialog, &self.wish.whose, self.wish.threshold) {
            Ok(labels) => {
                let text = self.wish.export.text(&labels);
                text.map_err(|lacking| Why::Told(lacking.to_string()))
            }
            Err(NoLabels::NotJudged | NoLabels::Absent { .. }) => Err(Why::NotConcerned),
            Err(why) => Err(Why::Told(why.to_string())),
        };
        self.texts.push((dialog.id, text));
    }

    fn join(&mut self, later: Self) {
        self.texts.extend(later.texts);
    }
}

/// A file to be written.
struct Goal {
    path: PathBuf,
    text: String,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<Outcome> {
    let Some(export) = named(&arguments.what) else {
        return Ok(Outcome::Unusable);
    };
    let wish = Wish {
        export,
        whose: match arguments.annotator.as_str() {
            CROWD => Whose::Crowd,
            id => Whose::Annotator(id.to_owned()),
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
        return Ok(Outcome::Unusable);
    };
    if goals.is_empty() && outcome == Outcome::Clean {
        complain(format_args!(
            "{:?} has no vote in these files",
            arguments.annotator
        ));
        return Ok(Outcome::Issues);
    }
    let mut files = Files::default();
    if !goals.is_empty()
        && let Err(error) = std::fs::create_dir_all(&arguments.output)
    {
        file_error(&arguments.output, &error);
        return Ok(Outcome::Unusable);
    }
    for goal in &goals {
        outcome = outcome.max(write(goal, arguments.overwrite, &mut files));
    }
    let folder = shown(&arguments.output);
    write!(out, "{folder}: {} written", counted(files.written, "file"))?;
    if files.there > 0 {
        write!(out, ", {} there already", counted(files.there, "file"))?;
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

/// The files to be written, and how many dialogs are not about the one who was asked for. None, said
/// aloud, if two dialogs would be written to one file, or one has an id that is no file's name.
fn goals(
    arguments: &Arguments,
    export: &dyn Export,
    reports: Vec<Report<Texts<'_>>>,
    outcome: &mut Outcome,
) -> Option<(Vec<Goal>, u64)> {
    let mut goals: Vec<Goal> = Vec::new();
    let mut taken: HashMap<String, String> = HashMap::new();
    let (mut left_out, mut fits) = (0, true);
    for report in reports {
        for (id, text) in report.gathered.texts {
            let told = |why: &dyn std::fmt::Display| {
                file_error(&report.path, &format_args!("dialog {id:?}: {why}"));
            };
            match text {
                Ok(_) if !names_a_file(&id) => {
                    told(&"its id cannot be the name of a file");
                    fits = false;
                }
                Ok(text) => {
                    if let Some(other) = taken.insert(id.clone(), report.file.clone()) {
                        told(&format_args!(
                            "{} has a dialog of this id as well",
                            visible(&other)
                        ));
                        fits = false;
                    }
                    goals.push(Goal {
                        path: arguments.output.join(format!("{id}{}", export.ending())),
                        text,
                    });
                }
                Err(Why::NotConcerned) => left_out += 1,
                Err(Why::Told(why)) => {
                    told(&why);
                    *outcome = (*outcome).max(Outcome::Issues);
                }
            }
        }
    }
    fits.then_some((goals, left_out))
}

/// True if `id` names a file of its own in whatever folder it is put.
fn names_a_file(id: &str) -> bool {
    let odd = |char: char| char.is_control() || matches!(char, '/' | '\\');
    !id.is_empty() && !id.starts_with('.') && !id.contains(odd)
}

/// How many files hold what they should.
#[derive(Default)]
struct Files {
    written: u64,
    /// Nothing had to be done.
    there: u64,
}

fn write(goal: &Goal, overwrite: bool, files: &mut Files) -> Outcome {
    let there = read_side_file(&goal.path, goal.text.len() as u64);
    if there.is_ok_and(|bytes| bytes == goal.text.as_bytes()) {
        files.there += 1;
        return Outcome::Clean;
    }
    match write_new(&RealFs, &goal.path, goal.text.as_bytes(), overwrite) {
        Ok(saved) => {
            files.written += 1;
            tell_doubt(&saved.path, "written", &saved);
            Outcome::Clean
        }
        Err(error) => {
            report_save_error(&goal.path, &error);
            Outcome::Unusable
        }
    }
}
