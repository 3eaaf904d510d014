//! Folds long texts to their first rows: instructions, calls and their responses.

use crate::app::pane::{Ink, Line, truncated};
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
    /// The first rows of instructions, one line of each call, and no responses.
    Calls,
}

/// Rows of instructions, of a call's arguments or of its response that are shown while long ones are folded.
pub const FOLDED: usize = 4;

/// Returns the note at the end of a folded text of so many rows and bytes; None if it is not worth folding.
pub fn fold_note(rows: usize, bytes: usize) -> Option<String> {
    let more = rows.saturating_sub(FOLDED);
    (more > 1).then(|| format!(" … {} more rows · {}", grouped(more), size(bytes)))
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
        noted.push(
            run.ink,
            text.strip_suffix('…').filter(|_| is_cut).unwrap_or(&text),
        );
    }
    noted.with(Ink::Dim, note)
}
