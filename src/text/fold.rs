//! How much of a long text is shown.

use super::numbers::{grouped, size};

/// Rows of instructions, of a call's arguments or of its response that are shown while long ones are folded.
pub const FOLDED: usize = 4;

/// Returns the note at the end of a text of so many rows and bytes that is folded to its first `kept` rows;
/// None if it is not worth folding.
pub fn fold_note(rows: usize, kept: usize, bytes: usize) -> Option<String> {
    let more = rows.saturating_sub(kept);
    (more > usize::from(kept > 1))
        .then(|| format!(" … {} more rows · {}", grouped(more), size(bytes)))
}
