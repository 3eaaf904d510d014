//! A screen full of cells, small enough to be filled anew and compared for every key.
//!
//! # Why not the library's buffer
//! Its cells hold strings. To blank, fill and compare 8,000 of them took two thirds of the time
//! between a key and its answer; these are plain numbers, and take less than a tenth of that. What is hard
//! stays the library's: which graphemes there are, how wide they are and what comes of cells behind
//! wide ones is found out in a buffer of a row, and widgets are drawn in one.

use std::ops::Range;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::cell_style::{PackedStyle, StyleTable};
use crate::app::layout::Size;
use crate::text::{is_one_cell, width};

/// Behind the last character there is: so many more stands for the grapheme of that number.
const GRAPHEMES: u32 = char::MAX as u32 + 1;

/// A cell: what is in it, and the number of its paint in the palette of its canvas. Both in one number, so
/// that blocks of cells are filled and compared at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedCell(u64);

/// Rows of cells.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    size: Size,
    glyphs: Vec<PackedCell>,
    palette: StyleTable,
    /// Graphemes that are more than a character.
    graphemes: Vec<String>,
    /// Rows that hold something else than characters which fill a cell each.
    uneven: Vec<bool>,
}

impl PackedCell {
    /// A cell as a terminal clears it.
    pub const BLANK: Self = Self::new(' ' as u32, StyleTable::PLAIN);

    /// The first: a character, or a grapheme of several in the list of its canvas.
    const fn new(symbol: u32, paint: u32) -> Self {
        Self((paint as u64) << 32 | symbol as u64)
    }

    const fn symbol(self) -> u32 {
        self.0 as u32
    }

    /// The number of its paint.
    pub const fn paint(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The character that it is, unless it is more than one.
    pub fn char(self) -> Option<char> {
        char::from_u32(self.symbol())
    }

    /// True of a space.
    pub const fn is_space(self) -> bool {
        self.symbol() == ' ' as u32
    }

    /// True if all are the same.
    pub fn are_same<const N: usize>(some: &[Self; N], others: &[Self; N]) -> bool {
        // With no way out in the middle, several are looked at at once.
        let pairs = some.iter().zip(others);
        pairs.fold(0, |bits, (one, other)| bits | one.0 ^ other.0) == 0
    }
}

impl Canvas {
    /// A blank one.
    pub fn new(size: Size) -> Self {
        let cells = usize::from(size.columns) * usize::from(size.rows);
        Self {
            size,
            glyphs: vec![PackedCell::BLANK; cells],
            palette: StyleTable::default(),
            graphemes: Vec::new(),
            uneven: vec![false; size.rows.into()],
        }
    }

    pub fn size(&self) -> Size {
        self.size
    }

    /// Makes all cells blank.
    pub fn clear(&mut self, style: Style) {
        let blank = self.blank_one(style);
        self.glyphs.fill(blank);
        self.graphemes.clear();
        self.uneven.fill(false);
    }

    /// Goes on with the paints of another one, so that cells of both can be compared.
    pub fn share(&mut self, other: &Self) {
        if let Some(places) = self.palette.follow(&other.palette) {
            for glyph in &mut self.glyphs {
                *glyph = PackedCell::new(glyph.symbol(), places[glyph.paint() as usize]);
            }
        }
    }

    /// The paint of a cell.
    pub fn paint(&self, glyph: PackedCell) -> PackedStyle {
        self.palette.paint(glyph.paint())
    }

    /// The cells of a row, none below the last.
    pub fn row(&self, y: u16) -> &[PackedCell] {
        let columns = usize::from(self.size.columns);
        let start = usize::from(y) * columns;
        self.glyphs.get(start..start + columns).unwrap_or_default()
    }

    /// True of a row that holds nothing but characters which fill a cell each.
    pub fn is_even(&self, y: u16) -> bool {
        self.uneven.get(usize::from(y)) == Some(&false)
    }

