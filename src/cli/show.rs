//! `turnwise show`: prints dialogs as readable plain text, for screens and pipes.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::drawn;
use super::each_dialog::{self, ReadDialog, Wanted};
use super::errors::{Ended, OrStop as _, Stop, file_error};
use super::options::{ExcludedOption, FamilyOption, InputOptions, RuleOptions};
use super::page::Format;
use super::printer::Printer;
use super::scan::open_reported;
use super::style::{self, shown};
use super::turn_lines::{PrintedDialog, has_fields, print_line};
use super::{CommandOutcome, complain};
use crate::app::pane::{Ink, Line, wrapped};
use crate::corpus::{Contents, CorpusFile, DialogRef, IdLookup, explain};
use crate::dialog::Field;
use crate::format::Family;
use crate::lint::Linter;
use crate::shell::{Companions, FoundPath, companions, files_of, open};
use crate::text::{counted, grouped};

/// Print dialogs as text, with segments, calls, votes, acts and state
#[derive(Default, clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise show corpus.json --dialog 0\n  turnwise show corpus.json --dialog dlg-00055f4e --turn 3\n  turnwise show logs/ --dialog iris_00014\n  turnwise show log.json | less"
)]
pub struct Arguments {
    /// Files, folders (recursive), or - alone for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only this dialog: its id, the beginning of its id if unique, or its number (counted from 0)
    #[arg(short, long, value_name = "ID-OR-NUMBER")]
    dialog: Option<String>,
    /// Only this turn, counted from 0
    #[arg(short, long)]
    turn: Option<usize>,
    /// Width to wrap at, in columns [default: the terminal's width, or 100]
    #[arg(short, long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(NARROWEST as i64..))]
    width: Option<u16>,
    /// Print long texts and states in full; also print reasoning, intents, other fields of turns,
    /// and segments with their spans
    #[arg(long)]
    full: bool,
    /// Leave out the instructions for the people who wrote the dialog
    #[arg(long)]
    no_instructions: bool,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(FORMATS))]
    format: Format,
    /// List, below each turn, the problems that `lint` finds in it
    #[arg(long)]
    problems: bool,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
}

/// The forms of the output.
const FORMATS: &[(Format, &str)] =
    &[(Format::Text, "For screens and pipes"), (Format::Html, "A page for a browser")];

impl Arguments {
    /// Returns the arguments that print a whole file.
    pub fn all_of(path: PathBuf, family: FamilyOption) -> Self {
        let stdin = InputOptions::of_family(family);
        Self { paths: vec![path], full: true, stdin, ..Self::default() }
    }
}

/// Fewer columns would leave no room beside the margin.
const NARROWEST: usize = 40;
/// Name of the field that holds the instructions for the people who wrote a dialog.
const INSTRUCTIONS: &str = "instructions";

/// The options of `show`.
struct ShowRequest<'a> {
    arguments: &'a Arguments,
    columns: usize,
    /// The rules whose problems are listed; None if no problems are.
    rules: Option<Linter>,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    if arguments.format != Format::Html {
        return show(arguments, out);
    }
    let paths: Vec<_> = arguments.paths.iter().map(|path| shown(path)).collect();
    out.as_json(|out| out.write_all(drawn::head(&paths.join(", ")).as_bytes()))?;
    let outcome = show(arguments, out)?;
    out.as_json(|out| out.write_all(drawn::FOOT.as_bytes()))?;
    Ok(outcome)
}

