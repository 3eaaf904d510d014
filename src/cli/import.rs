//! `turnwise import`: turns annotations from other programs into edits of the corpus.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};

use super::CommandOutcome;
use super::apply;
use super::browse;
use super::errors::{Ended, Stop, complain, file_issues, line_error};
use super::options::InputOptions;
use super::output::SaveOptions;
use super::printer::Printer;
use super::records::{Placed, RecordLine, TargetFile, WantedDialog, place, read_edits};
use super::scan::broken_dialog;
use super::style::shown;
use crate::corpus::{DialogRef, Proposal, Record, Suggestion};
use crate::dialog::{Dialog, Edit};
use crate::format;
use crate::import::{
    self, AnnotatedTurn, FORMATS, ImportError, ImportFormat, ImportTexts, differences,
};
use crate::json::Escapes;
use crate::shell::{OpenedFile, STDIN};
use crate::text::counted;

/// Turn annotations from other programs into edits of the corpus
///
/// Compares the annotations with the segments of the corpus and prints an edit record for each
/// difference; --apply makes the edits, --review asks about each on the screen.
/// Exit code: 0 success, 1 an annotation does not fit the corpus, 2 a file could not be read or written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise import label-studio project.json corpus/\n  turnwise import doccano admin.jsonl corpus/ --apply\n  turnwise import tables tables/ corpus/ | turnwise apply - corpus/ --diff"
)]
pub struct Arguments {
    /// The format to read
    #[arg(value_parser = format_names())]
    format: String,
    /// The annotations, or - for standard input; for `tables`, also their folder
    file: PathBuf,
    /// Files, folders (recursive), or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Apply the edits and save the files; each file gets either all its edits or none
    #[arg(long)]
    apply: bool,
    /// Review the edits one by one on the screen
    #[arg(long, conflicts_with = "apply")]
    review: bool,
    /// Skip and report turns that no longer fit the corpus, for example because their text has been
    /// edited
    #[arg(long)]
    skip: bool,
    /// Import only the annotations by this person or model, if the file names annotators
    #[arg(long, value_name = "NAME")]
    annotator: Option<String>,
    #[command(flatten)]
    saving: SaveOptions,
    #[command(flatten)]
    stdin: InputOptions,
}

const NOTHING: &str = "nothing was imported";

