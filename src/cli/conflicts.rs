//! The lists of conflicts beside merged files.

use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::errors::{Ended, complain};
use super::options::FamilyOption;
use super::printer::Printer;
use super::style::shown;
use super::{CommandOutcome, browse};
use crate::app::{ConflictList, Proposed, Review};
use crate::compare::{ConflictLine, MergedFile, written_hash};
use crate::corpus::CorpusFile;
use crate::dialog::Dialog;
use crate::report::argument;
use crate::shell::{
    OpenedFile, SaveError, conflicts_of, read_conflicts, side_path, write_conflicts,
};
use crate::text::visible;
use crate::workspace::OwnFile;

/// The conflicts that an earlier merge has left in a file, with their dialogs.
#[derive(Default)]
pub struct OpenConflicts {
    lines: Vec<(ConflictLine, Option<Dialog>)>,
    /// The hash of the file.
    hash: String,
}

impl OpenConflicts {
    /// Returns those in the list beside `path`, if it is of the file as it is in this copy.
    ///
    /// # Errors
    /// If it is not a list of conflicts, in words that name it.
    pub fn of_copy(path: &Path, file: &CorpusFile) -> Result<Self, String> {
        let mut open = Self::beside(path, file)?;
        open.lines.retain(|(line, _)| line.hash == open.hash);
        Ok(open)
    }

    /// Returns those in the list beside `path`, which is the file of this copy. If it has changed since, they stay as they
    /// are: their edits are not for it.
    ///
    /// # Errors
    /// If it is not a list of conflicts, in words that name it.
    pub fn beside(path: &Path, file: &CorpusFile) -> Result<Self, String> {
        let hash = file.index().hash.map(written_hash).unwrap_or_default();
        let (_, open) = read_list(path)?;
        let with_dialogs = open.into_iter().map(|line| {
            let of_copy = line.dialog.filter(|_| line.hash == hash);
            let dialog = of_copy.and_then(|at| file.dialog_at(at));
            (line, dialog)
        });
        let lines = with_dialogs.collect();
        Ok(Self { lines, hash })
    }

    /// Returns those of a file that is about to be edited in place. None, with a report, if the list cannot be read, or
    /// not be written where it is: the edits would leave it behind.
    pub fn before_edits(opened: &OpenedFile) -> Option<Self> {
        let OpenedFile { path, identity, file } = opened;
        if identity.is_none() {
            // It is not on the disk.
            return Some(Self::default());
        }
        let list = conflicts_of(path);
        let is_there = |open: &Self| !open.lines.is_empty();
        let open = Self::beside(path, file).and_then(|open| {
            let place = is_there(&open).then(|| side_path(path, &list)).transpose();
            place.map(|_| open).map_err(|why| format!("{}: {why}", shown(&list)))
        });
        open.inspect_err(|why| complain(format_args!("{why}; not changed"))).ok()
    }

    /// Lists them again beside the file after it was edited and saved, where they are now. False, with a report, if that
    /// fails.
    pub fn keep(self, path: &Path, edited: &CorpusFile, saved: Option<u128>) -> bool {
        if self.lines.is_empty() {
            return true;
        }
        let none = Conflicts { path: path.to_owned(), like: path.to_owned(), lines: Vec::new() };
        none.and_open(self, edited).of_hash(saved).write()
    }

    /// Returns them as they are in the file after a merge, whose hash is not known yet.
    fn in_merged(self, file: &CorpusFile) -> impl Iterator<Item = ConflictLine> {
        self.lines.into_iter().filter_map(move |(line, before)| {
            if line.hash != self.hash {
                return Some(line);
            }
            let hash = String::new();
            let (Some(at), Some(before)) = (line.dialog, before) else {
                return Some(ConflictLine { hash, ..line });
            };
            let after = file.dialog_at(at)?;
            let dialog = Some(file.saved_position(at)?);
            let line = line.carried(&before, &after);
            Some(ConflictLine { dialog, hash, ..line })
        })
    }
}

/// The conflicts of a merged file.
#[derive(Clone)]
pub struct Conflicts {
    path: PathBuf,
    /// The file that the merged one is like, which it may replace.
    like: PathBuf,
    pub lines: Vec<ConflictLine>,
}

impl Conflicts {
    /// Returns those of the merged file at `path`, which is like another one.
    pub fn of(merged: MergedFile, path: &Path, like: &Path) -> Self {
        let lines = merged.conflicts.into_iter().map(ConflictLine::from);
        Self { path: path.to_owned(), like: like.to_owned(), lines: lines.collect() }
    }

    /// Returns them with the hash of the merged file.
    #[must_use]
    pub fn of_hash(mut self, hash: Option<u128>) -> Self {
        let hash = hash.map(written_hash).unwrap_or_default();
        let of_it = self.lines.iter_mut().filter(|line| line.hash.is_empty());
        of_it.for_each(|line| line.hash.clone_from(&hash));
        self
    }

    /// Adds those that were open before the merge, whose result `file` is.
    #[must_use]
    pub fn and_open(mut self, open: OpenConflicts, file: &CorpusFile) -> Self {
        let open = open.in_merged(file);
        let said = |of: &ConflictLine| {
            let ConflictLine { conflict, base, ours, theirs, .. } = of.clone();
            (conflict, of.dialog, of.turn, base, ours, theirs)
        };
        let known: Vec<_> = self.lines.iter().map(said).collect();
        // The same merge may have been made before.
        let open = open.filter(|line| !known.contains(&said(line)));
        self.lines.extend(open);
        self
    }

