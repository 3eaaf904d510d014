//! `turnwise apply`: edit records brought into corpus files.

pub mod diff;
mod place;

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write};
use std::path::{Path, PathBuf};

use super::output::{is_below, same_file, tell_doubt};
use super::paint::shown;
use super::{Outcome, complain};
use crate::corpus::{Record, trouble};
use crate::format::EditGroup;
use crate::shell::{Found, RealFs, UserFolders, find_files, save_alone, save_as};
use crate::text::counted;
use place::{Target, place};

/// Apply edit records, one JSON object a line, to corpus files and save them
///
/// All records for a file are applied to it, or none. Only the bytes of what is changed differ.
/// Exit code: 0 all were applied, 1 a record does not fit, 2 something could not be read or written.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  turnwise apply edits.jsonl corpus.json --diff
  turnwise apply edits.jsonl corpus/ --output repaired/
  echo '{\"edit\":\"set_span\",\"dialog\":0,\"turn\":3,\"segment\":0,\"start\":20,\"end\":36}' | turnwise apply - corpus.json")]
pub struct Arguments {
    /// The records, or - for standard input
    edits: PathBuf,
    /// Files, or folders with everything in them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Say what would be done, and do nothing
    #[arg(long, conflicts_with_all = ["diff", "output"])]
    dry_run: bool,
    /// Print a unified diff, and do nothing
    #[arg(long, conflicts_with = "output")]
    diff: bool,
    /// Write the changed files into this folder instead of changing them
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Bytes of a record, at the most, where it is only looked whether there is one.
const LONGEST_RECORD: u64 = 1 << 20;

/// A record and the line it stands on, from 1.
struct Line {
    number: usize,
    record: Record,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> io::Result<Outcome> {
    let text = match read_edits(&arguments.edits) {
        Ok(text) => text,
        Err(error) => {
            complain(format_args!(
                "{}: cannot be read: {error}",
                shown(&arguments.edits)
            ));
            return Ok(Outcome::Unusable);
        }
    };
    let Some(lines) = parse(&arguments.edits, &text) else {
        return Ok(Outcome::Issues);
    };
    if arguments.paths.iter().any(|path| path == Path::new("-")) {
        complain(format_args!(
            "-: standard input cannot be changed; name files"
        ));
        return Ok(Outcome::Unusable);
    }
    if let Some(path) = arguments.paths.iter().find(|path| begins_with_edit(path)) {
        complain(format_args!(
            "{}: this is a file of edits, no corpus; they are applied one after the other",
            shown(path)
        ));
        return Ok(Outcome::Unusable);
    }
    let mut files = find_files(&arguments.paths);
    if let Some(folder) = &arguments.output {
        files.retain(|found| match found {
            Found::File { path, below } => !is_below(path, below.as_deref(), folder),
            Found::Problem { .. } => true,
        });
    }
    let (targets, mut outcome) = place(&arguments.edits, &lines, files)?;
    let Some(mut targets) = targets else {
        return Ok(outcome.max(Outcome::Issues));
    };
    if let (Some(folder), Some(name)) = (&arguments.output, written_twice(&targets)) {
        let goal = folder.join(name);
        return Ok(failed(
            &goal,
            &"two files would be written here; nothing was changed",
        ));
    }
    for target in &mut targets {
        let fits = edit(&arguments.edits, target, &lines);
        outcome = outcome.max(if fits {
            finish(arguments, target, out)?
        } else {
            Outcome::Issues
        });
    }
    if outcome == Outcome::Clean {
        if targets.is_empty() {
            writeln!(out, "no records, nothing to do")?;
        } else if arguments.dry_run {
            sum_up(&targets, out)?;
        }
    }
    Ok(outcome)
}

/// True of a file whose first line is a record.
fn begins_with_edit(path: &Path) -> bool {
    let first = |path: &Path| {
        let mut line = String::new();
        let file = std::fs::File::open(path)?.take(LONGEST_RECORD);
        BufReader::new(file).read_line(&mut line)?;
        io::Result::Ok(line)
    };
    path.is_file() && first(path).is_ok_and(|line| line.parse::<Record>().is_ok())
}

fn read_edits(path: &Path) -> io::Result<String> {
    if path == Path::new("-") {
        io::read_to_string(io::stdin().lock())
    } else {
        std::fs::read_to_string(path)
    }
}

/// All records, or None if a line is none: then nothing is applied anywhere, as nobody can tell
/// which file it was for.
fn parse(edits: &Path, text: &str) -> Option<Vec<Line>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = Vec::new();
    let mut good = true;
    for (i, line) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
    {
        match line.parse() {
            Ok(record) => lines.push(Line {
                number: i + 1,
                record,
            }),
            Err(error) => {
                refuse(edits, i + 1, &error);
                good = false;
            }
        }
    }
    good.then_some(lines)
}

/// A name that two targets have below the output folder.
fn written_twice(targets: &[Target]) -> Option<&Path> {
    let mut names: Vec<_> = targets.iter().map(|target| target.name.as_path()).collect();
    names.sort_unstable();
    names
        .windows(2)
        .find(|pair| pair[0] == pair[1])
        .map(|pair| pair[0])
}

/// Says why the record on a line was not applied.
fn refuse(edits: &Path, line: usize, why: &dyn std::fmt::Display) {
    complain(format_args!("{}:{line}: {why}", shown(edits)));
}

/// Makes all edits of a file in memory; false if one does not fit.
fn edit(edits: &Path, target: &mut Target, lines: &[Line]) -> bool {
    let mut of_dialog: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (line, position) in &target.edits {
        of_dialog.entry(*position).or_default().push(*line);
    }
    let mut refused = Vec::new();
    for (position, places) in of_dialog {
        let group = |line: &usize| {
            let Record { edit, on, .. } = &lines[*line].record;
            EditGroup {
                edits: std::slice::from_ref(edit),
                on: on.as_ref(),
            }
        };
        let groups: Vec<_> = places.iter().map(group).collect();
        let results = target.opened.file.edit_all(position, &groups);
        if results.iter().all(Result::is_ok) {
            continue;
        }
        let file = &target.opened.file;
        let broken = file.dialog(position).err();
        let broken = broken.map(|error| trouble::unreadable(file, position, &error));
        for (line, result) in places.into_iter().zip(results) {
            let Err(why) = result else {
                continue;
            };
            let dialog = &lines[line].record.dialog;
            let path = shown(&target.opened.path);
            let why = match &broken {
                Some(broken) => format!("{dialog} of {path} is broken: {broken}"),
                None => format!("{dialog}: {why}"),
            };
            refused.push((lines[line].number, why));
        }
    }
    refused.sort_by_key(|(number, _)| *number);
    for (number, why) in &refused {
        refuse(edits, *number, why);
    }
    if !refused.is_empty() {
        complain(format_args!("{}: not changed", shown(&target.opened.path)));
    }
    refused.is_empty()
}

/// How many edits of a file change something.
fn changes(target: &Target) -> usize {
    let applied = target.opened.file.history().applied().into_iter();
    applied
        .filter(|revision| !revision.patch.is_empty())
        .count()
}

/// What a dry run came to, when all records fit.
fn sum_up(targets: &[Target], out: &mut dyn Write) -> io::Result<()> {
    let edits: usize = targets.iter().map(changes).sum();
    let files = targets.iter().filter(|target| changes(target) > 0).count();
    match edits {
        0 => writeln!(out, "fits, and there is nothing to change"),
        _ => writeln!(
            out,
            "fits: {} in {}",
            counted(edits, "edit"),
            counted(files, "file")
        ),
    }
}

fn finish(arguments: &Arguments, target: &Target, out: &mut dyn Write) -> io::Result<Outcome> {
    let path = &target.opened.path;
    let changes = changes(target);
    let unchanged = changes == 0;
    if arguments.diff {
        if unchanged {
            return Ok(Outcome::Clean);
        }
        return match diff::print(path, &target.opened.file, out)? {
            Ok(()) => Ok(Outcome::Clean),
            Err(error) => Ok(failed(path, &error)),
        };
    }
    let edits = counted(target.edits.len(), "edit");
    if arguments.dry_run && !unchanged {
        let edits = counted(changes, "edit");
        writeln!(out, "{}: {edits} would be made", shown(path))?;
        return Ok(Outcome::Clean);
    }
    if arguments.output.is_none() && unchanged {
        writeln!(out, "{}: {edits}, nothing to change", shown(path))?;
        return Ok(Outcome::Clean);
    }
    let saved = match &arguments.output {
        None => save_alone(
            &RealFs,
            &target.opened,
            UserFolders::find().state.as_deref(),
        ),
        Some(folder) => {
            let goal = folder.join(&target.name);
            if let Err(error) = goal.parent().map_or(Ok(()), std::fs::create_dir_all) {
                return Ok(failed(&goal, &error));
            }
            if same_file(&goal, path) {
                return Ok(failed(&goal, &"the output would replace the file itself"));
            }
            save_as(&RealFs, &target.opened, &goal)
        }
    };
    match saved {
        Ok(saved) => {
            // As it was named; a written file elsewhere, as it is there.
            let path = arguments.output.as_ref().map_or(path, |_| &saved.path);
            writeln!(out, "{}: {edits} made", shown(path))?;
            if saved.linked {
                complain(format_args!(
                    "{}: its other names, hard links, keep the old text",
                    shown(path)
                ));
            }
            tell_doubt(path, "saved", &saved);
            Ok(Outcome::Clean)
        }
        Err(error) => Ok(failed(path, &error)),
    }
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Outcome {
    complain(format_args!("{}: {error}", shown(path)));
    Outcome::Unusable
}