/// Returns the names of the formats with their descriptions.
fn format_names() -> PossibleValuesParser {
    let name = |format: &ImportFormat| PossibleValue::new(format.name).help(format.reads);
    PossibleValuesParser::new(FORMATS.iter().map(name))
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let Some(format) = import::named(&arguments.format) else {
        return Ok(CommandOutcome::Unusable);
    };
    let (file, texts) = match read(format, &arguments.file) {
        Ok(read) => read,
        Err((path, error)) => {
            return Err(Stop::at(&path, format_args!("cannot be read: {error}")));
        }
    };
    let files = arguments.stdin.find(&arguments.paths);
    let stdin = files.iter().find(|found| found.is_stdin());
    if let Some(stdin) = stdin {
        if arguments.apply || arguments.review {
            let why = "standard input cannot be changed in place; use `turnwise apply`";
            return Err(Stop::at(stdin.path(), why));
        }
        if arguments.file == Path::new(STDIN) {
            let why = "the annotations and the corpus cannot both be standard input";
            return Err(Stop::at(stdin.path(), why));
        }
    }
    let annotator = arguments.annotator.as_deref();
    let turns = (format.read)(&texts, annotator);
    let dialogs = match turns.and_then(|turns| import::dialogs(turns, annotator)) {
        Ok(dialogs) => dialogs,
        Err(errors) => return Ok(misfits(&file, &errors, NOTHING)),
    };
    if let Some(unread) = (format.unread)(&texts) {
        complain(format_args!("{}: {unread}", shown(&file)));
    }
    let wanted: Vec<_> = dialogs.iter().filter_map(|turns| wanted(turns)).collect();
    let Placed { mut targets, is_complete, outcome } = place(&file, false, &wanted, files)?;
    if !is_complete {
        return Ok(outcome.max(CommandOutcome::Issues));
    }
    let mut compared = Compared::of(format);
    for target in &mut targets {
        compared.add(target, &dialogs);
    }
    let Compared { records, turns, errors, outcome: read, .. } = compared;
    let mut outcome = outcome.max(read);
    if !errors.is_empty() && arguments.skip && read == CommandOutcome::Clean {
        let skipped = format!("{} skipped", counted(errors.len(), "turn"));
        outcome = outcome.max(misfits(&file, &errors, &skipped));
    } else if !errors.is_empty() || read != CommandOutcome::Clean {
        return Ok(misfits(&file, &errors, NOTHING).max(outcome));
    }
    if dialogs.is_empty() {
        let by = annotator.map_or(String::new(), |name| format!(" by {name}"));
        complain(format_args!("{}: no annotations{by}", shown(&file)));
    } else if records.is_empty() {
        let turns = counted(turns, "turn");
        complain(format_args!("{}: {turns} compared, no difference", shown(&file)));
    }
    if arguments.apply {
        targets.retain(|target| !target.edits.is_empty());
        if targets.is_empty() {
            return Ok(outcome);
        }
        let options = apply::Arguments::in_place(file, arguments.saving);
        return Ok(outcome.max(apply::make(&options, targets, &records, out)?));
    }
    if arguments.review && !records.is_empty() {
        return Ok(outcome.max(browse::review(
            &arguments.paths,
            &arguments.stdin.family,
            records,
            out,
        )?));
    }
    for RecordLine { record, .. } in records {
        if let Ok(record) = Record::try_from(record) {
            out.as_json(|out| writeln!(out, "{record}"))?;
        }
    }
    Ok(outcome)
}

/// Reports the turns that do not fit, and what becomes of them.
fn misfits(file: &Path, errors: &[ImportError], end: &str) -> CommandOutcome {
    for error in errors {
        line_error(file, error.line, &error.why);
    }
    complain(format_args!("{end}"));
    CommandOutcome::Issues
}