fn show(arguments: &Arguments, out: &mut Printer) -> Ended {
    let columns = arguments.width.map_or_else(style::terminal_columns, usize::from).max(NARROWEST);
    let rules = chosen_rules(arguments).or_stop()?;
    let request = ShowRequest { arguments, columns, rules };
    let files = arguments.stdin.find_corpora(&arguments.paths, arguments.excluded);
    let files = InputOptions::with_judgements_and_votes(files);
    let several = files_of(&files).len() > 1;
    if let Some(name) = &arguments.dialog
        && several
    {
        return show_named(&files, name, &request, out);
    }
    let mut outcome = CommandOutcome::Clean;
    for found in &files {
        let path = found.path();
        let Some(opened) = open_reported(found, false, &mut outcome) else {
            continue;
        };
        // A pipe may have nothing to pass on.
        if found.is_stdin() && opened.file.index().is_blank() {
            continue;
        }
        // Ontologies and judgements next to corpora are skipped in folders.
        let beside = found.is_file() && !arguments.paths.iter().any(|named| named == path);
        let contents = &opened.file.index().contents;
        if beside && matches!(contents, Contents::Ontology(_) | Contents::Judgements) {
            continue;
        }
        if several && arguments.format == Format::Text && opened.file.format().is_some() {
            writeln!(out, "{}", shown(path))?;
        }
        outcome = outcome.max(show_file(&opened.file, found, &request, out)?);
    }
    Ok(outcome)
}

/// Returns the rules to mark problems of, as `lint` chooses them.
fn chosen_rules(arguments: &Arguments) -> Result<Option<Linter>, String> {
    if !arguments.problems {
        return Ok(None);
    }
    let files = files_of(&arguments.stdin.find_corpora(&arguments.paths, arguments.excluded));
    RuleOptions::default()
        .read(&arguments.stdin.named(&arguments.paths), &files, arguments.excluded)
        .map(Some)
}

fn unusable(path: &Path, error: &dyn std::fmt::Display) -> CommandOutcome {
    file_error(path, error);
    CommandOutcome::Unusable
}

/// Shows the requested part of a file whose reading errors are already reported.
fn show_file(
    file: &CorpusFile,
    found: &FoundPath,
    request: &ShowRequest<'_>,
    out: &mut Printer,
) -> Ended {
    let path = found.path();
    if file.format().is_none() {
        let why = explain::no_corpus(file);
        return Ok(why.map_or(CommandOutcome::Unusable, |why| unusable(path, &why)));
    }
    let wanted = match &request.arguments.dialog {
        None => None,
        Some(name) => match file.find_named(name)? {
            IdLookup::Found(position) => Some(position),
            IdLookup::Several => return Ok(has_several(path, name)),
            IdLookup::Missing => {
                let found = file.find_beginning(name)?;
                match distinct(found.iter().map(|(_, id)| id)).as_slice() {
                    [] => {
                        let count = counted(file.index().pieces.len(), "dialog");
                        let why =
                            format!("no dialog with id or number {name:?}; the file has {count}");
                        return Ok(unusable(path, &why));
                    }
                    &[id] => match found.as_slice() {
                        &[(position, _)] => Some(position),
                        _ => return Ok(has_several(path, id)),
                    },
                    ids => return Ok(unusable(path, &too_short(name, ids))),
                }
            }
        },
    };
    show_dialogs(file, found, wanted, request, out)
}

/// Returns the different ids, in order.
fn distinct<'i>(ids: impl Iterator<Item = &'i String>) -> Vec<&'i str> {
    let ids: BTreeSet<&str> = ids.map(String::as_str).collect();
    ids.into_iter().collect()
}

/// The most ids to list in a message.
const LISTED: usize = 5;

/// Returns the message that several ids begin with `name`.
fn too_short(name: &str, ids: &[&str]) -> String {
    let mut listed = ids[..ids.len().min(LISTED)].join(", ");
    if ids.len() > LISTED {
        listed = format!("{listed}, …");
    }
    let count = grouped(ids.len());
    format!("{count} ids begin with {name:?}: {listed}; give more of the id")
}

fn has_several(path: &Path, name: &str) -> CommandOutcome {
    let why = format!("several dialogs have the id {name:?}; use a number instead");
    unusable(path, &why)
}

