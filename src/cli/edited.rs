//! The end of commands that edit: what they have changed is printed, as a unified diff or dialog by dialog, or saved.
//!
//! The lines of a unified diff are those of the file, byte for byte, because a diff has no escapes.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::Path;

use clap::ValueEnum;
use similar::{DiffOp, group_diff_ops};

use super::CommandOutcome;
use super::conflicts::OpenConflicts;
use super::errors::{Ended, file_error};
use super::output::{report_save_error, tell_doubt};
use super::printer::Printer;
use super::style::{self, shown};
use crate::app::pane::truncated;
use crate::corpus::{CorpusFile, FilePart, positions};
use crate::json::Parser;
use crate::lint::rendered_changes;
use crate::shell::{Content, OpenedFile, RealFs, Save, SaveError, SaveReport, UserFolders};
use crate::text::{diff, visible};

/// Flags that show changes instead of making them.
#[derive(Debug, Default, clap::Args)]
pub struct PreviewOptions {
    /// Print the changes without changing files [default form: auto]
    #[arg(
        long,
        value_name = "FORM",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "auto"
    )]
    diff: Option<DiffForm>,
    /// Report what would be done without doing it
    #[arg(long, conflicts_with = "diff")]
    pub dry_run: bool,
}

impl PreviewOptions {
    /// True if nothing is to be written.
    pub fn is_asked(&self) -> bool {
        self.dry_run || self.diff.is_some()
    }

    /// Prints the changes of a file, or `would`, which says what would be done. Returns None if neither was asked for.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn print(
        &self,
        path: &Path,
        file: &CorpusFile,
        would: &str,
        out: &mut Printer,
    ) -> io::Result<Option<CommandOutcome>> {
        if let Some(form) = self.diff {
            if let Err(error) = print_diff(path, file, form, out)? {
                file_error(path, &error);
                return Ok(Some(CommandOutcome::Unusable));
            }
        } else if self.dry_run {
            writeln!(out, "{}: {would}", shown(path))?;
        } else {
            return Ok(None);
        }
        Ok(Some(CommandOutcome::Clean))
    }

    /// Writes edited standard input to standard output: all bytes that the edits do not change as they came (see
    /// [`Printer`] for a terminal). Prints the preview instead if one was asked for. `said` is what would be done, and
    /// what was done then; None if there is nothing to say.
    ///
    /// # Errors
    /// If standard output cannot be written, or the edits would change how other spans are read.
    pub fn pass_on(
        &self,
        opened: &OpenedFile,
        said: Option<[String; 2]>,
        out: &mut Printer,
    ) -> Ended {
        let OpenedFile { path, file, .. } = opened;
        if self.is_asked() {
            let end = said.map(|[would, _]| self.print(path, file, &would, out)).transpose()?;
            return Ok(end.flatten().unwrap_or_default());
        }
        if !file.keeps_unit() {
            return Err(io::Error::other(SaveError::OtherUnit).into());
        }
        out.as_json(|out| file.write_to(out))?;
        if let Some([_, done]) = said {
            file_error(path, &done);
        }
        Ok(CommandOutcome::Clean)
    }
}

/// Saves an edited file, and reports what was `done`. The open conflicts of the file stay listed beside it.
///
/// # Errors
/// If `out` cannot be written.
pub fn save(
    save: &Save<'_>,
    file: &CorpusFile,
    open: Option<OpenConflicts>,
    done: &str,
    out: &mut Printer,
) -> Ended {
    let Some(saved) = put(save, file) else {
        return Ok(CommandOutcome::Unusable);
    };
    writeln!(out, "{}: {done}", shown(save.path))?;
    if saved.linked {
        file_error(save.path, &"the file has other hard links, which keep the old text");
    }
    let is_kept = open.is_none_or(|open| open.keep(save.path, file, saved.hash));
    Ok(if is_kept { CommandOutcome::Clean } else { CommandOutcome::Unusable })
}

/// Saves a file. Reports that it may not survive a power failure, or why it cannot be saved; None then.
pub fn put(save: &Save<'_>, file: &CorpusFile) -> Option<SaveReport> {
    let state = UserFolders::find().state;
    let save = Save { state: state.as_deref(), ..*save };
    match save.put(&RealFs, Content::Corpus(file)) {
        Ok(saved) => {
            tell_doubt(save.path, "saved", &saved);
            Some(saved)
        }
        Err(error) => {
            report_save_error(save.path, &error);
            None
        }
    }
}

/// Largest file that is compared as a whole, in bytes. In a larger one only the edited dialogs are
/// compared, without context from other lines.
const WHOLE: u64 = 64 << 20;