/// Reads the annotations; with a table of segments, the table of turns beside it too. Returns the path of the
/// annotations.
fn read(
    format: &ImportFormat,
    path: &Path,
) -> Result<(PathBuf, ImportTexts), (PathBuf, io::Error)> {
    let is_csv = |path: &Path| path.extension().is_some_and(|ending| ending == "csv");
    let text = |path: &Path| read_edits(path).map_err(|error| (path.to_owned(), error));
    let (mut path, mut turns, mut is_complete) = (path.to_owned(), None, false);
    if format.name == "tables" {
        let both = |folder: &Path, name: &str| {
            ["jsonl", "csv"].map(|ending| folder.join(name).with_extension(ending))
        };
        is_complete = path.is_dir();
        if is_complete {
            let [lines, table] = both(&path, "segments");
            if lines.exists() && table.exists() && !agree(&text(&lines)?, &text(&table)?, format) {
                let why =
                    "segments.csv and segments.jsonl differ; delete the one that is out of date";
                return Err((path, io::Error::other(why)));
            }
            path = if lines.exists() { lines } else { table };
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let of_turns = both(folder, "turns").into_iter();
        if let Some(of_turns) = of_turns.into_iter().find(|turns| turns.exists()) {
            turns = Some((text(&of_turns)?, is_csv(&of_turns)));
        }
    }
    let texts =
        ImportTexts { annotations: text(&path)?, is_csv: is_csv(&path), turns, is_complete };
    Ok((path, texts))
}

/// True if a table of segments is the same as JSON Lines and as CSV.
fn agree(lines: &str, table: &str, format: &ImportFormat) -> bool {
    let turns = |text: &str, is_csv: bool| {
        let texts = ImportTexts { annotations: text.to_owned(), is_csv, ..ImportTexts::default() };
        let mut turns = (format.read)(&texts, None).ok()?;
        for turn in &mut turns {
            turn.line = 0;
        }
        Some(turns)
    };
    turns(lines, false) == turns(table, true)
}

/// Returns the dialog of annotations, as [`place`] searches for it.
fn wanted(turns: &[AnnotatedTurn]) -> Option<WantedDialog> {
    let first = turns.first()?;
    Some(WantedDialog {
        line: first.line,
        file: first.place.file.clone(),
        dialog: first.place.reference(),
        id: None,
        only_there: first.place.id.is_none(),
        position: first.place.position,
        about: None,
        answers: None,
    })
}

/// The differences so far.
struct Compared {
    format: &'static ImportFormat,
    records: Vec<RecordLine>,
    /// The number of turns.
    turns: usize,
    errors: Vec<ImportError>,
    /// The result of reading the dialogs.
    outcome: CommandOutcome,
}

impl Compared {
    fn of(format: &'static ImportFormat) -> Self {
        Self {
            format,
            records: Vec::new(),
            turns: 0,
            errors: Vec::new(),
            outcome: CommandOutcome::Clean,
        }
    }

    /// Compares the dialogs of a file; its edits are then those that make them like their annotations.
    fn add(&mut self, target: &mut TargetFile, dialogs: &[Vec<AnnotatedTurn>]) {
        let opened = &target.opened;
        let mut edits = Vec::new();
        for (number, position) in &target.edits {
            let dialog = match opened.file.dialog(*position) {
                Ok(Some((dialog, _))) => dialog,
                Ok(None) => continue,
                Err(error) => {
                    let issue = broken_dialog(&opened.file, *position, &error);
                    self.outcome = self.outcome.max(file_issues(&opened.path, &[issue]));
                    continue;
                }
            };
            let first = self.records.len();
            self.compare(&dialog, &dialogs[*number], opened, *position);
            edits.extend((first..self.records.len()).map(|record| (record, *position)));
        }
        target.edits = edits;
    }

    fn compare(
        &mut self,
        dialog: &Dialog,
        annotated: &[AnnotatedTurn],
        opened: &OpenedFile,
        position: usize,
    ) {
        let may_make = |edit: &Edit| may_make(opened, position, edit);
        for turn in annotated {
            self.turns += 1;
            let place = &turn.place;
            let Some(of_corpus) = dialog.turns.get(place.turn) else {
                let turns = counted(dialog.turns.len(), "turn");
                let why = format!("{place} has {turns}; there is no turn {}", place.turn);
                self.errors.push(ImportError::new(turn.line, why));
                continue;
            };
            let edits = match differences(of_corpus, dialog.units, turn, self.format, &may_make) {
                Ok(edits) => edits,
                Err(why) => {
                    let why = format!("turn {} of {place}: {why}", place.turn);
                    self.errors.push(ImportError::new(turn.line, why));
                    continue;
                }
            };
            self.records.extend(edits.into_iter().map(|edit| RecordLine {
                number: turn.line,
                record: Suggestion {
                    file: Some(opened.path.display().to_string()),
                    dialog: DialogRef::Number(position),
                    dialog_id: Some(dialog.id.clone()).filter(|id| !id.is_empty()),
                    edit: Proposal::Edit(edit),
                    on: None,
                    origin: turn.origin.clone(),
                },
            }));
        }
    }
}

/// True unless the format joins labels from what segments share, and the edit would change that.
fn may_make(opened: &OpenedFile, position: usize, edit: &Edit) -> bool {
    let Some(format) = opened.file.format().filter(|format| format.shares_labels()) else {
        return true;
    };
    let text = opened.file.text(position);
    text.is_ok_and(|text| format::edit(format, &text, Escapes::default(), edit).is_ok())
}
