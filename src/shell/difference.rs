//! What of a frame has to be painted: the stretches of cells in which it differs from the one before.
//!
//! Most keys change a few rows of a screen, and most rows hold nothing but characters that are one
//! cell wide. Both are found out cheaply here; only rows with other characters are left to the
//! library, which knows what terminals make of wide ones. Nothing here knows a terminal.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

use crate::text::is_one_cell;

/// Finds the difference between frames. All that this needs is kept from frame to frame.
#[derive(Default)]
pub struct Difference {
    shown: Buffer,
    next: Buffer,
    /// Columns and rows of the cells to be painted.
    places: Vec<(u16, u16)>,
    stretches: Vec<Stretch>,
    text: String,
}

/// Cells side by side that look the same, as a single one that holds all their text.
///
/// Where a stretch follows another without a gap, its column is one more than the other's, whatever
/// their lengths: to whom paints them one after the other, that is where the cursor stands already.
struct Stretch {
    column: u16,
    row: u16,
    cell: Cell,
}

impl Difference {
    /// What is to be painted over `shown` to see `next`, a frame of the same size, in the form in
    /// which a backend draws cells. The frames are lent row by row, and are the same afterwards.
    pub fn between(
        &mut self,
        shown: &mut Buffer,
        next: &mut Buffer,
    ) -> impl Iterator<Item = (u16, u16, &Cell)> {
        self.find(shown, next);
        self.join(next);
        let stretches = self.stretches.iter();
        stretches.map(|stretch| (stretch.column, stretch.row, &stretch.cell))
    }

    fn find(&mut self, shown: &mut Buffer, next: &mut Buffer) {
        self.places.clear();
        let columns = usize::from(next.area.width).max(1);
        let old = shown.content.chunks_exact_mut(columns);
        let new = next.content.chunks_exact_mut(columns);
        for (y, (old, new)) in (0..).zip(old.zip(new)) {
            let before = self.places.len();
            let cells = (0..).zip(old.iter().zip(&*new));
            let differs = cells.filter(|(_, (old, new))| old != new);
            self.places.extend(differs.map(|(x, _)| (x, y)));
            let same = self.places.len() == before;
            if !same && !old.iter().chain(&*new).all(fills_one_cell) {
                self.places.truncate(before);
                self.find_in_row(y, old, new);
            }
        }
    }

    /// A row with wide characters or other marks.
    fn find_in_row(&mut self, y: u16, old: &mut [Cell], new: &mut [Cell]) {
        let row = Rect::new(0, 0, new.len() as u16, 1);
        self.shown.resize(row);
        self.next.resize(row);
        self.shown.content.swap_with_slice(old);
        self.next.content.swap_with_slice(new);
        let cells = self.shown.diff(&self.next);
        self.places
            .extend(cells.into_iter().map(|(x, _, _)| (x, y)));
        self.shown.content.swap_with_slice(old);
        self.next.content.swap_with_slice(new);
    }

    fn join(&mut self, next: &Buffer) {
        self.stretches.clear();
        let mut places = self.places.iter().copied().peekable();
        let mut column = 0;
        let mut gap = true;
        while let Some((x, y)) = places.next() {
            column = if gap { x } else { column + 1 };
            let first = &next[(x, y)];
            self.text.clear();
            self.text.push_str(first.symbol());
            let mut last = x;
            let next_to = |last: u16, place: &(u16, u16)| *place == (last + 1, y);
            while let Some((x, _)) =
                places.next_if(|place| next_to(last, place) && look_alike(first, &next[*place]))
            {
                self.text.push_str(next[(x, y)].symbol());
                last = x;
            }
            gap = !places.peek().is_some_and(|place| next_to(last, place));
            let mut cell = first.clone();
            cell.set_symbol(&self.text);
            self.stretches.push(Stretch {
                column,
                row: y,
                cell,
            });
        }
    }
}

/// Control characters, a byte long as well, are never put into cells.
fn fills_one_cell(cell: &Cell) -> bool {
    let symbol = cell.symbol();
    if symbol.len() == 1 {
        return true;
    }
    let mut chars = symbol.chars();
    chars.next().is_some_and(is_one_cell) && chars.next().is_none()
}

fn look_alike(one: &Cell, other: &Cell) -> bool {
    (one.fg, one.bg, one.modifier) == (other.fg, other.bg, other.modifier)
}

#[cfg(test)]
mod tests {
    use ratatui::style::{Color, Style};

    use super::*;

    fn screen(rows: &[&str]) -> Buffer {
        Buffer::with_lines(rows.iter().copied())
    }

    fn painted(shown: &mut Buffer, next: &mut Buffer) -> Vec<(u16, u16, String)> {
        let mut difference = Difference::default();
        let cells = difference.between(shown, next);
        cells
            .map(|(x, y, cell)| (x, y, cell.symbol().to_owned()))
            .collect()
    }

    #[test]
    fn stretches_are_what_differs() {
        let mut shown = screen(&["the same", "one two!", "        "]);
        let mut next = screen(&["the same", "ore twin", "     end"]);
        assert_eq!(
            painted(&mut shown, &mut next),
            [(1, 1, "r"), (6, 1, "in"), (5, 2, "end")].map(|(x, y, text)| (x, y, text.to_owned()))
        );
    }

    #[test]
    fn what_looks_different_is_painted_apart_and_goes_on_where_the_cursor_is() {
        let mut shown = screen(&["          "]);
        let mut next = screen(&["here there"]);
        next.set_style(Rect::new(2, 0, 4, 1), Style::new().fg(Color::Red));
        assert_eq!(
            painted(&mut shown, &mut next),
            [(0, 0, "he"), (1, 0, "re t"), (2, 0, "here")].map(|(x, y, text)| (
                x,
                y,
                text.to_owned()
            ))
        );
    }

    #[test]
    fn wide_characters_are_the_librarys() {
        let mut shown = screen(&["abcdef"]);
        let mut next = screen(&["a映画g"]);
        let (before, after) = (shown.clone(), next.clone());
        assert_eq!(
            painted(&mut shown, &mut next),
            [(1, 0, "映"), (3, 0, "画"), (5, 0, "g")].map(|(x, y, text)| (x, y, text.to_owned()))
        );
        assert_eq!((shown, next), (before, after));
    }
}
