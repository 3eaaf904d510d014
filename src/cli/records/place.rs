//! Finds the dialog and file of each record.

use std::io;
use std::path::{Path, PathBuf};

use super::AnswerFile;
use crate::cli::CommandOutcome;
use crate::cli::conflicts::OpenConflicts;
use crate::cli::errors::{complain, file_error, line_error};
use crate::cli::output::{name_of, same_file};
use crate::cli::scan::open_reported;
use crate::cli::style::shown;
use crate::corpus::{CorpusFile, DialogRef, IdLookup, explain};
use crate::dialog::EditKind;
use crate::format::Family;
use crate::shell::{FoundPath, OpenedFile};
use crate::text::counted;
use crate::workspace::OwnFile;

/// The most files to name in a message.
const LISTED: usize = 4;
/// Lowest similarity, from 0 to 1, at which a file is suggested for another name.
const CLOSE: f64 = 0.5;

/// The dialog that a line of a file is for.
pub struct WantedDialog {
    /// The line, counted from 1.
    pub line: usize,
    /// The end of the path of its file, if the line names it.
    pub file: Option<String>,
    pub dialog: DialogRef,
    /// The id of the dialog beside its number, if the line has both.
    pub id: Option<String>,
    /// True if the dialog is in no other file; else the file only chooses among several.
    pub only_there: bool,
    /// Its position, in case several dialogs of a file have its id.
    pub position: Option<usize>,
    /// The kind of thing that the line changes; None if that is not known yet.
    pub about: Option<EditKind>,
    /// The file beside that of the dialog which it changes, if it does.
    pub answers: Option<AnswerFile>,
}

/// A file with the records for it.
pub struct TargetFile {
    pub opened: OpenedFile,
    /// True if it is standard input.
    pub is_stdin: bool,
    /// The file's path below the folder it was found in, or its name.
    pub name: PathBuf,
    /// Index of the record and position of the dialog, in the order of the records.
    pub edits: Vec<(usize, usize)>,
    /// The result of applying the edits in memory: clean if all of them fit.
    pub state: CommandOutcome,
    /// The number of edits that changed something.
    pub changes: usize,
    /// The corpora that it is about, if it holds answers.
    pub about: Vec<PathBuf>,
    /// The conflicts that an earlier merge left in it.
    pub open: OpenConflicts,
}

impl TargetFile {
    fn new(opened: OpenedFile, name: PathBuf) -> Self {
        let (edits, state, changes) = (Vec::new(), CommandOutcome::Clean, 0);
        let open = OpenConflicts::default();
        Self { opened, is_stdin: false, name, edits, state, changes, about: Vec::new(), open }
    }

    /// Returns its path in an output folder.
    pub fn goal(&self, folder: &Path) -> PathBuf {
        folder.join(&self.name)
    }
}

/// The files of records.
pub struct Placed {
    /// Those that records are for, and standard input, whose text is to pass on.
    pub targets: Vec<TargetFile>,
    /// False if a record matches no dialog or several; then nothing is applied.
    pub is_complete: bool,
    /// The outcome of reading the files.
    pub outcome: CommandOutcome,
}

/// Finds the files of the records. Reports records that match no dialog or several. Files without records are closed again.
pub fn place(
    edits: &Path,
    skip_missing: bool,
    lines: &[WantedDialog],
    files: Vec<FoundPath>,
) -> io::Result<Placed> {
    let mut search = Search {
        lines,
        targets: Vec::new(),
        places: vec![Vec::new(); lines.len()],
        corpora: Vec::new(),
        useless: Vec::new(),
        outcome: CommandOutcome::Clean,
    };
    for found in files {
        if !same_file(found.path(), edits) {
            search.look_into(&found)?;
        }
    }
    Ok(search.finish(edits, skip_missing))
}

/// Results of searching the files so far.
struct Search<'l> {
    lines: &'l [WantedDialog],
    targets: Vec<TargetFile>,
    /// For each record, the targets that have its dialog.
    places: Vec<Vec<(usize, IdLookup)>>,
    /// Files with dialogs.
    corpora: Vec<PathBuf>,
    /// Named files without dialogs, and the reasons.
    useless: Vec<(PathBuf, String)>,
    outcome: CommandOutcome,
}

