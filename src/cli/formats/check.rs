//! `turnwise formats check`: tries a description on its sample and on corpora.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::{complain, file_error};
use crate::cli::CommandOutcome;
use crate::cli::errors::{Ended, Stop};
use crate::cli::printer::Printer;
use crate::cli::scan::unreadable;
use crate::cli::style::shown;
use crate::corpus::{Contents, CorpusFile, positions};
use crate::format::declared::{Description, OtherOffsets, Trial, editable, place_of};
use crate::format::{Family, Formats};
use crate::json::{NodeKind, Parser, Position};
use crate::shell::{
    LARGEST_SETTINGS, STDIN, find_corpora, open, open_source, read_format, read_side_text,
};
use crate::text::{counted, visible};

/// Try a description of a format: read its sample and corpora, and move every edge of a segment there and back
///
/// Exit code: 0 everything fits, 1 something does not, 2 the description or a file could not be read.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise formats check formats/mine.toml data.json")]
pub struct Arguments {
    /// The description, a TOML file
    description: PathBuf,
    /// Corpora that should have this format
    corpora: Vec<PathBuf>,
}

/// Dialogs of each file whose edges are moved.
const MOVED: usize = 200;

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let path = &arguments.description;
    let declared = match read_format(path) {
        Ok(declared) => declared,
        Err((place, error)) => {
            return Err(Stop::at(&place, error));
        }
    };
    let format = declared.keep();
    let formats = Formats::with(vec![format]);
    writeln!(out, "{}: {} ({})", shown(path), format.name(), visible(format.title()))?;
    let sample = format.description().sample.clone();
    let mut outcome = CommandOutcome::Clean;
    let has_sample = sample.is_some();
    if let Some(sample) = sample {
        let read = try_sample(path, sample, format, &formats, out)?;
        outcome = outcome.max(read);
    } else if arguments.corpora.is_empty() {
        complain(format_args!(
            "{}: there is no `sample`; add a small dialog to show that the description works",
            shown(path)
        ));
        outcome = outcome.max(CommandOutcome::Issues);
    }
    for found in find_corpora(&arguments.corpora, Path::new(STDIN), None) {
        if found.is_description() {
            continue;
        }
        let path = found.path();
        if !found.is_file() {
            match found.error() {
                Some(error) => file_error(path, error),
                None => file_error(path, &"a description can be tried only on files"),
            }
            outcome = CommandOutcome::Unusable;
            continue;
        }
        match open(path, &formats, false) {
            Ok(opened) => {
                let name = shown(path);
                let place = |at: Position| format!("{name}:{at}");
                let read = try_file(&name, &place, format, &opened.file, out)?;
                outcome = outcome.max(read);
                // What a sample is to have once, a corpus may lack.
                if !has_sample
                    && matches!(&opened.file.index().contents, Contents::Dialogs(found) if found.is_same(format))
                {
                    let unmatched =
                        try_places(&arguments.description, format, &opened.file, &name)?;
                    outcome = outcome.max(unmatched);
                }
                if let Some(ontology) = missing_ontology(format, path) {
                    complain(format_args!(
                        "{name}: the ontology {ontology} is neither beside this file nor in the folder above"
                    ));
                    outcome = outcome.max(CommandOutcome::Issues);
                }
            }
            Err(error) => {
                file_error(path, &error);
                outcome = CommandOutcome::Unusable;
            }
        }
    }
    let [can, cannot] = editable(format.description());
    writeln!(out, "can be edited:")?;
    for part in can {
        writeln!(out, "  {part}")?;
    }
    if !cannot.is_empty() {
        writeln!(out, "read only:")?;
    }
    for part in cannot {
        writeln!(out, "  {part}")?;
    }
    Ok(outcome)
}