    /// Returns them as differences of these two copies.
    #[must_use]
    pub fn between(mut self, copies: [&PathBuf; 2]) -> Self {
        for line in &mut self.lines {
            line.sides = Some(copies.map(|copy| copy.to_string_lossy().into_owned()));
        }
        self
    }

    /// Writes the list, or removes an old one if there are none. False, with a report, if that fails.
    pub fn write(&self) -> bool {
        let written = read_list(&self.path).and_then(|_| {
            let named = |why| format!("{}: {why}", shown(&conflicts_of(&self.path)));
            self.put().map_err(named)
        });
        if let Err(why) = &written {
            complain(format_args!("{why}"));
        }
        written.is_ok()
    }

    /// Writes the list before the merged file, of which this is the hash, is put in its place: without its list it would
    /// hide them.
    ///
    /// # Errors
    /// If that fails.
    pub fn write_first(&self, hash: u128) -> Result<(), SaveError> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let written = self.clone().of_hash(Some(hash)).put();
        written.map_err(|why| SaveError::Io {
            what: "writing the list of conflicts",
            error: io::Error::other(why),
        })
    }

    fn put(&self) -> Result<(), String> {
        let lines = self.lines.iter().map(serde_json::to_string);
        let lines: Result<Vec<_>, _> = lines.collect();
        let lines = lines.unwrap_or_default();
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        write_conflicts(&self.path, &[self.path.clone(), self.like.clone()], &text)
    }

    /// Returns how many are of the file with this hash; the others are of an earlier state of it.
    pub fn count_of(&self, hash: Option<u128>) -> usize {
        let hash = hash.map(written_hash).unwrap_or_default();
        let lines = self.lines.iter();
        lines.filter(|line| line.hash == hash).count()
    }

    /// Returns each in a line.
    pub fn told(&self) -> impl Iterator<Item = String> {
        self.lines.iter().map(|conflict| {
            let dialog = match (conflict.dialog, conflict.dialog_id.as_str()) {
                (None, "") => "the file".to_owned(),
                (None, id) => format!("dialog {id}"),
                (Some(number), "") => format!("dialog {number}"),
                (Some(number), id) => format!("dialog {number} {id}"),
            };
            let turn = conflict.turn.map_or(String::new(), |at| format!(", turn {at}"));
            let (kind, said) = (&conflict.conflict, conflict.said());
            visible(&format!("{dialog}{turn}, {kind}: {said}")).into_owned()
        })
    }

    /// Opens the file for deciding them; without a screen, says how. There is something left to look at if any are open
    /// then.
    ///
    /// # Errors
    /// If the terminal cannot be used.
    pub fn review(&self, family: &FamilyOption, out: &mut Printer) -> Ended {
        if !browse::has_screen() {
            writeln!(out, "decide conflicts with: {}", self.command())?;
            return Ok(CommandOutcome::Issues);
        }
        let paths = std::slice::from_ref(&self.path);
        let outcome = browse::review(paths, family, Vec::new(), out)?;
        let is_left = conflicts_of(&self.path).exists();
        let left = is_left.then_some(CommandOutcome::Issues);
        Ok(outcome.max(left.unwrap_or_default()))
    }

    /// Returns the command that decides them on the screen.
    pub fn command(&self) -> String {
        // Answers are decided on their dialogs.
        let is_judgements = OwnFile::Judgements.is_at(&self.path);
        let folder = OwnFile::corpus_folder(&self.path).filter(|_| is_judgements);
        let folder = folder.map(|of| if of.as_os_str().is_empty() { Path::new(".") } else { of });
        format!("turnwise {}", argument(&shown(folder.unwrap_or(&self.path))))
    }
}

/// Adds the conflicts that are listed beside these files. Returns why a list cannot be used, of the first such.
pub fn add_conflicts<'p>(
    suggestions: &mut Review,
    files: impl Iterator<Item = (usize, &'p PathBuf)>,
) -> Option<String> {
    let mut wrong = None;
    for (position, path) in files {
        let file = position as u32;
        // Through a link that leads elsewhere, no decision could be kept.
        let list = conflicts_of(path);
        let place = side_path(path, &list).map_err(|why| format!("{}: {why}", shown(&list)));
        match place.and_then(|_| read_list(path)) {
            Ok((text, lines)) => {
                let numbered = (1..).zip(lines);
                let all = numbered.map(|(line, of)| Proposed::conflict(line, of, file));
                suggestions.all.extend(all);
                suggestions.lists.push(ConflictList {
                    file,
                    lines: text.lines().map(str::to_owned).collect(),
                    on_disk: text,
                });
            }
            Err(why) => wrong = wrong.or(Some(why)),
        }
    }
    suggestions.reviewing = !suggestions.all.is_empty();
    wrong
}

/// Reads the list of conflicts beside a file; nothing if there is none. Returns its text, too.
///
/// # Errors
/// If it cannot be read or a line is not a conflict, in words that name it: nobody may take it for a list, and write
/// another in its place.
fn read_list(path: &Path) -> Result<(String, Vec<ConflictLine>), String> {
    let list = conflicts_of(path);
    let named = |why: &dyn fmt::Display| format!("{}: {why}", shown(&list));
    let text = read_conflicts(path).map_err(|error| named(&error));
    let read = text.and_then(|text| {
        let lines = text.lines().map(serde_json::from_str::<ConflictLine>);
        let lines = lines.collect::<Result<Vec<_>, _>>();
        let lines = lines.map_err(|error| named(&format_args!("not a list of conflicts: {error}")));
        Ok((text, lines?))
    });
    // A link to something else is replaced, and that stays as it is.
    read.or_else(|why| if list.is_symlink() { Ok((String::new(), Vec::new())) } else { Err(why) })
}
