//! `turnwise apply`: applies edit records to corpus files.

mod counted_turns;
mod made;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::mem;
use std::path::{Path, PathBuf};

use self::counted_turns::CountedTurns;
use super::CommandOutcome;
use super::conflicts::OpenConflicts;
use super::edited::{self, PreviewOptions};
use super::errors::{Ended, OrStop as _, Stop, file_error, line_error};
use super::options::{InputOptions, refuse_stdin_with_others};
use super::output::{
    SaveOptions, blocked_by_file, goals_clash, goals_exist, is_below, report_nothing_written,
};
use super::printer::Printer;
use super::records::{RecordLine, TargetFile, place, read_records};
use super::scan::read_standard_input;
use super::style::shown;
use crate::corpus::{CorpusFile, Proposal, Suggestion, write_range};
use crate::dialog::{Edit, EditKind};
use crate::ontology::Ontologies;
use crate::shell::{Expect, STDIN, Save, is_saved_as, ontologies_beside, open_regular};
use crate::text::counted;

/// Apply edit records (one JSON object per line) to corpus files, and save the files
///
/// All records for a file are applied, or none. Only the edited bytes of a file change. With - for standard
/// input as the corpus, the changed text goes to standard output and the report to standard error.
///
/// Exit code: 0 all records applied, 1 a record does not fit, 2 a file could not be read or written.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub struct Arguments {
    /// The records, or - for standard input
    edits: PathBuf,
    /// Files, folders (recursive), or - alone for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    preview: PreviewOptions,
    /// Write the changed files to this folder instead of saving in place
    #[arg(long, value_name = "DIR", conflicts_with_all = ["diff", "dry_run"])]
    output: Option<PathBuf>,
    /// Replace existing files
    #[arg(long, requires = "output")]
    overwrite: bool,
    /// Skip records whose dialog or file is not among PATHS, instead of applying none
    #[arg(long)]
    skip_missing: bool,
    #[command(flatten)]
    saving: SaveOptions,
    #[command(flatten)]
    stdin: InputOptions,
}

impl Arguments {
    /// Returns the arguments that save the edits of `edits` in place.
    pub fn in_place(edits: PathBuf, saving: SaveOptions) -> Self {
        Self {
            edits,
            paths: Vec::new(),
            preview: PreviewOptions::default(),
            output: None,
            overwrite: false,
            skip_missing: false,
            saving,
            stdin: InputOptions::default(),
        }
    }

    /// True if the corpus is standard input alone, and its text goes to standard output.
    fn is_filter(&self) -> bool {
        matches!(&self.paths[..], [only] if only == Path::new(STDIN))
            && self.must_be_filter().is_ok()
    }

    /// # Errors
    /// If something else than standard output is named, or something else comes from standard input.
    fn must_be_filter(&self) -> Result<(), &'static str> {
        if self.edits == Path::new(STDIN) {
            Err("the records and the corpus cannot both be standard input")
        } else if self.output.is_some() {
            Err("standard input goes to standard output; --output is for files")
        } else {
            Ok(())
        }
    }
}

const EXAMPLES: &str = "Examples:
  turnwise apply edits.jsonl corpus.json --diff
  turnwise apply edits.jsonl corpus/ --output repaired/
  echo '{\"edit\":\"set_span\",\"dialog\":0,\"turn\":3,\"segment\":0,\"start\":20,\"end\":36}' | turnwise apply - corpus.json";

/// Returns the examples and the kinds of edits with their fields.
fn long_help() -> String {
    let mut help = format!(
        "{EXAMPLES}\n\nA record has `edit`, `dialog` (an id, or a number from 0 on), `turn`, and more; \
         fields in brackets may be left out:\n"
    );
    for kind in Edit::FIELDS {
        let required = kind.required.iter().map(|name| (*name).to_owned());
        let optional = kind.optional.iter().map(|name| format!("[{name}]"));
        let fields: Vec<_> = required.chain(optional).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(help, "  {:<15} {}", kind.kind, fields.join(", "));
    }
    help + "\nset_span and add_segment may have `quote` (and `nth`, counted from 0) instead of `start` and `end`; \
        every record may have `by`, `score` and `why`.\n`turnwise help edits` explains them."
}

