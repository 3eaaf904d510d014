//! The list of conflicts beside a merged file.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::cli::CommandOutcome;
use crate::cli::browse;
use crate::cli::errors::file_error;
use crate::cli::options::FamilyOption;
use crate::cli::printer::Printer;
use crate::cli::style::shown;
use crate::compare::{ConflictLine, MergedFile, written_hash};
use crate::shell::{conflicts_of, write_conflicts};
use crate::text::visible;

/// The conflicts of a merged file.
pub struct Conflicts {
    path: PathBuf,
    pub lines: Vec<ConflictLine>,
}

impl Conflicts {
    /// Returns those of the merged file at `path`, of which this is the hash.
    pub fn of(merged: MergedFile, path: &Path, hash: Option<u128>) -> Self {
        let line = |conflict| ConflictLine {
            hash: hash.map(written_hash).unwrap_or_default(),
            ..ConflictLine::from(conflict)
        };
        let lines = merged.conflicts.into_iter().map(line);
        Self {
            path: path.to_owned(),
            lines: lines.collect(),
        }
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
        let lines = self.lines.iter().map(serde_json::to_string);
        let lines: Result<Vec<_>, _> = lines.collect();
        let lines = lines.unwrap_or_default();
        let text: String = lines
            .iter()
            .flat_map(|line| [line.as_str(), "\n"])
            .collect();
        let list = conflicts_of(&self.path);
        match write_conflicts(&list, &text) {
            Ok(()) => true,
            Err(why) => {
                file_error(&list, &why);
                false
            }
        }
    }

    pub fn outcome(&self) -> CommandOutcome {
        if self.lines.is_empty() {
            CommandOutcome::Clean
        } else {
            CommandOutcome::Issues
        }
    }

    /// Returns each in a line.
    pub fn told(&self) -> impl Iterator<Item = String> {
        self.lines.iter().map(|conflict| {
            let number = conflict.dialog.map_or(String::new(), |at| format!(" {at}"));
            let turn = conflict
                .turn
                .map_or(String::new(), |at| format!(", turn {at}"));
            let (id, kind, said) = (&conflict.dialog_id, &conflict.conflict, conflict.said());
            visible(&format!("dialog{number} {id}{turn}, {kind}: {said}")).into_owned()
        })
    }

    /// Opens the file for deciding them; without a screen, says how. There is something left to look at if any are open
    /// then.
    ///
    /// # Errors
    /// If the terminal cannot be used.
    pub fn review(&self, family: &FamilyOption, out: &mut Printer) -> io::Result<CommandOutcome> {
        if !browse::has_screen() {
            writeln!(out, "decide them with: {}", self.command())?;
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
        format!("turnwise {}", shown(&self.path))
    }
}
