//! Prints the difference that edits make in a file: as a unified diff, or dialog by dialog.
//!
//! The lines of a unified diff are those of the file, byte for byte, because a diff has no escapes.

mod dialogs;

pub use dialogs::print_changes;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::Path;

use clap::ValueEnum;
use similar::{DiffOp, group_diff_ops};

use crate::cli::printer::Printer;
use crate::cli::style;
use crate::corpus::{CorpusFile, FilePart, positions};
use crate::text::{diff, visible};

/// Largest file that is compared as a whole, in bytes. In a larger one only the edited dialogs are
/// compared, without context from other lines.
const WHOLE: u64 = 64 << 20;

/// The form of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffForm {
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
pub fn print(
    path: &Path,
    file: &CorpusFile,
    form: DiffForm,
    out: &mut Printer,
) -> io::Result<Result<(), io::Error>> {
    if form == DiffForm::Dialog {
        return dialogs::print(path, file, out);
    }
    let texts = if file.source().len() <= WHOLE { whole(file) } else { dialogs(file) };
    let texts = match texts {
        Ok(texts) => texts,
        Err(error) => return Ok(Err(error)),
    };
    let hunks: Vec<_> =
        texts.iter().map(|(line, old, new)| ComparedLines::new(*line, old, new)).collect();
    if form == DiffForm::Auto && hunks.iter().any(ComparedLines::is_hard_to_read) {
        return dialogs::print(path, file, out);
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
fn dialogs(file: &CorpusFile) -> io::Result<Vec<DiffHunk>> {
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
