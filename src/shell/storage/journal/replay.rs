//! Replays the lines of a journal, one after the other.

use super::lines::{JournalLine, UnreadableLines};
use crate::workspace::{EditHistory, JournalEntry};

/// The state after a line, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    pub past: EditHistory,
    /// The part that is in the file.
    pub saved: EditHistory,
    /// How many leading edits `past` and `saved` share. A run may save thousands of times, and each save
    /// copies only the other edits.
    same: usize,
    /// If a line was lost after the last save, the number of edits known to be applied at that point. The
    /// result of undoing more is unknown.
    floor: Option<usize>,
}

impl Replay {
    /// Replays all of these lines.
    pub fn after(lines: &[JournalLine]) -> Self {
        let mut replay = Self::default();
        for line in lines {
            replay.take(line);
        }
        replay
    }

    /// Replays the next line. Returns false for an undo or redo of an unknown step.
    pub fn take(&mut self, line: &JournalLine) -> bool {
        let Self { past, saved, same, floor } = self;
        match line {
            JournalLine::Entry(JournalEntry::Undo) if past.applied_count == floor.unwrap_or(0) => {
                // The target of a redo is unknown, too.
                past.made.truncate(past.applied_count);
                *same = (*same).min(past.applied_count);
                return false;
            }
            JournalLine::Entry(JournalEntry::Redo) if past.applied_count == past.made.len() => {
                return false;
            }
            JournalLine::Entry(JournalEntry::QuitUnsaved) if floor.is_some() => {
                (*past, *floor) = (saved.clone(), None);
                *same = saved.made.len();
            }
            JournalLine::Entry(entry) => {
                *same = match entry {
                    JournalEntry::Edit(_) => (*same).min(past.applied_count),
                    JournalEntry::QuitUnsaved => 0,
                    JournalEntry::Undo | JournalEntry::Redo => *same,
                };
                past.apply(entry, saved);
            }
            JournalLine::Saved(_) => {
                let below = floor.take().unwrap_or(0);
                if below > 0 {
                    past.made.drain(..below);
                    past.applied_count -= below;
                    *same = 0;
                }
                saved.made.truncate(*same);
                saved.made.extend_from_slice(&past.made[*same..]);
                (saved.applied_count, *same) = (past.applied_count, past.made.len());
            }
            JournalLine::Gap(UnreadableLines { saved: Some(_), .. }) => {
                *self = Self { floor: Some(0), ..Self::default() };
            }
            JournalLine::Gap(_) => {
                past.made.truncate(past.applied_count);
                *same = (*same).min(past.applied_count);
                *floor = Some(past.applied_count);
            }
            JournalLine::Begins(_) | JournalLine::Saves(_) => {}
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::log::tests::edit;
    use super::*;

    #[test]
    fn all_that_was_done_is_in_the_file_once_it_is_saved() {
        let gap = |saved| JournalLine::Gap(UnreadableLines { lines: 1, saved });
        let kinds = [
            edit("a"),
            JournalLine::Entry(JournalEntry::Undo),
            JournalLine::Entry(JournalEntry::Redo),
            JournalLine::Entry(JournalEntry::QuitUnsaved),
            JournalLine::Saved(7),
            gap(None),
            gap(Some(8)),
        ];
        let length = 6;
        for number in 0..kinds.len().pow(length) {
            let mut replay = Replay::default();
            for digit in 0..length {
                let kind = number / kinds.len().pow(digit) % kinds.len();
                let line = match &kinds[kind] {
                    // Each is a separate edit.
                    JournalLine::Entry(JournalEntry::Edit(_)) => edit(&digit.to_string()),
                    other => other.clone(),
                };
                replay.take(&line);
                if matches!(line, JournalLine::Saved(_)) {
                    assert_eq!(replay.past, replay.saved, "{number}");
                }
            }
        }
    }
}