/// The form of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiffForm {
    /// `dialog` if a changed line has more than 400 characters, else `unified`
    Auto,
    /// The lines of the file, for `patch` and `git apply`
    Unified,
    /// The changed turns, each as text before and after
    Dialog,
}

/// The longest changed line, in characters, for which the default is a unified diff.
const READABLE: usize = 400;

/// Prints the diff. The inner result is that of reading the file.
fn print_diff(
    path: &Path,
    file: &CorpusFile,
    form: DiffForm,
    out: &mut Printer,
) -> io::Result<Result<(), io::Error>> {
    if form == DiffForm::Dialog {
        return print_dialogs(path, file, out);
    }
    let texts = if file.source().len() <= WHOLE { whole(file) } else { edited_lines(file) };
    let texts = match texts {
        Ok(texts) => texts,
        Err(error) => return Ok(Err(error)),
    };
    let hunks: Vec<_> =
        texts.iter().map(|(line, old, new)| ComparedLines::new(*line, old, new)).collect();
    if form == DiffForm::Auto && hunks.iter().any(ComparedLines::is_hard_to_read) {
        return print_dialogs(path, file, out);
    }
    let (removed, added) = (out.style(style::REMOVED), out.style(style::ADDED));
    let name = header_name(path);
    writeln!(out, "{removed}--- {name}{removed:#}")?;
    writeln!(out, "{added}+++ {name}{added:#}")?;
    let mut shift = 0;
    for compared in hunks {
        shift = compared.print(shift, out)?;
    }
    Ok(Ok(()))
}

/// Returns the name of a file for the header. A name with control or invisible characters is quoted as
/// in C, which `git apply` and `patch` read.
fn header_name(path: &Path) -> String {
    if let Some(name) = path.to_str().filter(|name| visible(name) == *name) {
        return name.to_owned();
    }
    let mut quoted = "\"".to_owned();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', byte.into()]),
            b' '..=b'~' => quoted.push(byte.into()),
            _ => {
                // Writing to a String cannot fail.
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted + "\""
}

/// The number of lines before the hunk, the old text and the new text.
type DiffHunk = (usize, Vec<u8>, Vec<u8>);

fn whole(file: &CorpusFile) -> io::Result<Vec<DiffHunk>> {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for part in file.parts() {
        match part {
            FilePart::Kept(range) => {
                let bytes = file.source().bytes(range)?;
                old.extend_from_slice(&bytes);
                new.extend_from_slice(&bytes);
            }
            FilePart::New { text, instead } => {
                old.extend(file.source().bytes(instead)?);
                new.extend_from_slice(text.as_bytes());
            }
        }
    }
    Ok(vec![(0, old, new)])
}

/// Returns each edited dialog as a hunk, from the beginning of its first line if that is near.
fn edited_lines(file: &CorpusFile) -> io::Result<Vec<DiffHunk>> {
    let mut stretches = Vec::new();
    for part in file.parts() {
        let FilePart::New { text, instead } = part else {
            continue;
        };
        let before = positions(file.source(), &[instead.start])?[0].line - 1;
        let lead = file.source().bytes(instead.start.saturating_sub(256)..instead.start)?;
        let lead = lines(&lead).last().copied().filter(|line| !line.ends_with(b"\n"));
        let tail_to = (instead.end + 256).min(file.source().len());
        let tail = file.source().bytes(instead.end..tail_to)?;
        let tail = lines(&tail).first().copied().unwrap_or_default();
        let lead = lead.unwrap_or_default();
        let old = [lead, &file.source().bytes(instead)?, tail].concat();
        let new = [lead, text.as_bytes(), tail].concat();
        stretches.push((before as usize, old, new));
    }
    Ok(stretches)
}

/// Splits text into lines with their ends. A carriage return alone does not end a line, because programs
/// that apply diffs know only line feeds.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Two versions of some lines of a file.
struct ComparedLines<'t> {
    /// The number of lines before them.
    line: usize,
    old: Vec<&'t [u8]>,
    new: Vec<&'t [u8]>,
    hunks: Vec<Vec<DiffOp>>,
}

impl<'t> ComparedLines<'t> {
    fn new(line: usize, old: &'t [u8], new: &'t [u8]) -> Self {
        let (old, new) = (lines(old), lines(new));
        let hunks = group_diff_ops(diff(&old, &new), 3);
        Self { line, old, new, hunks }
    }

