//! The places of examples: how they are kept until their lines are known, and how they are shown.

use serde::{Deserialize, Serialize};

use super::argument;
use crate::dialog::{Extent, Short};
use crate::page::short;
use crate::report::sums::SeenDialog;

/// The place of an example in a corpus.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExamplePlace {
    file: String,
    /// Byte offset in the file.
    offset: u64,
    /// The line, from 1, as soon as it is known.
    line: Option<u64>,
    dialog: usize,
    id: Short,
    turn: Option<usize>,
}

impl ExamplePlace {
    /// Returns the place of what is `at` these bytes of a dialog, in `turn` if it is in one.
    pub fn of(seen: &SeenDialog<'_>, at: Extent, turn: Option<usize>) -> Self {
        Self {
            file: seen.file.to_owned(),
            offset: seen.start + u64::from(at.start),
            line: None,
            dialog: seen.position,
            id: short(&seen.dialog.id).into(),
            turn,
        }
    }

    /// Returns it in words: `a.json:12, dialog 3 (d-7), turn 5`.
    pub fn shown(&self) -> String {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        let turn = self.turn.map(|turn| format!(", turn {turn}")).unwrap_or_default();
        let id = if self.id.is_empty() { String::new() } else { format!(" ({})", self.id) };
        format!("{}{line}, dialog {}{id}{turn}", short(&self.file), self.dialog)
    }

    /// Returns the command that shows it with its problems.
    pub fn command(&self) -> String {
        let turn = self.turn.map(|turn| format!(" --turn {turn}")).unwrap_or_default();
        let file = argument(&self.file);
        format!("turnwise show {file} --dialog {}{turn} --problems", self.dialog)
    }
}

/// Returns the byte offsets of those of these places in `file` whose lines are not known yet, to be changed.
pub fn unknown_lines<'p>(
    places: impl Iterator<Item = &'p mut ExamplePlace>,
    file: &str,
) -> Vec<(u64, &'p mut Option<u64>)> {
    let these = places.filter(|place| place.file == file && place.line.is_none());
    these.map(|place| (place.offset, &mut place.line)).collect()
}
