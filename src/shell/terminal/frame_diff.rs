//! Finds the spans of cells that differ between two frames.
//!
//! Most keys change a few rows of a screen, and most rows hold only characters that are one cell wide.
//! Both cases are detected cheaply here; rows with other characters are compared cell by cell. This
//! module knows nothing of escape sequences.
//!
//! # Graphemes of several characters, and new ones
//! Terminals disagree on the width of letters of Indic scripts and Thai with their vowels, halfwidth
//! kana with their marks, flags, and everything newer than the terminal, such as emoji. A row with such
//! characters is cleared and redrawn as a whole, with a cursor position after each grapheme: a terminal
//! that disagrees shows a gap, and never remains of the last frame.

use std::ops::Range;

use ratatui::layout::Rect;

use super::ansi::{AnsiEncoder, is_clear, is_clear_paint};
use crate::text::is_agreed;
use crate::view::{Canvas, PackedCell};

/// Longest gap of unchanged cells that is redrawn between two changed ones; moving the cursor takes as
/// many bytes.
const BRIDGE: usize = 4;

/// Number of cells compared at once.
const BLOCK: usize = 16;

/// Finds the difference between frames. Reuses its buffers from frame to frame.
#[derive(Default)]
pub struct FrameDiff {
    stretches: Vec<DirtySpan>,
    /// Rows to clear first.
    cleared: Vec<u16>,
}

/// A span of changed cells in a row.
#[derive(Debug, PartialEq, Eq)]
struct DirtySpan {
    row: u16,
    columns: Range<u16>,
    /// A single cell whose width may differ between terminals.
    wide: bool,
}

impl FrameDiff {
    /// Finds the cells to draw over `shown` to turn it into `next`, a frame of the same size.
    pub fn find(&mut self, shown: &Canvas, next: &mut Canvas) {
        self.stretches.clear();
        self.cleared.clear();
        next.share(shown);
        for y in 0..next.size().rows {
            if shown.is_even(y) && next.is_even(y) {
                self.find_in_row(y, shown, next);
            } else {
                self.find_among_wide(y, shown, next);
            }
        }
    }

    /// Writes the cells that were found in `next`.
    pub fn write(&self, next: &Canvas, out: &mut Vec<u8>) {
        let mut encoder = AnsiEncoder::new();
        for row in &self.cleared {
            encoder.clear_row(*row, out);
        }
        for DirtySpan { row, columns, wide } in &self.stretches {
            if *wide {
                encoder.write_wide(next, (columns.start, *row), out);
            } else {
                encoder.write(next, *row, columns.clone(), out);
            }
        }
        encoder.reset(out);
    }

    fn find_in_row(&mut self, row: u16, shown: &Canvas, next: &Canvas) {
        let (old, new) = (shown.row(row), next.row(row));
        let Some(mut start) = first_differing(old, new, 0) else {
            return;
        };
        let mut end = start + 1;
        loop {
            let pairs = old[end..].iter().zip(&new[end..]);
            end += pairs.take_while(|(old, new)| old != new).count();
            let Some(x) = first_differing(old, new, end) else {
                break;
            };
            // Spaces take the style of the cell before, unless the style shows on spaces.
            let runs_on = || is_clear_paint(next.paint(new[end - 1]));
            let as_easy = |glyph: &PackedCell| {
                glyph.paint() == new[x].paint() || is_clear(next, *glyph) && runs_on()
            };
            if x - end > BRIDGE || !new[end..x].iter().all(as_easy) {
                let columns = start as u16..end as u16;
                self.push(row, columns, false);
                start = x;
            }
            end = x + 1;
        }
        self.push(row, start as u16..end as u16, false);
    }

    /// Compares a row that has wide characters or combining marks.
    fn find_among_wide(&mut self, y: u16, shown: &Canvas, next: &Canvas) {
        let (old, new) = (shown.row(y), next.row(y));
        let is_agreed = |glyph: &PackedCell| glyph.char().is_some_and(is_agreed);
        let agreed = old.iter().chain(new).all(is_agreed);
        if !agreed {
            let row = Rect::new(0, y, next.size().columns, 1);
            if shown.buffer(row) == next.buffer(row) {
                return;
            }
            self.cleared.push(y);
        }
        // Overwriting one half of a wide character removes the other half.
        let mut halved = false;
        let mut behind = 0;
        for ((x, old), new) in (0..).zip(old).zip(new) {
            let old = if agreed { *old } else { PackedCell::BLANK };
            let columns = next.columns(*new);
            let differs = halved || old != *new;
            halved = differs && shown.columns(old).max(columns) > 1;
            if behind > 0 {
                behind -= 1;
                continue;
            }
            behind = columns.saturating_sub(1);
            if differs {
                self.push(y, x..x + 1, columns != 1 || !is_agreed(new));
            }
        }
    }

