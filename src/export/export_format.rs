//! The interface of a format: a dialog goes in, lines of one file or of several come out.

use std::borrow::Cow;
use std::io::{self, Write};

use super::left_out::LeftOut;
use super::opinion::Opinion;
use crate::dialog::{Dialog, Turn};
use crate::format::Family;
use crate::lint::Diagnostic;
use crate::votes::VoteSource;

/// A dialog to write.
pub struct ExportedDialog<'d> {
    /// Path of its file, for people.
    pub file: &'d str,
    /// Position in its file.
    pub position: usize,
    pub dialog: &'d Dialog,
    /// The dialog in the earlier revision that the user compares with.
    pub before: Option<&'d Dialog>,
    /// The dialog of another file that is the other side of the pair that it is, if it is one.
    pub other_side: Option<&'d Dialog>,
    /// Its text in the file; with its key if it is a member of an object.
    pub json: &'d str,
    pub format: &'static Family,
    /// Problems that `lint` finds in it, for formats that [need them](ExportFormat::needs_problems).
    pub problems: &'d [Diagnostic],
    /// One value per turn: false if the turn is not asked for.
    pub kept: &'d [bool],
    /// Opinions about its answers, taken from the votes or the answers to a question; None if these are not asked for.
    pub opinions: Option<&'d [Opinion]>,
    /// The part of the split that it belongs to; empty without a split.
    pub part: &'d str,
}

impl<'d> ExportedDialog<'d> {
    /// Returns its id; None if it has none.
    pub fn id(&self) -> Option<&'d str> {
        Some(self.dialog.id.as_str()).filter(|id| !id.is_empty())
    }

    /// Returns its text as a JSON value of its own: of a member of an object, an object with that member alone.
    pub fn value(&self) -> Cow<'d, str> {
        if self.json.starts_with('"') {
            Cow::Owned(format!("{{{}}}", self.json))
        } else {
            Cow::Borrowed(self.json)
        }
    }

    /// Returns the turns to write, with their positions.
    pub fn turns(&self) -> impl Iterator<Item = (usize, &'d Turn)> {
        let kept = self.kept;
        let is_kept = move |(turn, _): &(usize, _)| kept.get(*turn).is_none_or(|kept| *kept);
        self.dialog.turns.iter().enumerate().filter(is_kept)
    }
}

/// The files of one export.
pub trait ExportFiles {
    /// Returns the file called `name` in the output folder, which is created when it is first named. Folders in a
    /// name are separated by `/`.
    ///
    /// # Errors
    /// If it cannot be created.
    fn file(&mut self, name: &str) -> io::Result<&mut dyn Write>;
}

/// An export to several files, or to one that is not a list of lines.
pub trait Exporter {
    /// Writes a dialog.
    ///
    /// # Errors
    /// If it cannot be written.
    fn dialog(
        &mut self,
        dialog: &ExportedDialog<'_>,
        files: &mut dyn ExportFiles,
        left_out: &mut LeftOut,
    ) -> io::Result<()>;

    /// Writes the ends of the files.
    ///
    /// # Errors
    /// If they cannot be written.
    fn finish(&mut self, _: &mut dyn ExportFiles) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the lines for one dialog.
pub type WriteLines =
    fn(dialog: &ExportedDialog<'_>, out: &mut dyn Write, left_out: &mut LeftOut) -> io::Result<()>;

/// Begins an export of the parts of a split, or of the one part `""`. Creates all files, so that an
/// export of nothing leaves files without dialogs.
pub type StartExport = fn(
    parts: &[&str],
    options: &ExportOptions,
    files: &mut dyn ExportFiles,
) -> io::Result<Box<dyn Exporter>>;

/// The layout of an export.
pub enum Output {
    /// One file of lines for each part, with this name if there is one part.
    Lines(&'static str, WriteLines),
    /// Several files in a folder.
    Folder(StartExport),
}

/// An export of lines to one file for each part.
struct Lines {
    name: &'static str,
    write: WriteLines,
}

/// Begins an export of lines.
///
/// # Errors
/// If a file cannot be created.
pub fn lines(
    name: &'static str,
    write: WriteLines,
    parts: &[&str],
    files: &mut dyn ExportFiles,
) -> io::Result<Box<dyn Exporter>> {
    for part in parts {
        files.file(&part_name(part, name))?;
    }
    Ok(Box::new(Lines { name, write }))
}

/// Returns the name of the file of a part: `train.jsonl` instead of `spans.jsonl`.
fn part_name(part: &str, name: &str) -> String {
    match (part, name.split_once('.')) {
        ("", _) | (_, None) => name.to_owned(),
        (part, Some((_, ending))) => format!("{part}.{ending}"),
    }
}

impl Exporter for Lines {
    fn dialog(
        &mut self,
        dialog: &ExportedDialog<'_>,
        files: &mut dyn ExportFiles,
        left_out: &mut LeftOut,
    ) -> io::Result<()> {
        let out = files.file(&part_name(dialog.part, self.name))?;
        (self.write)(dialog, out, left_out)
    }
}

/// Returns the name of a file in the folder of a part, or in the output folder if there is no split.
pub fn in_part(part: &str, name: &str) -> String {
    if part.is_empty() { name.to_owned() } else { format!("{part}/{name}") }
}

/// A format for other programs.
pub struct ExportFormat {
    /// The name on the command line, short and stable.
    pub name: &'static str,
    /// A description of the output, in one line.
    pub writes: &'static str,
    pub needs_problems: bool,
    pub of: ExportSubject,
    pub output: Output,
}

/// The things that an export writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportSubject {
    /// Dialogs, with all judgements or without.
    Dialogs,
    /// Answers that are good or bad: by votes and gold labels, by the answers to a question, or because they were
    /// corrected.
    JudgedAnswers,
    /// Pairs of a better and a worse answer: by the answers to a question about pairs, or because one was corrected.
    JudgedPairs,
    /// Votes or gold labels, one for each judged turn.
    Votes,
}

/// Choices of the user.
#[derive(Clone, Debug, Default)]
pub struct ExportOptions {
    /// Whose votes become labels.
    pub whose: VoteSource,
    /// Share of votes that a majority needs, from 0 to 1.
    pub threshold: f64,
}