impl Search<'_> {
    /// Searches a file for the dialogs of all records.
    fn look_into(&mut self, found: &FoundPath) -> io::Result<()> {
        let Some(opened) = open_reported(found, true, &mut self.outcome) else {
            return Ok(());
        };
        let (path, below) = (&found.path, found.below().map(AsRef::as_ref));
        let is_named = |line: &WantedDialog| line.file.is_some() && is_meant(path, line);
        if let Some(why) = explain::no_corpus(&opened.file)
            && (below.is_none() || self.lines.iter().any(is_named))
        {
            self.useless.push((path.clone(), why));
        }
        let mut lookups = Vec::new();
        if opened.file.format().is_some() {
            self.corpora.push(path.clone());
            lookups = look_up(path, &opened.file, self.lines)?;
        } else {
            let lines = self.lines.iter().enumerate();
            let is_in = |line: &WantedDialog| is_kept_in(line, path, &opened.file);
            lookups.extend(
                lines.filter(|(_, line)| is_in(line)).map(|(n, _)| (n, IdLookup::Found(0))),
            );
        }
        if lookups.iter().all(|(_, lookup)| *lookup == IdLookup::Missing) && !found.is_stdin() {
            return Ok(());
        }
        for (line, lookup) in lookups.into_iter().filter(|(_, lookup)| *lookup != IdLookup::Missing)
        {
            self.places[line].push((self.targets.len(), lookup));
        }
        let name = name_of(path, below);
        let is_stdin = found.is_stdin();
        self.targets.push(TargetFile { is_stdin, ..TargetFile::new(opened, name) });
        Ok(())
    }

    fn finish(self, edits: &Path, skip_missing: bool) -> Placed {
        let Self { lines, mut targets, places, corpora, useless, outcome } = self;
        let (mut is_complete, mut skipped) = (true, 0);
        for ((position, line), mut places) in lines.iter().enumerate().zip(places) {
            if places.len() > 1 {
                let is_kept = |(target, _): &(usize, IdLookup)| {
                    let TargetFile { opened, .. } = &targets[*target];
                    is_kept_in(line, &opened.path, &opened.file)
                };
                if line.about == Some(EditKind::Judgements) {
                    // The corpus says which of several files of judgements is meant.
                    if !places.iter().all(is_kept) {
                        places.retain(|place| !is_kept(place));
                    }
                } else if line.answers.is_none() || places.iter().any(is_kept) {
                    // A detector's output has the same id as its log, but takes no votes.
                    places.retain(|(target, _)| takes(&targets[*target], line));
                }
                let meant =
                    |(target, _): &(usize, IdLookup)| is_meant(&targets[*target].opened.path, line);
                // A log has the texts of a dialog again.
                let is_log = |(target, _): &(usize, IdLookup)| {
                    OwnFile::Votes.is_at(&targets[*target].opened.path)
                };
                if line.file.is_none() {
                    if !places.iter().all(is_log) {
                        places.retain(|place| !is_log(place));
                    }
                } else if places.iter().any(meant) {
                    places.retain(meant);
                } else if let Some(file) = line.file.as_deref().filter(|_| !line.only_there) {
                    // The folder may have another name here.
                    let shared =
                        |target: usize| shared_end(&targets[target].opened.path, Path::new(file));
                    let most = places.iter().map(|(target, _)| shared(*target)).max();
                    places.retain(|(target, _)| Some(shared(*target)) == most);
                }
            }
            // Any file of the folder tells where a definition goes.
            if is_of_no_dialog(line) {
                let folder =
                    |(target, _): &(usize, IdLookup)| targets[*target].opened.path.parent();
                if places.iter().all(|place| folder(place) == folder(&places[0])) {
                    places.truncate(1);
                }
            }
            let dialog = &line.dialog;
            if let [(target, IdLookup::Found(dialog))] = places.as_slice() {
                match edited(&mut targets, *target, *dialog, line) {
                    Ok((target, dialog)) => targets[target].edits.push((position, dialog)),
                    Err(why) => {
                        line_error(edits, line.line, &why);
                        is_complete = false;
                    }
                }
                continue;
            }
            let path = |target: usize| targets[target].opened.path.as_path();
            let why = match places.as_slice() {
                [] if skip_missing => {
                    skipped += 1;
                    continue;
                }
                [] => nowhere(line, &corpora),
                [(target, _)] => {
                    let path = shown(path(*target));
                    format!("{dialog} is in {path} more than once; use its number")
                }
                several => {
                    let paths: Vec<_> = several.iter().map(|(target, _)| path(*target)).collect();
                    format!("{dialog} is in {}; choose one with \"file\"", listed(&paths))
                }
            };
            line_error(edits, line.line, &why);
            is_complete = false;
        }
        if is_complete {
            report_skipped(skipped);
        } else {
            for (path, why) in useless {
                file_error(&path, &why);
            }
            complain(format_args!("nothing was changed"));
        }
        targets.retain(|target| target.is_stdin || !target.edits.is_empty());
        Placed { targets, is_complete, outcome }
    }
}