    /// True if a changed line is very long.
    fn is_hard_to_read(&self) -> bool {
        let is_long = |line: &&[u8]| {
            line.len() > READABLE && line.iter().filter(|b| **b & 0xc0 != 0x80).count() > READABLE
        };
        let changed = self.hunks.iter().flatten();
        changed.filter(|op| !matches!(op, DiffOp::Equal { .. })).any(|op| {
            self.old[op.old_range()].iter().any(&is_long)
                || self.new[op.new_range()].iter().any(&is_long)
        })
    }

    /// Prints the hunks. New line numbers are old ones plus `shift`; returns the shift after these lines.
    fn print(self, shift: isize, out: &mut Printer) -> io::Result<isize> {
        let Self { line, old, new, .. } = &self;
        let hunk = out.style(style::HUNK);
        for group in &self.hunks {
            let (Some(first), Some(last)) = (group.first(), group.last()) else {
                continue;
            };
            let old_range = line + first.old_range().start..line + last.old_range().end;
            let new_start = (line + first.new_range().start).saturating_add_signed(shift);
            let new_range = new_start..new_start + last.new_range().end - first.new_range().start;
            writeln!(out, "{hunk}@@ -{} +{} @@{hunk:#}", span(&old_range), span(&new_range))?;
            for op in group {
                if let DiffOp::Equal { .. } = op {
                    print_lines(' ', anstyle::Style::new(), &old[op.old_range()], out)?;
                } else {
                    print_lines('-', style::REMOVED, &old[op.old_range()], out)?;
                    print_lines('+', style::ADDED, &new[op.new_range()], out)?;
                }
            }
        }
        let ends = |lines: &[&[u8]]| lines.iter().filter(|line| line.ends_with(b"\n")).count();
        Ok(shift + ends(new).cast_signed() - ends(old).cast_signed())
    }
}

fn print_lines(
    sign: char,
    style: anstyle::Style,
    lines: &[&[u8]],
    out: &mut Printer,
) -> io::Result<()> {
    let style = out.style(style);
    for line in lines {
        let text = line.strip_suffix(b"\n");
        write!(out, "{style}{sign}")?;
        out.write_all(text.unwrap_or(line))?;
        writeln!(out, "{style:#}")?;
        if text.is_none() {
            writeln!(out, "\\ No newline at end of file")?;
        }
    }
    Ok(())
}

/// Formats a range of lines for a hunk's header.
fn span(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        len => format!("{},{len}", range.start + 1),
    }
}

/// The most columns of a text before or after a change.
const COLUMNS: usize = 200;

/// Prints what edits change in dialogs, turn by turn, for files whose lines are too long for a diff of lines. The inner result is that of reading the file.
fn print_dialogs(
    path: &Path,
    file: &CorpusFile,
    out: &mut Printer,
) -> io::Result<Result<(), io::Error>> {
    let place = out.style(style::PLACE);
    writeln!(out, "{place}{}{place:#}", shown(path))?;
    print_changes(file, out)
}

/// Prints the changes, without the name of the file. The inner result is that of reading it.
pub fn print_changes(file: &CorpusFile, out: &mut Printer) -> io::Result<Result<(), io::Error>> {
    let Some(format) = file.file_format() else {
        return Ok(Ok(()));
    };
    let hunk = out.style(style::HUNK);
    let (removed, added) = (out.style(style::REMOVED), out.style(style::ADDED));
    for (position, new) in file.edited_texts() {
        let old = match file.bytes(*position) {
            Ok(old) => old,
            Err(error) => return Ok(Err(error)),
        };
        // Dialogs that are not UTF-8 cannot be edited.
        let old = String::from_utf8_lossy(&old);
        let (mut parser, mut other) = (Parser::new(), Parser::new());
        let (Ok(was), Ok(is)) = (parser.parse_piece_str(&old), other.parse_piece_str(new)) else {
            continue;
        };
        let format = format.of(was.root());
        let ((was, _), (is, _)) = (format.read(was), format.read(is));
        for change in rendered_changes(&was, &old, &is, new) {
            let turn = change.turn.map_or(String::new(), |t| format!(", turn {t}"));
            let id = visible(&was.id);
            writeln!(out, "{hunk}@@ dialog {position}{turn} @@{hunk:#} {id}")?;
            for (sign, style, text) in [('-', removed, &change.before), ('+', added, &change.after)]
            {
                let text = if text.is_empty() { "nothing" } else { text };
                let text = visible(text);
                writeln!(out, "{style}{sign} {}{style:#}", truncated(&text, COLUMNS))?;
            }
        }
    }
    Ok(Ok(()))
}
