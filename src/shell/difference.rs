//! What of a frame has to be painted: the stretches of cells in which it differs from the one before.
//!
//! Most keys change a few rows of a screen, and most rows hold nothing but characters that are one
//! cell wide. Both are found out cheaply here; only rows with other characters are left to the
//! library, which knows what terminals make of wide ones. Nothing here knows a terminal.
//!
//! # Graphemes of several characters
//! Terminals do not agree on how wide they are: letters of Indic scripts and Thai with their vowels,
//! halfwidth kana with their marks, flags. A row with such graphemes is painted as a whole, from a
//! cleared one, and the place of what follows a grapheme is said: so a terminal that is of another mind
//! shows a gap, and never what was there before.

use ratatui::buffer::Cell;
use ratatui::layout::Rect;

use crate::view::{Canvas, Glyph, Paint};

/// So many cells that are the same between two that differ are painted with them: to go around them
/// would take as many bytes.
const BRIDGE: usize = 6;

/// Finds the difference between frames. All that this needs is kept from frame to frame.
#[derive(Default)]
pub struct Difference {
    /// Columns and rows of the cells to be painted.
    places: Vec<(u16, u16)>,
    /// Rows to be cleared before.
    cleared: Vec<u16>,
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
    /// Finds what is to be done over `shown` to see `next`, a frame of the same size.
    pub fn find(&mut self, shown: &Canvas, next: &Canvas) {
        self.places.clear();
        self.cleared.clear();
        for y in 0..next.size().rows {
            if shown.is_even(y) && next.is_even(y) {
                self.find_in_row(y, shown.row(y), next.row(y));
            } else {
                self.find_among_wide(y, shown, next);
            }
        }
        self.join(next);
    }

    /// What is to be painted, in the form in which a backend draws cells.
    pub fn stretches(&self) -> impl Iterator<Item = (u16, u16, &Cell)> {
        let stretches = self.stretches.iter();
        stretches.map(|stretch| (stretch.column, stretch.row, &stretch.cell))
    }

    /// Rows that are to be cleared before anything is painted.
    pub fn cleared(&self) -> &[u16] {
        &self.cleared
    }

    fn find_in_row(&mut self, y: u16, old: &[Glyph], new: &[Glyph]) {
        let mut last = None;
        let pairs = old.iter().zip(new).enumerate();
        for (x, _) in pairs.filter(|(_, (old, new))| old != new) {
            let between = last.map_or(x, |last| last + 1)..x;
            let same_paint = |glyph: &Glyph| glyph.paint == new[x].paint;
            if between.len() <= BRIDGE && new[between.clone()].iter().all(same_paint) {
                self.places.extend(between.map(|x| (x as u16, y)));
            }
            self.places.push((x as u16, y));
            last = Some(x);
        }
    }

    /// A row with wide characters or other marks.
    fn find_among_wide(&mut self, y: u16, shown: &Canvas, next: &Canvas) {
        let row = Rect::new(0, y, next.size().columns, 1);
        let is_one = |glyph: &Glyph| glyph.char().is_some();
        let agreed = shown.row(y).iter().chain(next.row(y)).all(is_one);
        let (mut shown, next) = (shown.buffer(row), next.buffer(row));
        if !agreed && shown != next {
            self.cleared.push(y);
            shown.reset();
        }
        let cells = shown.diff(&next);
        self.places
            .extend(cells.into_iter().map(|(x, y, _)| (x, y)));
    }

    fn join(&mut self, next: &Canvas) {
        self.stretches.clear();
        let mut places = self.places.iter().copied().peekable();
        let mut column = 0;
        let mut gap = true;
        while let Some((x, y)) = places.next() {
            column = if gap { x } else { column + 1 };
            let row = next.row(y);
            let mut stroke = Stroke::of(&row[usize::from(x)]);
            self.text.clear();
            next.push_symbol(row[usize::from(x)], &mut self.text);
            let mut last = x;
            let is_one = |x: u16| row[usize::from(x)].char().is_some();
            let next_to = |last: u16, place: &(u16, u16)| *place == (last + 1, y) && is_one(last);
            while let Some((x, _)) = places
                .next_if(|place| next_to(last, place) && stroke.takes(&row[usize::from(place.0)]))
            {
                next.push_symbol(row[usize::from(x)], &mut self.text);
                last = x;
            }
            gap = !places.peek().is_some_and(|place| next_to(last, place));
            let mut cell = Cell::EMPTY;
            stroke.paint.give(cell.set_symbol(&self.text));
            let row = y;
            self.stretches.push(Stretch { column, row, cell });
            if !is_one(last) {
                // From here on nobody knows where the cursor is: a stretch without text, somewhere else,
                // lets the next one say its place.
                let (column, mut cell) = (if last == 0 { 3 } else { 0 }, Cell::EMPTY);
                stroke.paint.give(cell.set_symbol(""));
                self.stretches.push(Stretch { column, row, cell });
            }
        }
    }
}