/// Longest record, in bytes, when only checking whether a file holds records.
const LONGEST_RECORD: u64 = 1 << 20;

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let lines = match read_records(&arguments.edits) {
        Ok(lines) => lines,
        Err(outcome) => {
            if let Some(path) = arguments.paths.iter().find(|path| begins_with_edit(path)) {
                file_error(path, &"these are edits; they come first: turnwise apply EDITS CORPUS");
            }
            if arguments.is_filter() && !arguments.preview.is_asked() {
                out.write_all(&read_standard_input()?)?;
            }
            return Ok(outcome);
        }
    };
    let mut files = arguments.stdin.find(&arguments.paths);
    refuse_stdin_with_others(&files)?;
    if let Some(stdin) = files.iter().find(|found| found.is_stdin()) {
        arguments.must_be_filter().or_stop_at(stdin.path())?;
    } else if let Some(path) = arguments.paths.iter().find(|path| begins_with_edit(path)) {
        let why = "this is an edits file, not a corpus; apply one edits file at a time";
        return Err(Stop::at(path, why));
    }
    if let Some(folder) = &arguments.output {
        files.retain(|found| !is_below(&found.path, found.below().map(AsRef::as_ref), folder));
    }
    let wanted: Vec<_> = lines.iter().map(RecordLine::wanted).collect();
    let placed = place(&arguments.edits, arguments.skip_missing, &wanted, files)?;
    let outcome = placed.outcome;
    if placed.is_complete {
        return Ok(outcome.max(make(arguments, placed.targets, &lines, out)?));
    }
    for target in placed.targets.iter().filter(|target| target.is_stdin) {
        pass_unchanged(arguments, target, out)?;
    }
    Ok(outcome.max(CommandOutcome::Issues))
}

/// Writes the text of standard input unless a preview was asked for. Some edits of a dialog may fit, but all are made or
/// none.
fn pass_unchanged(arguments: &Arguments, target: &TargetFile, out: &mut Printer) -> io::Result<()> {
    if arguments.preview.is_asked() {
        return Ok(());
    }
    let source = target.opened.file.source();
    write_range(source, 0..source.len(), out)
}

/// Makes the edits of all records, and saves or prints each file whose edits fit.
///
/// # Errors
/// If `out` cannot be written.
pub fn make(
    arguments: &Arguments,
    mut targets: Vec<TargetFile>,
    lines: &[RecordLine],
    out: &mut Printer,
) -> Ended {
    let mut outcome = CommandOutcome::Clean;
    for target in &mut targets {
        let TargetFile { opened, edits, .. } = target;
        let path = &opened.path;
        let adds_act = |(line, _): &(usize, usize)| {
            matches!(&lines[*line].record.proposal, Proposal::Edit(Edit::AddAct { .. }))
        };
        if edits.iter().any(adds_act) && !target.is_stdin {
            set_slots(path, &mut opened.file);
        }
        let counts = || count_turns(&arguments.edits, path, &opened.file, edits, lines);
        if !target.is_stdin && counts() {
            target.state = CommandOutcome::Issues;
            outcome = outcome.max(target.state);
            continue;
        }
        let Some(open) = OpenConflicts::before_edits(opened) else {
            target.state = CommandOutcome::Unusable;
            outcome = outcome.max(target.state);
            continue;
        };
        target.open = open;
        let applied = made::edit(&arguments.edits, path, &mut opened.file, edits, lines);
        (target.state, target.changes) = (applied.outcome, applied.changes);
        outcome = outcome.max(target.state);
    }
    if let Some(folder) = &arguments.output
        && has_obstacle(folder, &targets, arguments.overwrite)
    {
        report_nothing_written();
        return Ok(CommandOutcome::Unusable);
    }
    for target in &mut targets {
        if target.state == CommandOutcome::Clean {
            outcome = outcome.max(finish(arguments, target, out)?);
        } else if target.is_stdin {
            pass_unchanged(arguments, target, out)?;
        }
    }
    if outcome == CommandOutcome::Clean {
        if targets.is_empty() {
            writeln!(out, "no records; nothing to do")?;
        } else if arguments.preview.dry_run && !targets.iter().any(|target| target.is_stdin) {
            sum_up(&targets, out)?;
        }
    }
    Ok(outcome)
}