/// True for the definition of a code, which is about no dialog.
fn is_of_no_dialog(line: &WantedDialog) -> bool {
    line.about == Some(EditKind::Judgements)
        && matches!(&line.dialog, DialogRef::Id(id) if id.is_empty())
}

/// True if a line changes answers that are in this file itself.
fn is_kept_in(line: &WantedDialog, path: &Path, file: &CorpusFile) -> bool {
    line.answers.as_ref().is_some_and(|answers| answers.is_in(path, file))
}

/// Returns the target that a line changes which is for dialog `dialog` of a target, and the position there: another target if
/// it changes a file of answers beside that.
///
/// # Errors
/// If that file cannot be opened or begun.
fn edited(
    targets: &mut Vec<TargetFile>,
    target: usize,
    dialog: usize,
    line: &WantedDialog,
) -> Result<(usize, usize), String> {
    let of = &targets[target];
    let (path, file) = (&of.opened.path, &of.opened.file);
    // Beside standard input there is nothing.
    let is_beside = |answers: &&AnswerFile| !of.is_stdin && !answers.is_in(path, file);
    let Some(answers) = line.answers.as_ref().filter(is_beside) else {
        return Ok((target, dialog));
    };
    let place = answers.beside(&of.opened);
    if let Some(known) = targets.iter().position(|known| known.opened.path == place) {
        return Ok((known, 0));
    }
    let below = place.strip_prefix(path.parent().unwrap_or(Path::new("")));
    let name = of.name.with_file_name(below.unwrap_or(&place));
    let about = vec![path.clone()];
    let opened = answers.take(place, &of.opened, dialog)?;
    targets.push(TargetFile { about, ..TargetFile::new(opened, name) });
    Ok((targets.len() - 1, 0))
}

/// Reports how many records have no dialog here.
fn report_skipped(records: usize) {
    if records > 0 {
        let records = counted(records, "record");
        complain(format_args!("{records} skipped: no such dialog in these files"));
    }
}

/// Explains why a record matches no dialog.
fn nowhere(record: &WantedDialog, corpora: &[PathBuf]) -> String {
    let dialog = &record.dialog;
    let Some(file) = &record.file else {
        return format!("{dialog} is in none of the files");
    };
    let paths = || corpora.iter().map(PathBuf::as_path);
    let meant: Vec<_> = paths().filter(|path| is_meant(path, record)).collect();
    if !meant.is_empty() {
        return format!("{dialog} is not in {}", listed(&meant));
    }
    let name = |path: &Path| Some(path.file_stem()?.to_string_lossy().to_lowercase());
    let wanted = name(Path::new(file)).unwrap_or_default();
    let is_close = |path: &&Path| {
        name(path).is_some_and(|name| strsim::normalized_levenshtein(&wanted, &name) >= CLOSE)
    };
    let candidates: Vec<_> = paths().filter(is_close).collect();
    match (corpora, candidates.as_slice()) {
        ([], _) => format!("no corpus file has a path that ends in {file:?}"),
        (_, []) => {
            let all: Vec<_> = paths().collect();
            format!(
                "no corpus file has a path that ends in {file:?}; the files are {}",
                listed(&all)
            )
        }
        (_, close) => {
            format!("no corpus file has a path that ends in {file:?}; similar: {}", listed(close))
        }
    }
}

