//! The topics of a report: each counts dialogs, and says what it has counted.

mod acts;
mod calls;
mod example;
mod failures;
mod files;
mod labels;
mod problems;
mod questions;
mod shape;
mod texts;
mod votes;

pub use acts::ActSums;
pub use calls::CallSums;
pub use failures::FailureSums;
pub use files::FileSums;
pub use labels::LabelSums;
pub use problems::ProblemSums;
pub use questions::QuestionSums;
pub use shape::ShapeSums;
pub use texts::TextSums;
pub use votes::VoteSums;

use serde::{Deserialize, Serialize};

use super::bounded::{Bounded, Joined};
use crate::page::{Cell, Column, Part, heads, short, table};

/// The most rows of a table.
const ROWS: usize = 30;

/// A table of names with values, the greatest first.
struct Ranked {
    caption: &'static str,
    heads: Vec<Column>,
}

impl Ranked {
    /// Returns the table of the names in `counts` with the greatest `size`; `cells` makes the columns after the
    /// name.
    fn of<T: Default + Joined>(
        self,
        counts: &Bounded<T>,
        size: impl Fn(&T) -> u64,
        cells: impl Fn(&T) -> Vec<Cell>,
    ) -> Option<Part> {
        let greatest = counts.greatest(ROWS, &size);
        if greatest.is_empty() {
            return None;
        }
        let of_size = counts.iter().filter(|(_, value)| size(value) > 0).count();
        let left_out = if counts.is_exact() {
            (of_size - greatest.len()) as u64
        } else {
            counts.names().saturating_sub(greatest.len() as u64)
        };
        let row = |(name, value): &(&str, &T)| {
            let mut row = vec![Cell::Text(short(name))];
            row.extend(cells(value));
            row
        };
        Some(table(self.caption, self.heads, greatest.iter().map(row), left_out))
    }
}

/// How often a name occurs, and in how many turns.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Occurrences {
    times: u64,
    turns: u64,
}

impl Joined for Occurrences {
    fn join(&mut self, other: Self) {
        self.times += other.times;
        self.turns += other.turns;
    }
}

impl Bounded<Occurrences> {
    /// Adds the names in a turn, which it sorts.
    fn add_turn(&mut self, names: &mut [&str]) {
        names.sort_unstable();
        for same in names.chunk_by(|one, other| one == other) {
            if let Some(occurrences) = self.of(same[0]) {
                occurrences.times += same.len() as u64;
                occurrences.turns += 1;
            }
        }
    }
}

/// Returns the table of names by how often they occur.
fn occurring(
    caption: &'static str,
    head: &'static str,
    counts: &Bounded<Occurrences>,
) -> Option<Part> {
    let table = Ranked { caption, heads: heads([head, "times", "turns"]) };
    let cells = |of: &Occurrences| [of.times, of.turns].map(Cell::Count).into();
    table.of(counts, |of| of.times, cells)
}

/// Returns the number of names, as an estimate if not all are kept.
fn names<T: Default + Joined>(counts: &Bounded<T>) -> Cell {
    if counts.is_exact() { Cell::Count(counts.names()) } else { Cell::About(counts.names()) }
}

/// Returns a sentence about names that are not all kept; None if they are.
fn sampled<T: Default + Joined>(counts: &Bounded<T>, what: &str) -> Option<Part> {
    (!counts.is_exact()).then(|| {
        Part::Text(format!(
            "There are too many {what} to keep them all, so their number is an estimate (standard error 0.6 %), and the table shows a random sample of 32,768 or more, with exact counts."
        ))
    })
}

/// Returns a path as a shell takes it.
pub fn argument(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:,@%=".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', "'\\''"))
}