/// Shows all dialogs of a file, or the only one that is wanted.
fn show_dialogs(
    file: &CorpusFile,
    found: &FoundPath,
    only: Option<usize>,
    request: &ShowRequest<'_>,
    out: &mut Printer,
) -> Ended {
    let ShowRequest { arguments, rules, .. } = request;
    let path = found.path();
    let is_one = only.is_some() || file.index().pieces.len() == 1;
    let (mut shown, mut outcome) = (false, CommandOutcome::Clean);
    let wanted = Wanted { rules: rules.as_ref(), companions: true, only, ..Wanted::default() };
    let read = each_dialog::of_file(file, found, None, wanted, &mut |read| {
        let (position, turns) = (read.position, read.dialog.turns.len());
        match arguments.turn.filter(|turn| *turn >= turns) {
            None => {
                shown = true;
                outcome = outcome.max(show_dialog(path, read, request, out)?);
            }
            Some(turn) if is_one => {
                let turns = counted(turns, "turn");
                let why = format!("no turn {turn} in dialog {position}, which has {turns}");
                outcome = unusable(path, &why);
            }
            Some(_) => {}
        }
        Ok(())
    })?;
    if !shown
        && !is_one
        && let Some(turn) = arguments.turn
    {
        outcome = unusable(path, &format!("no dialog has a turn {turn}"));
    }
    Ok(outcome.max(read))
}

fn show_dialog(
    path: &Path,
    read: ReadDialog<'_>,
    request: &ShowRequest<'_>,
    out: &mut Printer,
) -> io::Result<CommandOutcome> {
    let ShowRequest { arguments, columns, .. } = request;
    let ReadDialog { mut dialog, position, format, issues, problems, .. } = read;
    let Companions { context, labels, trouble } = companions(path, &dialog.id);
    if let Some(labels) = &labels {
        dialog.attach_detections(labels);
    }
    let turns = counted(dialog.turns.len(), "turn");
    let about = format!("dialog {position} · {} · {turns}", format.title());
    let mut sink = LineSink::new(arguments.format, out)?;
    let head = Line::of(Ink::Strong, &dialog.id).with(Ink::Dim, "  ");
    sink.put(wrapped(head, Ink::Dim, &about, *columns))?;
    if !arguments.full && dialog.turns.iter().any(has_fields) {
        sink.put([Line::of(Ink::Dim, "  --full prints more of these turns")])?;
    }
    let count = dialog.turns.len();
    let mut printed = PrintedDialog::new(dialog, problems, *columns, !arguments.full);
    printed.is_of_log = format.is_companion();
    if arguments.turn.is_none() {
        let wanted = |field: &&Field| !arguments.no_instructions || field.name != INSTRUCTIONS;
        sink.put(printed.head(wanted, context.as_deref()))?;
    }
    sink.put([Line::new()])?;
    let of_turn = |turn: usize| arguments.turn.is_none_or(|wanted| wanted == turn);
    for turn in (0..count).filter(|turn| of_turn(*turn)) {
        if arguments.turn.is_some() || !printed.is_folded(turn) {
            sink.put(printed.lines(turn))?;
        }
    }
    for issue in issues.iter().filter(|issue| issue.turn.is_none_or(of_turn)) {
        let turn = issue.turn.map_or(String::new(), |turn| format!("turn {turn}: "));
        let text = format!("{turn}{}", issue.problem);
        sink.put(wrapped(Line::of(Ink::Error, "  ! "), Ink::Plain, &text, *columns))?;
    }
    sink.end()?;
    if let Some(trouble) = &trouble {
        file_error(path, trouble);
    }
    let is_clean = issues.is_empty() && trouble.is_none();
    Ok(if is_clean { CommandOutcome::Clean } else { CommandOutcome::Issues })
}

/// Takes the lines of a dialog, in one of the forms.
struct LineSink<'o> {
    form: Format,
    out: &'o mut Printer,
}

impl<'o> LineSink<'o> {
    fn new(form: Format, out: &'o mut Printer) -> io::Result<Self> {
        if form == Format::Html {
            out.as_json(|out| out.write_all(b"<article>\n<pre>"))?;
        }
        Ok(Self { form, out })
    }

    fn put(&mut self, lines: impl IntoIterator<Item = Line>) -> io::Result<()> {
        let mut lines = lines.into_iter();
        if self.form == Format::Html {
            return self.out.as_json(|out| {
                lines.try_for_each(|line| out.write_all(drawn::html(&line).as_bytes()))
            });
        }
        lines.try_for_each(|line| print_line(&line, self.out))
    }

    fn end(self) -> io::Result<()> {
        if self.form == Format::Html {
            return self.out.as_json(|out| out.write_all(b"</pre>\n</article>\n"));
        }
        writeln!(self.out)
    }
}