/// Lists a few paths and the number of the others.
fn listed(paths: &[&Path]) -> String {
    let few: Vec<_> = paths.iter().take(LISTED).map(|path| shown(path)).collect();
    let few = few.join(", ");
    match paths.len().saturating_sub(LISTED) {
        0 => few,
        more => format!("{few} and {more} more"),
    }
}

/// Returns how many names two paths share at their ends.
fn shared_end(one: &Path, other: &Path) -> usize {
    let names = one.components().rev().zip(other.components().rev());
    names.take_while(|(one, other)| one == other).count()
}

/// Returns true if the format of the target has what the record edits.
fn takes(target: &TargetFile, line: &WantedDialog) -> bool {
    let format = target.opened.file.format();
    format.is_some_and(|format| line.about.is_none_or(|about| format.has().contains(&about)))
}

/// Returns true unless the record names another file.
fn is_meant(path: &Path, record: &WantedDialog) -> bool {
    let file = record.file.as_deref();
    file.is_none_or(|file| names(file, path))
}

/// Returns true if `file`, as records name it, is the end of a path.
pub fn names(file: &str, path: &Path) -> bool {
    let file = file.trim_start_matches("./");
    // A record may name a parent of the current folder.
    path.ends_with(file) || std::path::absolute(path).is_ok_and(|path| path.ends_with(file))
}

/// Finds the dialogs of the records that may be for this file, looking up each id once.
fn look_up(
    path: &Path,
    file: &CorpusFile,
    lines: &[WantedDialog],
) -> io::Result<Vec<(usize, IdLookup)>> {
    let meant = lines.iter().enumerate();
    let may_be_beside = |line: &WantedDialog| {
        let is_judged = line.about == Some(EditKind::Judgements);
        line.answers.is_some() && !is_judged && !file.format().is_some_and(Family::is_companion)
    };
    let is_meant =
        |line: &WantedDialog| !line.only_there || is_meant(path, line) || may_be_beside(line);
    let meant: Vec<_> = meant.filter(|(_, line)| is_meant(line)).collect();
    let mut found = Vec::with_capacity(meant.len());
    let mut by_id = Vec::new();
    for (number, line) in meant {
        match (&line.dialog, &line.id) {
            _ if is_of_no_dialog(line) => found.push((number, IdLookup::Found(0))),
            (DialogRef::Id(id), _) => by_id.push((number, id.as_str())),
            // The number is that in the file of answers, which tells the dialog of the corpus by its name.
            (DialogRef::Number(_), None)
                if !is_kept_in(line, path, file) && line.answers.is_some() =>
            {
                by_id.extend(line.answers.as_ref().and_then(AnswerFile::id).map(|id| (number, id)));
            }
            // The dialog may have another number than where the record was made.
            (DialogRef::Number(dialog), Some(id)) if !file.has_id(*dialog, id)? => {
                by_id.push((number, id.as_str()));
            }
            (reference, _) => found.push((number, file.find(reference)?)),
        }
    }
    let ids = file.find_ids(&by_id.iter().map(|(_, id)| *id).collect())?;
    found.extend(by_id.into_iter().map(|(number, id)| {
        let line = &lines[number];
        let lookup = match ids.get(id).copied() {
            None if line.answers.is_some() => AnswerFile::dialog_in(path, file, &line.dialog),
            None => IdLookup::Missing,
            Some(IdLookup::Several) => at_position(file, id, line.position),
            Some(found) => found,
        };
        (number, lookup)
    }));
    found.sort_unstable_by_key(|(number, _)| *number);
    Ok(found)
}

/// Chooses the dialog at `position` among several with one id.
fn at_position(file: &CorpusFile, id: &str, position: Option<usize>) -> IdLookup {
    let chosen =
        position.filter(|position| file.dialog_at(*position).is_some_and(|dialog| dialog.id == id));
    chosen.map_or(IdLookup::Several, IdLookup::Found)
}
