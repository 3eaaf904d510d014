//! Folds long texts to their first rows: instructions, calls and their responses.

use std::collections::HashMap;

use crate::app::pane::{Ink, Line, TextRun, truncated};
use crate::text::{grouped, size, width};

/// How much of long instructions, calls and responses is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Folding {
    /// The first rows of each.
    #[default]
    Long,
    /// All of them.
    Nothing,
    /// The first rows of instructions and calls, one line of each response.
    Responses,
    /// The first rows of instructions, one line of each call, and no responses.
    Calls,
}

/// How the calls of a dialog are folded.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    /// How calls and instructions are folded unless the user folded or unfolded one of them.
    pub all: Folding,
    /// The calls, by turn and position, that the user folded to a line (true) or unfolded.
    own: HashMap<(usize, usize), bool>,
}

impl Folds {
    /// Folds all calls alike.
    pub fn alike(all: Folding) -> Self {
        Self {
            all,
            ..Self::default()
        }
    }

    /// Returns how a call is folded.
    pub fn of(&self, call: (usize, usize)) -> Folding {
        match self.own.get(&call) {
            Some(true) => Folding::Calls,
            Some(false) => Folding::Nothing,
            None => self.all,
        }
    }

    /// True if the user folded this very call.
    pub fn has_own(&self, call: (usize, usize)) -> bool {
        self.own.get(&call) == Some(&true)
    }

    /// Folds a call to a line, or shows all of it again. Returns true if it is folded now.
    pub fn toggle(&mut self, call: (usize, usize)) -> bool {
        let folds = self.of(call) != Folding::Calls;
        self.own.insert(call, folds);
        folds
    }
}

/// Rows of instructions, of a call's arguments or of its response that are shown while long ones are folded.
pub const FOLDED: usize = 4;

/// Returns the note at the end of a text of so many rows and bytes that is folded to its first `kept` rows;
/// None if it is not worth folding.
pub fn fold_note(rows: usize, kept: usize, bytes: usize) -> Option<String> {
    let more = rows.saturating_sub(kept);
    (more > usize::from(kept > 1))
        .then(|| format!(" … {} more rows · {}", grouped(more), size(bytes)))
}

/// Returns `line` with a note at its end, cut to make room for it.
pub fn with_note(line: &Line, note: &str, columns: usize) -> Line {
    let mut room = columns.saturating_sub(width(note));
    let mut noted = Line {
        runs: Vec::new(),
        ..line.clone()
    };
    for run in &line.runs {
        let text = truncated(&run.text, room);
        room = room.saturating_sub(width(&text));
        // The note begins with the sign for what is cut off.
        let is_cut = width(&run.text) > width(&text);
        let text = text.strip_suffix('…').filter(|_| is_cut).unwrap_or(&text);
        if !text.is_empty() {
            noted.runs.push(TextRun {
                text: text.into(),
                ..run.clone()
            });
        }
    }
    noted.with(Ink::Dim, note)
}