/// The position of a dialog that was found.
struct NamedDialog<'a> {
    file: &'a FoundPath,
    position: usize,
    /// Its file is shown as the companion of another one.
    beside: bool,
}

/// The positions of dialogs with an id, or with a number.
#[derive(Default)]
struct NamedDialogs<'a> {
    all: Vec<NamedDialog<'a>>,
    /// Files with several such dialogs.
    ambiguous: Vec<&'a Path>,
}

impl NamedDialogs<'_> {
    fn is_empty(&self) -> bool {
        self.all.is_empty() && self.ambiguous.is_empty()
    }
}

/// Shows the dialogs with this id in all files, or else those with this number.
fn show_named(
    files: &[FoundPath],
    name: &str,
    request: &ShowRequest<'_>,
    out: &mut Printer,
) -> Ended {
    let mut outcome = CommandOutcome::Clean;
    let [by_id, by_number] = find_named(files, name, &mut outcome)?;
    let mut found = if by_id.is_empty() { by_number } else { by_id };
    if found.all.iter().any(|place| !place.beside) {
        found.all.retain(|place| !place.beside);
    }
    for path in &found.ambiguous {
        outcome = has_several(path, name);
    }
    if found.is_empty() {
        match find_beginning(files, name)? {
            Ok(places) => found = places,
            Err(why) => {
                return Err(Stop::say(why));
            }
        }
    }
    if found.is_empty() {
        let all = grouped(files_of(files).len());
        complain(format_args!("no dialog with id or number {name:?} in {all} files"));
        outcome = CommandOutcome::Unusable;
    }
    for NamedDialog { file, position, .. } in found.all {
        outcome = outcome.max(match open(file.path(), &file.formats, false) {
            Ok(opened) => show_dialogs(&opened.file, file, Some(position), request, out)?,
            Err(error) => unusable(file.path(), &error),
        });
    }
    Ok(outcome)
}

/// Finds the dialogs whose id begins with `name`. The inner error is the message that several ids do.
fn find_beginning<'a>(
    files: &'a [FoundPath],
    name: &str,
) -> io::Result<Result<NamedDialogs<'a>, String>> {
    let (mut places, mut ids) = (NamedDialogs::default(), Vec::new());
    for found in files {
        // Files that cannot be read are reported already.
        let Ok(opened) = open(found.path(), &found.formats, false) else {
            continue;
        };
        let beside = opened.file.format().is_some_and(Family::is_companion);
        for (position, id) in opened.file.find_beginning(name)? {
            ids.push(id);
            places.all.push(NamedDialog { file: found, position, beside });
        }
    }
    let ids = distinct(ids.iter());
    if ids.len() > 1 {
        return Ok(Err(too_short(name, &ids)));
    }
    if places.all.iter().any(|place| !place.beside) {
        places.all.retain(|place| !place.beside);
    }
    Ok(Ok(places))
}

/// Finds the dialogs whose id or number is `name`.
fn find_named<'a>(
    files: &'a [FoundPath],
    name: &str,
    outcome: &mut CommandOutcome,
) -> io::Result<[NamedDialogs<'a>; 2]> {
    let mut wanted = vec![DialogRef::Id(name.to_owned())];
    wanted.extend(name.parse().ok().map(DialogRef::Number));
    let mut places = [NamedDialogs::default(), NamedDialogs::default()];
    for found in files {
        let path = found.path();
        if found.is_stdin() {
            *outcome = unusable(path, &"standard input cannot be searched together with files");
            continue;
        }
        let Some(opened) = open_reported(found, false, outcome) else {
            continue;
        };
        let file = opened.file;
        let Some(format) = file.format() else {
            continue;
        };
        for (wanted, places) in wanted.iter().zip(&mut places) {
            match file.find(wanted)? {
                IdLookup::Found(position) => places.all.push(NamedDialog {
                    file: found,
                    position,
                    beside: format.is_companion(),
                }),
                IdLookup::Several => places.ambiguous.push(path),
                IdLookup::Missing => {}
            }
        }
    }
    Ok(places)
}