/// Reports records that move turns which files beside the corpus count; returns true if there are any.
fn count_turns(
    edits: &Path,
    path: &Path,
    file: &CorpusFile,
    placed: &[(usize, usize)],
    lines: &[RecordLine],
) -> bool {
    let mut counted = CountedTurns::beside(path);
    let mut refused = false;
    for (line, position) in placed {
        let RecordLine { number, record } = &lines[*line];
        if let Proposal::Edit(edit) = &record.proposal
            && edit.about() == EditKind::Turns
            && let Some(why) = counted.why_not(file, *position, edit)
        {
            line_error(edits, *number, &format_args!("{}: {why}", record.dialog));
            refused = true;
        }
    }
    if refused {
        file_error(path, &"not changed");
    }
    refused
}

/// Gives a file the slots that the ontology beside it lists, if new acts are placed by them. An ontology that
/// cannot be read, which `lint` reports, lists none.
fn set_slots(path: &Path, file: &mut CorpusFile) {
    let Some(format) = file.format() else {
        return;
    };
    if format.asks_ontology() {
        let mut all = Ontologies::default();
        let beside = ontologies_beside(&[path.to_owned()]).unwrap_or_default();
        for ontology in beside {
            all.add(ontology);
        }
        file.set_slots(all.slots(format.name()));
    }
}

/// Returns true if the first line of the file is a record.
fn begins_with_edit(path: &Path) -> bool {
    let first = || {
        let mut line = String::new();
        let file = open_regular(path, File::options().read(true))?.take(LONGEST_RECORD);
        BufReader::new(file).read_line(&mut line)?;
        io::Result::Ok(line)
    };
    first().is_ok_and(|line| line.parse::<Suggestion>().is_ok())
}

/// Reports obstacles to writing files into `folder`; returns true if there are any. Files whose edits do
/// not fit are not written; an existing file that already has the new text is not an obstacle.
fn has_obstacle(folder: &Path, targets: &[TargetFile], overwrite: bool) -> bool {
    let goals: Vec<_> = targets.iter().map(|target| target.goal(folder)).collect();
    let read = targets.iter().map(|target| target.opened.path.as_path());
    if blocked_by_file(folder) || goals_clash(&goals, &read.collect::<Vec<_>>()) {
        return true;
    }
    let written = targets.iter().zip(&goals).filter(|(target, goal)| {
        target.state == CommandOutcome::Clean && !is_saved_as(&target.opened.file, goal)
    });
    !overwrite && goals_exist(written.map(|(_, goal)| goal.as_path()))
}

/// Prints the summary of a dry run in which all records fit.
fn sum_up(targets: &[TargetFile], out: &mut Printer) -> io::Result<()> {
    let edits: usize = targets.iter().map(|target| target.changes).sum();
    let files = targets.iter().filter(|target| target.changes > 0).count();
    match edits {
        0 => writeln!(out, "all records fit; nothing to change"),
        _ => writeln!(
            out,
            "all records fit: {} in {}",
            counted(edits, "edit"),
            counted(files, "file")
        ),
    }
}

fn finish(arguments: &Arguments, target: &mut TargetFile, out: &mut Printer) -> Ended {
    let path = &target.opened.path;
    let changes = target.changes;
    let unchanged = changes == 0;
    let made = counted(changes, "edit");
    let would = format!("{made} would be applied");
    if target.is_stdin {
        let says = !unchanged || arguments.preview.dry_run;
        let said = says.then(|| [would, format!("{made} applied")]);
        return arguments.preview.pass_on(&target.opened, said, out);
    }
    if !unchanged
        && let Some(end) = arguments.preview.print(path, &target.opened.file, &would, out)?
    {
        return Ok(end);
    }
    let edits = counted(target.edits.len(), "edit");
    if arguments.output.is_none() && unchanged {
        writeln!(out, "{}: {edits}; nothing to change", shown(path))?;
        return Ok(CommandOutcome::Clean);
    }
    let goal = arguments.output.as_ref().map(|folder| target.goal(folder));
    let save = match &goal {
        None => Save { change: arguments.saving.owner_change(), ..Save::of(&target.opened) },
        Some(goal) if !arguments.overwrite && is_saved_as(&target.opened.file, goal) => {
            writeln!(out, "{}: {edits}; already written", shown(goal))?;
            return Ok(CommandOutcome::Clean);
        }
        Some(goal) => {
            let expect = if arguments.overwrite { Expect::Anything } else { Expect::Nothing };
            Save { like: Some(path), ..Save::at(goal, expect) }
        }
    };
    let open = goal.is_none().then(|| mem::take(&mut target.open));
    let save = Save { about: &target.about, ..save };
    edited::save(&save, &target.opened.file, open, &format!("{edits} applied"), out)
}
