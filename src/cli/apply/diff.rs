//! The unified diff of a file with its edits.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use similar::{ChangeTag, TextDiff};

use crate::cli::paint;
use crate::corpus::{CorpusFile, Part, Source, positions};
use crate::text::visible;

/// Up to this size a file is compared as a whole; of a larger one only the edited dialogs are, with
/// no lines of others around them.
const WHOLE: u64 = 64 << 20;

/// Prints the diff. The inner result is that of reading the file.
pub fn print<S: Source>(
    path: &Path,
    file: &CorpusFile<S>,
    out: &mut dyn Write,
) -> io::Result<Result<(), io::Error>> {
    let texts = if file.source().len() <= WHOLE {
        whole(file)
    } else {
        dialogs(file)
    };
    match texts {
        Ok(texts) => {
            let (removed, added) = (paint::REMOVED, paint::ADDED);
            let name = header_name(path);
            writeln!(out, "{removed}--- {name}{removed:#}")?;
            writeln!(out, "{added}+++ {name}{added:#}")?;
            let mut shift = 0;
            for (line, old, new) in texts {
                shift = hunks(line, shift, &old, &new, out)?;
            }
            Ok(Ok(()))
        }
        Err(error) => Ok(Err(error)),
    }
}

/// The name of a file in the header. One that a terminal would obey or hide something of is quoted as
/// in C, which `git apply` and `patch` read.
fn header_name(path: &Path) -> String {
    let name = path.to_string_lossy();
    if visible(&name) == name {
        return name.into_owned();
    }
    let mut quoted = "\"".to_owned();
    for byte in name.bytes() {
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

/// Old and new text, and the number of lines before them.
type Stretch = (usize, String, String);

fn whole<S: Source>(file: &CorpusFile<S>) -> io::Result<Vec<Stretch>> {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for part in file.parts() {
        match part {
            Part::Kept(range) => {
                let bytes = read(file, range)?;
                old.extend_from_slice(&bytes);
                new.extend_from_slice(&bytes);
            }
            Part::New { text, instead } => {
                old.extend(read(file, instead)?);
                new.extend_from_slice(text.as_bytes());
            }
        }
    }
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(vec![(0, text(old), text(new))])
}

/// Each edited dialog by itself, from the beginning of its first line as far as that is near.
fn dialogs<S: Source>(file: &CorpusFile<S>) -> io::Result<Vec<Stretch>> {
    let mut stretches = Vec::new();
    for part in file.parts() {
        let Part::New { text, instead } = part else {
            continue;
        };
        let before = positions(file.source(), &[instead.start])?[0].line - 1;
        let indent_from = instead.start.saturating_sub(256);
        let lead = String::from_utf8_lossy(&read(file, indent_from..instead.start)?).into_owned();
        let lead = lead.rsplit('\n').next().unwrap_or_default().to_owned();
        let tail_to = (instead.end + 256).min(file.source().len());
        let tail = String::from_utf8_lossy(&read(file, instead.end..tail_to)?).into_owned();
        let tail = tail
            .split_inclusive('\n')
            .next()
            .unwrap_or_default()
            .to_owned();
        let old = String::from_utf8_lossy(&read(file, instead)?).into_owned();
        stretches.push((
            before as usize,
            format!("{lead}{old}{tail}"),
            format!("{lead}{text}{tail}"),
        ));
    }
    Ok(stretches)
}

fn read<S: Source>(file: &CorpusFile<S>, range: std::ops::Range<u64>) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; (range.end - range.start) as usize];
    file.source().read_at(range.start, &mut bytes)?;
    Ok(bytes)
}

/// Prints the hunks of one stretch. New line numbers are `shift` further on than old ones; returns
/// how much further they are after it.
fn hunks(
    line: usize,
    shift: isize,
    old: &str,
    new: &str,
    out: &mut dyn Write,
) -> io::Result<isize> {
    let diff = TextDiff::from_lines(old, new);
    let hunk_style = paint::HUNK;
    for group in diff.grouped_ops(3) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let old_range = line + first.old_range().start..line + last.old_range().end;
        let new_start = (line + first.new_range().start).saturating_add_signed(shift);
        let new_range = new_start..new_start + last.new_range().end - first.new_range().start;
        writeln!(
            out,
            "{hunk_style}@@ -{} +{} @@{hunk_style:#}",
            span(&old_range),
            span(&new_range)
        )?;
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (sign, style) = match change.tag() {
                ChangeTag::Equal => (' ', anstyle::Style::new()),
                ChangeTag::Delete => ('-', paint::REMOVED),
                ChangeTag::Insert => ('+', paint::ADDED),
            };
            let text = change.value();
            let text = text.strip_suffix('\n').unwrap_or(text);
            writeln!(out, "{style}{sign}{text}{style:#}")?;
            if change.missing_newline() {
                writeln!(out, "\\ No newline at end of file")?;
            }
        }
    }
    let lines = |text: &str| text.matches('\n').count().cast_signed();
    Ok(shift + lines(new) - lines(old))
}

/// A range of lines as a hunk's header has it.
fn span(range: &std::ops::Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        len => format!("{},{len}", range.start + 1),
    }
}
