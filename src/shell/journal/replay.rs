//! What the lines of a journal lead to, one after the other.

use super::lines::{Gap, Line};
use crate::app::{Entry, Past};

/// What was done up to a line, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    pub past: Past,
    /// What of it is in the file.
    pub saved: Past,
    /// How many edits at the beginning of both are the same: a run may have saved thousands of times, and
    /// each time only the others are copied.
    same: usize,
    /// How many edits were known to be in force when a line was lost, if that was after the file was
    /// saved last. What undoing leads to below them is not known.
    floor: Option<usize>,
}

impl Replay {
    /// After all of these lines.
    pub fn after(lines: &[Line]) -> Self {
        let mut replay = Self::default();
        for line in lines {
            replay.take(line);
        }
        replay
    }

    /// Takes the next line. False if it is an undo or a redo, and of what is not known.
    pub fn take(&mut self, line: &Line) -> bool {
        let Self {
            past,
            saved,
            same,
            floor,
        } = self;
        match line {
            Line::Entry(Entry::Undo) if past.done == floor.unwrap_or(0) => {
                // Nor is it known what a redo leads to then.
                past.made.truncate(past.done);
                *same = (*same).min(past.done);
                return false;
            }
            Line::Entry(Entry::Redo) if past.done == past.made.len() => return false,
            Line::Entry(Entry::Left) if floor.is_some() => {
                (*past, *floor) = (saved.clone(), None);
                *same = saved.made.len();
            }
            Line::Entry(entry) => {
                *same = match entry {
                    Entry::Edit(_) => (*same).min(past.done),
                    Entry::Left => 0,
                    Entry::Undo | Entry::Redo => *same,
                };
                past.take(entry, saved);
            }
            Line::Saved(_) => {
                let below = floor.take().unwrap_or(0);
                if below > 0 {
                    past.made.drain(..below);
                    past.done -= below;
                    *same = 0;
                }
                saved.made.truncate(*same);
                saved.made.extend_from_slice(&past.made[*same..]);
                (saved.done, *same) = (past.done, past.made.len());
            }
            Line::Gap(Gap { saved: Some(_), .. }) => {
                *self = Self {
                    floor: Some(0),
                    ..Self::default()
                };
            }
            Line::Gap(_) => {
                past.made.truncate(past.done);
                *same = (*same).min(past.done);
                *floor = Some(past.done);
            }
            Line::Begins(_) | Line::Saves(_) => {}
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
        let gap = |saved| Line::Gap(Gap { lines: 1, saved });
        let kinds = [
            edit("a"),
            Line::Entry(Entry::Undo),
            Line::Entry(Entry::Redo),
            Line::Entry(Entry::Left),
            Line::Saved(7),
            gap(None),
            gap(Some(8)),
        ];
        let length = 6;
        for number in 0..kinds.len().pow(length) {
            let mut replay = Replay::default();
            for digit in 0..length {
                let kind = number / kinds.len().pow(digit) % kinds.len();
                let line = match &kinds[kind] {
                    // Each is one of its own.
                    Line::Entry(Entry::Edit(_)) => edit(&digit.to_string()),
                    other => other.clone(),
                };
                replay.take(&line);
                if matches!(line, Line::Saved(_)) {
                    assert_eq!(replay.past, replay.saved, "{number}");
                }
            }
        }
    }
}