    /// Appends what is in cells.
    pub fn push_symbols(&self, glyphs: &[PackedCell], text: &mut Vec<u8>) {
        if glyphs.iter().fold(0, |bits, glyph| bits | glyph.symbol()) < 0x80 {
            text.extend(glyphs.iter().map(|glyph| glyph.symbol() as u8));
            return;
        }
        for glyph in glyphs {
            match glyph.char() {
                Some(char) => text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
                None => text.extend_from_slice(self.grapheme(*glyph).as_bytes()),
            }
        }
    }

    /// Columns that the content of a cell takes.
    pub fn columns(&self, glyph: PackedCell) -> usize {
        match glyph.char() {
            Some(char) if is_one_cell(char) => 1,
            Some(char) => width(char.encode_utf8(&mut [0; 4])),
            None => width(self.grapheme(glyph)),
        }
    }

    fn grapheme(&self, glyph: PackedCell) -> &str {
        &self.graphemes[(glyph.symbol() - GRAPHEMES) as usize]
    }

    /// Puts `text` at a cell, at most `columns` wide; the column behind it.
    pub fn put(&mut self, x: u16, y: u16, columns: u16, text: &str, style: Style) -> u16 {
        let Range { start, end } = self.cells(x, y, columns);
        let columns = end - start;
        if columns == 0 {
            return x;
        }
        let cells = &mut self.glyphs[start..end];
        let mut brush = self.palette.brush(style);
        let mut fill = |glyph: &mut PackedCell, symbol| {
            *glyph = PackedCell::new(symbol, brush.over(glyph.paint()));
        };
        let mut used = 0;
        for (glyph, byte) in cells.iter_mut().zip(text.as_bytes()) {
            if !matches!(byte, b' '..=b'~') {
                break;
            }
            fill(glyph, (*byte).into());
            used += 1;
        }
        let mut rest = text[used..].chars();
        for glyph in &mut cells[used..] {
            let Some(char) = rest.next() else {
                break;
            };
            if !is_one_cell(char) {
                // Graphemes and their widths are found over again from where the text begins.
                return self.put_wide(x, y, columns as u16, text, style);
            }
            fill(glyph, char.into());
            used += 1;
        }
        // What joins the last one is seen only with it.
        if used == columns && rest.next().is_some_and(|next| !is_one_cell(next)) {
            return self.put_wide(x, y, columns as u16, text, style);
        }
        x + used as u16
    }

    fn put_wide(&mut self, x: u16, y: u16, columns: u16, text: &str, style: Style) -> u16 {
        let mut end = x;
        let area = Rect::new(x, y, columns, 1);
        self.draw(area, |buffer| {
            end = buffer.set_stringn(x, y, text, columns.into(), style).0;
        });
        end
    }

    /// Makes a stretch of a row blank, whatever was there.
    pub fn blank(&mut self, x: u16, y: u16, columns: u16, style: Style) {
        let (blank, cells) = (self.blank_one(style), self.cells(x, y, columns));
        self.glyphs[cells].fill(blank);
    }

    /// Gives a stretch of a row a style.
    pub fn band(&mut self, x: u16, y: u16, columns: u16, style: Style) {
        let cells = self.cells(x, y, columns);
        let mut brush = self.palette.brush(style);
        for glyph in &mut self.glyphs[cells] {
            *glyph = PackedCell::new(glyph.symbol(), brush.over(glyph.paint()));
        }
    }

    /// Puts a character that fills a cell into each of `rows` cells, one below the other.
    pub fn column(&mut self, x: u16, y: u16, rows: u16, char: char, style: Style) {
        let (first, width) = (self.cells(x, y, 1), usize::from(self.size.columns).max(1));
        let mut brush = self.palette.brush(style);
        // Beside the screen there is none, and none below it.
        let below = self.glyphs.iter_mut().skip(first.start).step_by(width);
        for glyph in below.take(usize::from(rows) * first.len()) {
            *glyph = PackedCell::new(char.into(), brush.over(glyph.paint()));
        }
    }