/// What cells are painted with.
struct Stroke {
    paint: Paint,
    /// Nothing of it was seen yet but its background.
    blank: bool,
}

impl Stroke {
    fn of(glyph: &Glyph) -> Self {
        Self {
            paint: glyph.paint,
            blank: shows_nothing(glyph),
        }
    }

    /// Goes on with a cell, if that can be painted with the same.
    fn takes(&mut self, glyph: &Glyph) -> bool {
        if glyph.paint == self.paint {
            self.blank &= shows_nothing(glyph);
            return true;
        }
        let on_the_same = self.paint.is_on_the_same(glyph.paint);
        if on_the_same && shows_nothing(glyph) && !self.paint.marks_blanks() {
            return true;
        }
        if on_the_same && self.blank && !glyph.paint.marks_blanks() {
            *self = Self::of(glyph);
            return true;
        }
        false
    }
}

/// True of a cell of which nothing is seen but its background.
fn shows_nothing(glyph: &Glyph) -> bool {
    glyph.char() == Some(' ') && !glyph.paint.marks_blanks()
}

#[cfg(test)]
mod tests {
    use ratatui::style::{Color, Modifier, Style};

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

    fn painted(shown: &Canvas, next: &Canvas) -> Vec<(u16, u16, String)> {
        let mut difference = Difference::default();
        difference.find(shown, next);
        let cells = difference.stretches();
        cells
            .map(|(x, y, cell)| (x, y, cell.symbol().to_owned()))
            .collect()
    }

    #[test]
    fn stretches_are_what_differs() {
        let shown = screen(&["the same", "one two, one", "        "]);
        let next = screen(&["the same", "ore two, win", "     end"]);
        assert_eq!(
            painted(&shown, &next),
            [(1, 1, "r"), (9, 1, "win"), (5, 2, "end")].map(|(x, y, text)| (x, y, text.to_owned()))
        );
    }

    #[test]
    fn what_looks_different_is_painted_apart_and_goes_on_where_the_cursor_is() {
        let shown = screen(&["          "]);
        let mut next = screen(&["here there"]);
        next.band(2, 0, 4, Style::new().fg(Color::Red));
        assert_eq!(
            painted(&shown, &next),
            [(0, 0, "he"), (1, 0, "re t"), (2, 0, "here")].map(|(x, y, text)| (
                x,
                y,
                text.to_owned()
            ))
        );
    }

    #[test]
    fn wide_characters_are_the_librarys() {
        let shown = screen(&["abcdef"]);
        let next = screen(&["a映画g"]);
        assert_eq!(
            painted(&shown, &next),
            [(1, 0, "映"), (3, 0, "画"), (5, 0, "g")].map(|(x, y, text)| (x, y, text.to_owned()))
        );
    }

    #[test]
    fn rows_with_graphemes_of_several_characters_are_painted_anew() {
        let (shown, next) = (screen(&["e\u{301} one!"]), screen(&["e\u{301} two!"]));
        let told = |(x, y, text): (u16, u16, &str)| (x, y, text.to_owned());
        assert_eq!(
            painted(&shown, &next),
            [(0, 0, "e\u{301}"), (3, 0, ""), (2, 0, "two!")].map(told)
        );
        assert_eq!(painted(&shown, &shown), []);
        let mut difference = Difference::default();
        difference.find(&shown, &next);
        assert_eq!(difference.cleared(), [0]);
    }

    #[test]
    fn a_few_cells_that_are_the_same_are_painted_again() {
        let (shown, next) = (screen(&["from 12 to 15"]), screen(&["from 13 to 16"]));
        let bridged = [(6, 0, "3 to 16".to_owned())];
        assert_eq!(painted(&shown, &next), bridged);
    }

    #[test]
    fn blanks_take_any_paint_that_does_not_show_on_them() {
        let shown = screen(&["................"]);
        let mut next = screen(&["   one two three"]);
        next.band(3, 0, 3, Style::new().fg(Color::Red));
        next.band(7, 0, 3, Style::new().add_modifier(Modifier::UNDERLINED));
        let said = |(x, y, text): (u16, u16, &str)| (x, y, text.to_owned());
        assert_eq!(
            painted(&shown, &next),
            [(0, 0, "   one "), (1, 0, "two"), (2, 0, " three")].map(said)
        );
    }
}