/// Tries the format on the sample of its description at `path`, which is to have everything once.
fn try_sample(
    path: &Path,
    sample: String,
    format: &'static Family,
    formats: &Formats,
    out: &mut Printer,
) -> Ended {
    let mut outcome = CommandOutcome::Clean;
    let file = open_source(sample.into_bytes(), formats, false).map_err(io::Error::other)?;
    let text = read_side_text(path, LARGEST_SETTINGS).unwrap_or_default();
    let name = shown(path);
    let first = first_line(&text);
    let place = |at: Position| match first {
        Some(first) => format!("{name}:{}:{}", first + at.line - 1, at.column),
        None => format!("sample:{at}"),
    };
    let mut is_array = true;
    each_text(&file, |text, _| {
        let mut parser = Parser::new();
        let tree = parser.parse_piece_str(&text);
        is_array &= tree.is_ok_and(|tree| tree.root().kind() == NodeKind::Array);
    })?;
    let is_nested = |of: &Description| of.has_array_dialogs() && !of.lines_are_turns();
    if !is_array && is_nested(format.description()) {
        complain(format_args!(
            "{}: `at` in `[turn]` makes each dialog an array, so the sample must be an array of arrays: `[[…]]`",
            place(Position { line: 1, column: 1 })
        ));
        outcome = outcome.max(CommandOutcome::Issues);
    } else {
        outcome = outcome.max(try_file("sample", &place, format, &file, out)?);
        outcome = outcome.max(try_places(path, format, &file, "the sample")?);
    }
    Ok(outcome)
}

/// Names the places of the description at `path` that match nothing in a file, which messages call `name`.
fn try_places(path: &Path, format: &'static Family, file: &CorpusFile, name: &str) -> Ended {
    let mut trial = Trial::of(format);
    let text = read_side_text(path, LARGEST_SETTINGS).unwrap_or_default();
    let mut outcome = CommandOutcome::Clean;
    each_text(file, |text, _| trial.add(&text, false))?;
    // What cannot be read at all has no places to find.
    let is_read = trial.counts.dialogs > 0;
    for (table, place) in trial.unmatched().filter(|_| is_read) {
        let line = place_of(&text, table, place).map_or(1, |at| at.line);
        let place_of = PathBuf::from(format!("{}:{line}", path.display()));
        file_error(&place_of, &format_args!("`{place}` matches nothing in {name}"));
        outcome = outcome.max(CommandOutcome::Issues);
    }
    Ok(outcome)
}

/// Returns the places of `has` that the first dialog of a file lacks, and those of `lacks` that it has.
fn lacking(format: &'static Family, file: &CorpusFile) -> io::Result<Vec<String>> {
    if format.lines_are_turns() || file.index().pieces.is_empty() {
        return Ok(Vec::new());
    }
    let text = file.text(0).map_err(io::Error::other)?;
    let mut parser = Parser::new();
    let signs = parser.parse_piece_str(&text).map(|tree| format.signs(tree.root()));
    let missing = signs.unwrap_or_default().into_iter().filter(|sign| !sign.present);
    Ok(missing.map(|sign| sign.what.to_owned()).collect())
}