    /// Adds cells to draw, joined to the last span if possible.
    fn push(&mut self, row: u16, columns: Range<u16>, wide: bool) {
        match self.stretches.last_mut() {
            Some(last)
                if !wide && !last.wide && (last.columns.end, last.row) == (columns.start, row) =>
            {
                last.columns.end = columns.end;
            }
            _ => self.stretches.push(DirtySpan { row, columns, wide }),
        }
    }
}

/// Returns the first cell from `from` on that differs.
fn first_differing(old: &[PackedCell], new: &[PackedCell], from: usize) -> Option<usize> {
    let (old, new) = (&old[from..], &new[from..]);
    let (old_blocks, _) = old.as_chunks::<BLOCK>();
    let (new_blocks, _) = new.as_chunks::<BLOCK>();
    let blocks = old_blocks.iter().zip(new_blocks);
    let same = blocks.take_while(|(old, new)| PackedCell::are_same(old, new));
    let start = same.count() * BLOCK;
    let mut pairs = old[start..].iter().zip(&new[start..]);
    let found = pairs.position(|(old, new)| old != new);
    found.map(|place| from + start + place)
}

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;
    use crate::app::layout::Size;

    fn screen(rows: &[&str]) -> Canvas {
        let columns = rows.iter().map(|row| crate::text::width(row)).max();
        let mut canvas = Canvas::new(Size {
            columns: columns.unwrap_or_default() as u16,
            rows: rows.len() as u16,
        });
        for (y, row) in (0..).zip(rows) {
            canvas.put(0, y, u16::MAX, row, Style::new());
        }
        canvas
    }

    fn found(shown: &Canvas, next: &Canvas) -> (Vec<DirtySpan>, Vec<u16>) {
        let mut difference = FrameDiff::default();
        difference.find(shown, &mut next.clone());
        (difference.stretches, difference.cleared)
    }

    fn stretch(row: u16, columns: Range<u16>) -> DirtySpan {
        DirtySpan {
            row,
            columns,
            wide: false,
        }
    }

    fn wide(row: u16, column: u16) -> DirtySpan {
        DirtySpan {
            wide: true,
            ..stretch(row, column..column + 1)
        }
    }

    #[test]
    fn stretches_are_what_differs() {
        let shown = screen(&["the same", "one two, one", "        "]);
        let next = screen(&["the same", "ore two, win", "     end"]);
        let differing = [stretch(1, 1..2), stretch(1, 9..12), stretch(2, 5..8)];
        assert_eq!(found(&shown, &next).0, differing);
    }

    #[test]
    fn behind_a_wide_character_nothing_is_painted() {
        let (shown, next) = (screen(&["abcdef"]), screen(&["a映画g"]));
        let differing = [wide(0, 1), wide(0, 3), stretch(0, 5..6)];
        assert_eq!(found(&shown, &next), (differing.into(), Vec::new()));
    }

    #[test]
    fn the_half_that_is_left_of_a_wide_character_is_painted_over() {
        let (shown, next) = (screen(&["a 映 b"]), screen(&["a映  b"]));
        let differing = [wide(0, 1), stretch(0, 3..4)];
        assert_eq!(found(&shown, &next).0, differing);
    }

    #[test]
    fn rows_with_graphemes_of_several_characters_are_painted_whole() {
        let (shown, next) = (screen(&["e\u{301} one!"]), screen(&["e\u{301} two!"]));
        let differing = [wide(0, 0), stretch(0, 2..6)];
        assert_eq!(found(&shown, &next), (differing.into(), vec![0]));
        assert_eq!(found(&shown, &shown), Default::default());
    }

    #[test]
    fn rows_with_characters_unknown_to_a_terminal_are_painted_whole() {
        let (shown, next) = (screen(&["zz zz"]), screen(&["\u{1fae8}ab"]));
        let differing = [wide(0, 0), stretch(0, 2..4)];
        assert_eq!(found(&shown, &next), (differing.into(), vec![0]));
        let (shown, next) = (screen(&["zz zz"]), screen(&["a\u{378}b"]));
        let differing = [stretch(0, 0..1), wide(0, 1), stretch(0, 2..3)];
        assert_eq!(found(&shown, &next), (differing.into(), vec![0]));
    }

    #[test]
    fn a_few_cells_that_are_the_same_are_painted_again() {
        let (shown, next) = (screen(&["from 12, 15"]), screen(&["from 13, 16"]));
        assert_eq!(found(&shown, &next).0, [stretch(0, 6..11)]);
    }
}
