//! Examples: how they are kept until their lines are known, and how they are shown.

use serde::{Deserialize, Serialize};

use super::argument;
use crate::dialog::{Extent, Short};
use crate::page::{Example, short};
use crate::report::bounded::Sample;
use crate::report::sums::SeenDialog;

/// An example of something in a corpus.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptExample {
    /// The rule, the tool, or the votes that it is an example of.
    pub of: String,
    pub place: ExamplePlace,
    /// Remarks about it: those of the program, then those of people.
    pub remarks: Vec<String>,
    /// The text before, in and after what it is about.
    pub excerpt: [String; 3],
}

impl KeptExample {
    /// Returns it with the remarks of people, or with that of the program alone.
    pub fn shown(&self, with_people: bool) -> Example {
        let most = if with_people { usize::MAX } else { 1 };
        Example {
            of: self.of.clone(),
            message: self.remarks[..most.min(self.remarks.len())].join(" · "),
            place: self.place.shown(),
            command: self.place.command(),
            excerpt: self.excerpt.clone(),
        }
    }
}

impl Sample<KeptExample> {
    /// Returns the byte offsets of those examples in `file` whose lines are not known yet, to be changed.
    pub fn unknown_lines(&mut self, file: &str) -> impl Iterator<Item = (u64, &mut Option<u64>)> {
        let places = self.iter_mut().map(|example| &mut example.place);
        let these = places.filter(move |place| place.file == file && place.line.is_none());
        these.map(|place| (place.offset, &mut place.line))
    }
}

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
    fn shown(&self) -> String {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        let turn = self.turn.map(|turn| format!(", turn {turn}")).unwrap_or_default();
        let id = if self.id.is_empty() { String::new() } else { format!(" ({})", self.id) };
        format!("{}{line}, dialog {}{id}{turn}", short(&self.file), self.dialog)
    }

    /// Returns the command that shows it with its problems.
    fn command(&self) -> String {
        let turn = self.turn.map(|turn| format!(" --turn {turn}")).unwrap_or_default();
        let file = argument(&self.file);
        format!("turnwise show {file} --dialog {}{turn} --problems", self.dialog)
    }
}
