//! `turnwise apply`: applies edit records to corpus files.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::mem;
use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::conflicts::OpenConflicts;
use super::edited::{self, PreviewOptions};
use super::errors::{Ended, OrStop as _, Stop, file_error, file_issues, line_error};
use super::options::{InputOptions, refuse_stdin_with_others};
use super::output::{
    SaveOptions, blocked_by_file, goals_clash, goals_exist, is_below, report_nothing_written,
};
use super::printer::Printer;
use super::records::{RecordLine, TargetFile, place, read_records};
use super::scan::{broken_dialog, read_standard_input};
use super::style::shown;
use crate::corpus::{Change, CorpusFile, Proposal, QuotedEdit, Suggestion, write_range};
use crate::dialog::{Dialog, Edit, EditError, EditKind};
use crate::format::{EditGroup, Family, Formats};
use crate::lint::placed;
use crate::ontology::Ontologies;
use crate::shell::{
    Expect, OpenedFile, STDIN, Save, find_logs, is_saved_as, ontologies_beside, open, open_regular,
};
use crate::text::counted;
use crate::votes::vote_log::{belonging, log_id, may_be_on, stem};
use crate::workspace::VOTES_FOLDER;

/// Apply edit records (one JSON object per line) to corpus files
///
/// All records for a file are applied, or none. Only the edited bytes of a file change. With - for standard
/// input as the corpus, the changed text goes to standard output and the report to standard error.
///
/// Exit code: 0 all records applied, 1 a record does not fit, 2 a file could not be read or written.
#[derive(Default, clap::Args)]
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
    /// Skip records whose dialog or file is not among PATHS; without this option, one such record
    /// stops all
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
        Self { edits, saving, ..Self::default() }
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
            Err("the result for standard input goes to standard output; leave out --output")
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
        "{EXAMPLES}\n\nA record has `edit`, `dialog` (an id, or a number counted from 0), `turn`, and more; fields in brackets may be left out:\n"
    );
    for kind in Edit::FIELDS {
        let required = kind.required.iter().map(|name| (*name).to_owned());
        let optional = kind.optional.iter().map(|name| format!("[{name}]"));
        let fields: Vec<_> = required.chain(optional).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(help, "  {:<15} {}", kind.kind, fields.join(", "));
    }
    help + "\nset_span and add_segment may have `quote` (and `nth`, counted from 0) instead of `start` and `end`; \
        every record may have `by`, `score` and `why`."
}

