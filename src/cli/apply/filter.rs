//! `turnwise apply EDITS -`: edits standard input on its way to standard output.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::{Arguments, RecordLine, made};
use crate::cli::CommandOutcome;
use crate::cli::errors::{Ended, OrStop as _, Stop, complain, file_error, file_issues, line_error};
use crate::cli::options::pass_on;
use crate::cli::printer::Printer;
use crate::cli::records::{look_up, nowhere, report_skipped};
use crate::cli::scan::{read_standard_input, unreadable};
use crate::cli::style::shown;
use crate::corpus::{CorpusFile, IdLookup, write_range};
use crate::format::Formats;
use crate::shell::{STDIN, open_source};
use crate::text::counted;

/// Applies records to standard input, called `name`, and writes it to standard output; prints a diff or a
/// summary instead if one was asked for. If a record does not fit, the text passes unchanged.
pub fn run(
    arguments: &Arguments,
    name: &Path,
    formats: &Formats,
    lines: &[RecordLine],
    out: &mut Printer,
) -> Ended {
    if arguments.edits == Path::new(STDIN) {
        let why = "the records and the corpus cannot both be standard input";
        return Err(Stop::at(name, why));
    }
    if arguments.output.is_some() {
        let why = "standard input goes to standard output; --output is for files";
        return Err(Stop::at(name, why));
    }
    let unread = |error| Stop::at(name, format_args!("cannot be read: {error}"));
    let bytes = read_standard_input().map_err(unread)?;
    let is_empty = bytes.trim_ascii().is_empty();
    let mut file = open_source(bytes, formats, false).or_stop_at(name)?;
    let mut outcome = CommandOutcome::Clean;
    if !is_empty {
        outcome = file_issues(name, &unreadable(&file));
    }
    let (mut state, mut changes) = (CommandOutcome::Issues, 0);
    if let Some(placed) = placed(arguments, name, &file, lines)? {
        let applied = made::edit(&arguments.edits, name, &mut file, &placed, lines);
        (state, changes) = (applied.outcome, applied.changes);
    }
    outcome = outcome.max(state);
    if state == CommandOutcome::Clean {
        let end = finish(arguments, name, &file, changes, out)?;
        return Ok(outcome.max(end));
    }
    if !arguments.preview.is_asked() {
        // Some edits of a dialog may fit, but all are made or none.
        write_range(file.source(), 0..file.source().len(), out)?;
    }
    Ok(outcome)
}

/// Passes the text on if the command is a filter, because its records cannot be read.
pub fn pass_unchanged(arguments: &Arguments, out: &mut Printer) -> io::Result<()> {
    let stdin = Path::new(STDIN);
    let is_filter = matches!(&arguments.paths[..], [only] if only == stdin)
        && arguments.edits != stdin
        && arguments.output.is_none();
    if is_filter && !arguments.preview.is_asked() {
        out.write_all(&read_standard_input()?)?;
    }
    Ok(())
}

/// Finds the dialog of each record. Reports records without one; returns None if there are any, unless they
/// are to be skipped.
fn placed(
    arguments: &Arguments,
    name: &Path,
    file: &CorpusFile,
    lines: &[RecordLine],
) -> io::Result<Option<Vec<(usize, usize)>>> {
    let mut lookups = vec![IdLookup::Missing; lines.len()];
    let wanted: Vec<_> = lines.iter().map(RecordLine::wanted).collect();
    if file.format().is_some() {
        for (number, lookup) in look_up(name, file, &wanted)? {
            lookups[number] = lookup;
        }
    }
    let corpora: Vec<PathBuf> = file.format().map(|_| name.to_owned()).into_iter().collect();
    let (mut placed, mut skipped, mut all_placed) = (Vec::new(), 0, true);
    for (number, (line, lookup)) in lines.iter().zip(lookups).enumerate() {
        let dialog = &line.record.dialog;
        let why = match lookup {
            IdLookup::Found(position) => {
                placed.push((number, position));
                continue;
            }
            IdLookup::Missing if arguments.skip_missing => {
                skipped += 1;
                continue;
            }
            IdLookup::Missing => nowhere(&wanted[number], &corpora),
            IdLookup::Several => {
                let name = shown(name);
                format!("{dialog} is in {name} more than once; use its number")
            }
        };
        line_error(&arguments.edits, line.number, &why);
        all_placed = false;
    }
    if !all_placed {
        complain(format_args!("nothing was changed"));
        return Ok(None);
    }
    report_skipped(skipped);
    Ok(Some(placed))
}

/// Writes the edited text, or the preview that was asked for.
fn finish(
    arguments: &Arguments,
    name: &Path,
    file: &CorpusFile,
    changes: usize,
    out: &mut Printer,
) -> Ended {
    let edits = counted(changes, "edit");
    let preview = &arguments.preview;
    if !preview.is_asked() {
        pass_on(file, out)?;
        if changes > 0 {
            file_error(name, &format_args!("{edits} applied"));
        }
    } else if changes > 0 || preview.dry_run {
        let end = preview.print(name, file, &format!("{edits} would be applied"), out)?;
        return Ok(end.unwrap_or_default());
    }
    Ok(CommandOutcome::Clean)
}