/// Returns the file with names that a format has for the corpus at `path`, if it is not there.
fn missing_ontology(format: &'static Family, path: &Path) -> Option<&'static str> {
    let description = format.description();
    let file = description.ontology.as_ref()?.file.as_deref()?;
    let path = std::path::absolute(path).ok()?;
    let mut folders = path.ancestors().skip(1).take(2);
    let is_there = folders.any(|folder| folder.join(file).exists());
    (!is_there).then_some(file)
}

/// Returns the line of a description, from 1, on which the first line of its sample is; None if the sample is
/// written in another way than the draft's.
fn first_line(description: &str) -> Option<u64> {
    let (before, after) = description.split_once("\nsample = '''")?;
    let breaks = usize::from(after.starts_with(['\n', '\r']));
    Some((before.matches('\n').count() + 2 + breaks) as u64)
}

/// Tries the format on a file called `name`, whose places `place` names.
fn try_file(
    name: &str,
    place: &dyn Fn(Position) -> String,
    format: &'static Family,
    file: &CorpusFile,
    out: &mut Printer,
) -> Ended {
    let format = match &file.index().contents {
        // Its unit is the one that fits the file.
        Contents::Dialogs(found) if found.is_same(format) => *found,
        Contents::Dialogs(found) => {
            complain(format_args!(
                "{name}: its dialogs are read as {}; `--family {}` overrides this",
                found.name(),
                format.name()
            ));
            return Ok(CommandOutcome::Issues);
        }
        _ => {
            for issue in unreadable(file) {
                let at = issue.place.map_or_else(|| name.to_owned(), |(_, at)| place(at));
                complain(format_args!("{at}: {}", issue.message));
            }
            for place in lacking(format, file)? {
                complain(format_args!(
                    "{name}: its first dialog does not fit `has` or `lacks`: `{place}`"
                ));
            }
            return Ok(CommandOutcome::Issues);
        }
    };
    let mut trial = Trial::of(format);
    each_text(file, |text, number| trial.add(&text, number < MOVED))?;
    let counts = &trial.counts;
    let shown = [
        (counts.dialogs, "dialog"),
        (counts.turns, "turn"),
        (counts.segments, "segment"),
        (counts.acts, "act"),
        (counts.calls, "call"),
        (trial.slots, "state slot"),
    ];
    let shown = shown.iter().filter(|(count, _)| *count > 0);
    let shown: Vec<_> = shown.map(|(count, what)| counted(*count as usize, what)).collect();
    writeln!(out, "{name}: {}", shown.join(", "))?;
    let mut outcome = CommandOutcome::Clean;
    let pieces = &file.index().pieces;
    for (issue, found) in &trial.issues {
        let at = pieces[found.dialog].start + u64::from(found.at);
        let at = positions(file.source(), &[at])?.pop().unwrap_or_default();
        let times = counted(found.count, "time");
        complain(format_args!("{}: {issue} ({times})", place(at)));
        outcome = CommandOutcome::Issues;
    }
    if let Some(why) = unlike_quotes(&trial, format, file)? {
        complain(format_args!("{name}: {why}"));
        outcome = CommandOutcome::Issues;
    }
    if trial.moved + trial.lost + trial.refused.len() > 0 {
        let moved = counted(trial.moved, "edge");
        writeln!(out, "{name}: {moved} moved and moved back, bytes unchanged")?;
    }
    if trial.lost > 0 {
        let lost = counted(trial.lost, "edge");
        complain(format_args!("{name}: {lost} moved and moved back, but bytes changed"));
        outcome = CommandOutcome::Issues;
    }
    for (reason, count) in &trial.refused {
        let edges = counted(*count, "edge");
        complain(format_args!("{name}: {edges} cannot be moved: {reason}"));
        outcome = CommandOutcome::Issues;
    }
    Ok(outcome)
}

/// Returns what is wrong if most quotes are not the text of their spans, or if another unit or other ends fit more
/// of them.
fn unlike_quotes(
    trial: &Trial,
    format: &'static Family,
    file: &CorpusFile,
) -> io::Result<Option<String>> {
    let mut own = OtherOffsets::own(format);
    if own.is_exact() && trial.fitting == trial.quotes {
        return Ok(None);
    }
    let mut others = OtherOffsets::of(format);
    each_text(file, |text, _| {
        own.add(&text);
        for other in &mut others {
            other.add(&text);
        }
    })?;
    let best = OtherOffsets::best(&others).filter(|other| other.fitting > own.fitting);
    // Quotes that need not be the text prove nothing by themselves.
    if best.is_none() && (2 * own.fitting >= own.quotes || !own.is_exact()) {
        return Ok(None);
    }
    let (unlike, quotes) = (own.quotes - own.fitting, own.quotes);
    let mut why = format!("{unlike} of {quotes} quotes do not match the text of their spans");
    if let Some(best) = best {
        why = format!("{why}; with `{}`, {} would match", best.shown(), best.fitting);
    }
    Ok(Some(why))
}

/// Calls `visit` with the text of each dialog of a file and its position.
fn each_text(file: &CorpusFile, mut visit: impl FnMut(String, usize)) -> io::Result<()> {
    for position in 0..file.index().pieces.len() {
        let text = file.text(position).map_err(io::Error::other)?;
        visit(text, position);
    }
    Ok(())
}