    /// Draws in a buffer of the library that holds the cells of `area`.
    pub fn draw(&mut self, area: Rect, draw: impl FnOnce(&mut Buffer)) {
        let area = area.intersection(Rect::new(0, 0, self.size.columns, self.size.rows));
        let mut buffer = self.buffer(area);
        draw(&mut buffer);
        for (y, cells) in (area.y..).zip(buffer.content.chunks(usize::from(area.width).max(1))) {
            let (graphemes, palette) = (&mut self.graphemes, &mut self.palette);
            self.uneven[usize::from(y)] = true;
            let start = usize::from(y) * usize::from(self.size.columns) + usize::from(area.x);
            for (glyph, cell) in self.glyphs[start..].iter_mut().zip(cells) {
                *glyph = PackedCell::of(cell, graphemes, palette);
            }
        }
    }

    /// The cells of `area` as the library's.
    pub fn buffer(&self, area: Rect) -> Buffer {
        let mut buffer = Buffer::empty(area);
        let mut bytes = [0; 4];
        for (y, cells) in (area.y..).zip(buffer.content.chunks_mut(usize::from(area.width).max(1)))
        {
            for (cell, glyph) in cells.iter_mut().zip(&self.row(y)[usize::from(area.x)..]) {
                let symbol = match glyph.char() {
                    Some(char) => char.encode_utf8(&mut bytes),
                    None => self.grapheme(*glyph),
                };
                self.paint(*glyph).give(cell.set_symbol(symbol));
            }
        }
        buffer
    }

    /// Puts something else into each cell of which `sign` tells what, by its first character.
    pub fn replace(&mut self, sign: impl Fn(char) -> char) {
        for glyph in &mut self.glyphs {
            let first = glyph.char().or_else(|| {
                let place = (glyph.symbol() - GRAPHEMES) as usize;
                self.graphemes.get(place)?.chars().next()
            });
            *glyph = PackedCell::new(sign(first.unwrap_or(' ')).into(), glyph.paint());
        }
    }

    fn blank_one(&mut self, style: Style) -> PackedCell {
        PackedCell::new(' '.into(), self.palette.over(StyleTable::PLAIN, style))
    }

    /// The cells of a stretch of a row, as far as there are any.
    fn cells(&self, x: u16, y: u16, columns: u16) -> Range<usize> {
        let Size {
            columns: width,
            rows,
        } = self.size;
        if y >= rows || x >= width {
            return 0..0;
        }
        let start = usize::from(y) * usize::from(width) + usize::from(x);
        start..start + usize::from(columns.min(width - x))
    }
}

impl PackedCell {
    fn of(cell: &Cell, graphemes: &mut Vec<String>, palette: &mut StyleTable) -> Self {
        let mut chars = cell.symbol().chars();
        let symbol = match (chars.next(), chars.next()) {
            (Some(char), None) => char.into(),
            _ => {
                graphemes.push(cell.symbol().to_owned());
                GRAPHEMES + graphemes.len() as u32 - 1
            }
        };
        Self::new(symbol, palette.number(PackedStyle::of(cell)))
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::*;

    #[test]
    fn what_a_cell_holds_comes_back() {
        let size = Size {
            columns: 8,
            rows: 2,
        };
        let (mut canvas, red) = (Canvas::new(size), Style::new().fg(Color::Red));
        assert_eq!(canvas.put(0, 0, 8, "aé映", red), 4);
        assert_eq!(canvas.put(4, 0, 9, "e\u{301}👨‍👩‍👧!", Style::new()), 8);
        assert_eq!(canvas.put(6, 1, 9, "end", red), 8);
        assert_eq!(
            (
                canvas.put(8, 1, 9, "…", red),
                canvas.put(0, 2, 9, "映", red)
            ),
            (8, 0)
        );
        assert_eq!((canvas.is_even(0), canvas.is_even(1)), (false, true));
        let buffer = canvas.buffer(Rect::new(0, 0, 8, 2));
        let symbols: Vec<_> = buffer.content.iter().map(Cell::symbol).collect();
        assert_eq!(symbols.concat(), "aé映 e\u{301}👨‍👩‍👧 !      en");
        assert_eq!(
            (buffer[(1, 0)].fg, buffer[(4, 0)].fg),
            (Color::Red, Color::Reset)
        );
    }
}