/// Longest record, in bytes, when only checking whether a file holds records.
const LONGEST_RECORD: u64 = 1 << 20;

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let lines = match read_records(&arguments.edits) {
        Ok(lines) => lines,
        Err(outcome) => {
            if let Some(path) = arguments.paths.iter().find(|path| begins_with_edit(path)) {
                file_error(
                    path,
                    &"this is an edits file; name it first: turnwise apply EDITS CORPUS",
                );
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
        target.state = edit_target(&arguments.edits, target, lines);
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

/// Makes the edits of a file in memory. Reports those that do not fit; returns the outcome.
fn edit_target(edits: &Path, target: &mut TargetFile, lines: &[RecordLine]) -> CommandOutcome {
    let TargetFile { opened, edits: placed, .. } = target;
    let path = &opened.path;
    // Beside standard input there is nothing.
    if !target.is_stdin {
        let adds_act = |(line, _): &(usize, usize)| {
            matches!(&lines[*line].record.edit, Proposal::Edit(Edit::AddAct { .. }))
        };
        if placed.iter().any(adds_act) {
            set_slots(path, &mut opened.file);
        }
        if count_turns(edits, path, &opened.file, placed, lines) {
            return CommandOutcome::Issues;
        }
    }
    let Some(open) = OpenConflicts::before_edits(opened) else {
        return CommandOutcome::Unusable;
    };
    target.open = open;
    make_all(edits, target, lines)
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
        if let Proposal::Edit(edit) = &record.edit
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

/// The files beside a corpus file with votes or gold labels, read on first use.
struct CountedTurns {
    path: PathBuf,
    read: Option<Vec<(PathBuf, Dialog)>>,
}

impl CountedTurns {
    /// Returns those beside the file at `path`.
    fn beside(path: &Path) -> Self {
        Self { path: path.to_owned(), read: None }
    }

    /// Returns why the turns of dialog `position` cannot move by `edit`, if they cannot.
    fn why_not(&mut self, file: &CorpusFile, position: usize, edit: &Edit) -> Option<String> {
        let dialog = file.dialog_at(position)?;
        let has_votes = file.format().is_some_and(Family::has_votes);
        let name = self.path.file_name()?.to_string_lossy().into_owned();
        let id = log_id(&dialog, stem(&name), position).into_owned();
        let path = self.path.clone();
        let files = self.read.get_or_insert_with(|| read_beside(&path));
        let own = files.iter().filter(|(_, other)| other.id == id);
        let is_there = |other: &str| path.with_file_name(other).is_file();
        let is_judged = |log: &Dialog| {
            log.turns.iter().any(|turn| !turn.votes.is_empty()) && may_be_on(&name, log, is_there)
        };
        let logs = own.clone().filter(|(_, log)| !has_votes && is_judged(log));
        let logs = logs.map(|(path, log)| (path, log.clone()));
        if let Some((path, _)) = belonging(&dialog, &name, logs) {
            return Some(EditError::turns_are_voted_on(edit, &shown(path)).to_string());
        }
        let mut gold = own.filter(|(_, labels)| {
            let mut dialog = dialog.clone();
            dialog.attach_gold(labels);
            let mut behind = dialog.turns.iter().skip(edit.turn());
            behind.any(|turn| turn.gold.is_some())
        });
        gold.next().map(|(path, _)| EditError::turns_have_gold(edit, &shown(path)).to_string())
    }
}

/// Reads the logs and gold labels beside a file.
fn read_beside(path: &Path) -> Vec<(PathBuf, Dialog)> {
    let files = [(String::new(), path.to_owned())];
    let found = find_logs(&files, Path::new(VOTES_FOLDER), None);
    let beside = found.logs.into_iter().filter(|log| log.place != path && !log.named);
    let read = |place: PathBuf| {
        let opened = open(&place, &Formats::default(), false).ok()?;
        let dialog = opened.file.dialog_at(0)?;
        Some((place, dialog))
    };
    beside.filter_map(|log| read(log.place)).collect()
}

/// Makes all edits of a file, and counts those that change something. Reports those that fail, in the order of the
/// records.
fn make_all(edits: &Path, target: &mut TargetFile, lines: &[RecordLine]) -> CommandOutcome {
    let TargetFile { opened: OpenedFile { path, file, .. }, edits: placed, changes, .. } = target;
    let mut of_dialog: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (line, position) in placed {
        of_dialog.entry(*position).or_default().push(*line);
    }
    let mut outcome = CommandOutcome::Clean;
    let mut refused = BTreeMap::new();
    let mut broken = HashMap::new();
    let mut copies = Vec::new();
    for (position, places) in of_dialog {
        let Batch { refused: failed, changes: made, .. } =
            edit_dialog(file, position, &places, lines);
        *changes += made.len();
        if failed.is_empty() {
            let dialog = &lines[places[0]].record.dialog;
            copies.extend(file.copies(position, &made).map(|why| (dialog, why)));
            continue;
        }
        refused.extend(failed.into_iter().map(|(line, why)| (line, (position, why))));
        if let Err(error) = file.dialog(position) {
            broken.insert(position, Some(broken_dialog(file, position, &error)));
        }
    }
    for (line, (position, why)) in refused {
        let RecordLine { number, record } = &lines[line];
        let dialog = &record.dialog;
        if let Some(broken) = broken.get_mut(&position) {
            // Reported once for all records of the dialog.
            if let Some(issue) = broken.take() {
                outcome = outcome.max(file_issues(path, &[issue]));
            }
            line_error(edits, *number, &format_args!("{dialog} cannot be read"));
        } else {
            line_error(edits, *number, &format_args!("{dialog}: {why}"));
        }
        outcome = outcome.max(CommandOutcome::Issues);
    }
    if outcome != CommandOutcome::Clean {
        file_error(path, &"not changed");
        copies.clear();
    }
    for (dialog, why) in copies {
        file_error(path, &format_args!("{dialog}: {why}"));
    }
    outcome
}

/// The edits of one dialog that are made together, each with the index of its record.
#[derive(Default)]
struct Batch {
    edits: Vec<(usize, Edit)>,
    /// The dialog before them, if a quotation needed it.
    dialog: Option<Dialog>,
    /// The reason for each record of this and earlier batches that is refused.
    refused: BTreeMap<usize, String>,
    /// The changes that this and earlier batches made.
    changes: Vec<Change>,
}

impl Batch {
    /// True if a turn would have another text, or another number.
    fn changes_text(&self, turn: usize) -> bool {
        self.edits.iter().any(|(_, edit)| match edit.about() {
            EditKind::Turns => true,
            EditKind::Text | EditKind::Tokens | EditKind::Calls => edit.turn() == turn,
            _ => false,
        })
    }

    /// Makes the edits, and begins another batch.
    fn make(&mut self, file: &mut CorpusFile, position: usize, lines: &[RecordLine]) {
        let groups = self.edits.iter().map(|(line, edit)| EditGroup {
            edits: std::slice::from_ref(edit),
            on: lines[*line].record.on.as_ref(),
        });
        let groups: Vec<_> = groups.collect();
        let made = file.edit_all(position, &groups);
        let changes = made.changes.into_iter();
        self.changes.extend(changes.map(|(_, change)| change));
        for ((line, _), result) in self.edits.drain(..).zip(made.results) {
            self.refused.extend(result.err().map(|why| (line, why.to_string())));
        }
        self.dialog = None;
    }

    /// Returns the edit at the place of its quotation.
    fn found(
        &mut self,
        file: &CorpusFile,
        position: usize,
        quoted: &QuotedEdit,
    ) -> Result<Edit, String> {
        if self.dialog.is_none() {
            let read = file.dialog(position);
            let read = read.map_err(|error| error.to_string())?;
            self.dialog = read.map(|(dialog, _)| dialog);
        }
        let Some(dialog) = &self.dialog else {
            return Err("the file has no known format".to_owned());
        };
        placed(quoted, dialog)
    }
}

/// Applies the records `places` of one dialog.
fn edit_dialog(
    file: &mut CorpusFile,
    position: usize,
    places: &[usize],
    lines: &[RecordLine],
) -> Batch {
    let mut batch = Batch::default();
    for line in places {
        let edit = match &lines[*line].record.edit {
            Proposal::Edit(edit) => edit.clone(),
            Proposal::Quoted(quoted) => {
                // An earlier record may bring the words.
                if batch.changes_text(quoted.turn()) {
                    batch.make(file, position, lines);
                }
                match batch.found(file, position, quoted) {
                    Ok(edit) => edit,
                    Err(why) => {
                        batch.refused.insert(*line, why);
                        continue;
                    }
                }
            }
        };
        batch.edits.push((*line, edit));
    }
    batch.make(file, position, lines);
    batch
}
