//! A screen of cells that is small enough to be filled and compared for every key.
//!
//! # Why not the library's buffer
//! Its cells hold strings. Clearing, filling and comparing 8,000 of them took two thirds of the time
//! between a key and its effect; these cells are plain numbers and take less than a tenth of that. The
//! hard parts still use the library: graphemes, their widths and the cells behind wide ones are computed
//! in a library buffer of one row, and widgets draw into one.

use std::ops::Range;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::cell_style::{PackedStyle, StyleTable};
use crate::app::layout::Size;
use crate::text::{is_one_cell, width};

/// The first number after all characters: numbers from here on refer to graphemes in a list.
const GRAPHEMES: u32 = char::MAX as u32 + 1;

/// A cell: its symbol, and the number of its style in the style table of its canvas. Both in one number, so
/// that blocks of cells are filled and compared at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedCell(u64);

/// Rows of cells.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    size: Size,
    glyphs: Vec<PackedCell>,
    palette: StyleTable,
    /// Graphemes of more than one character.
    graphemes: Vec<String>,
    /// For each row, true if it has characters that do not fill exactly one cell.
    uneven: Vec<bool>,
}

impl PackedCell {
    /// A cell as a terminal clears it.
    pub const BLANK: Self = Self::new(' ' as u32, StyleTable::PLAIN);

    /// `symbol` is a character, or the number of a grapheme in the list of the canvas.
    const fn new(symbol: u32, paint: u32) -> Self {
        Self((paint as u64) << 32 | symbol as u64)
    }

    const fn symbol(self) -> u32 {
        self.0 as u32
    }

    /// The number of its style.
    pub const fn paint(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Its character; None for a grapheme of several.
    pub fn char(self) -> Option<char> {
        char::from_u32(self.symbol())
    }

    /// True for a space.
    pub const fn is_space(self) -> bool {
        self.symbol() == ' ' as u32
    }

    /// True if all cells are equal.
    pub fn are_same<const N: usize>(some: &[Self; N], others: &[Self; N]) -> bool {
        // Without an early exit, the compiler compares several at once.
        let pairs = some.iter().zip(others);
        pairs.fold(0, |bits, (one, other)| bits | one.0 ^ other.0) == 0
    }
}

impl Canvas {
    /// A canvas of spaces.
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

    /// Fills all cells with spaces.
    pub fn clear(&mut self, style: Style) {
        let blank = self.blank_one(style);
        self.glyphs.fill(blank);
        self.graphemes.clear();
        self.uneven.fill(false);
    }

    /// Uses the style numbers of another canvas, so that cells of both can be compared.
    pub fn share(&mut self, other: &Self) {
        if let Some(places) = self.palette.follow(&other.palette) {
            for glyph in &mut self.glyphs {
                *glyph = PackedCell::new(glyph.symbol(), places[glyph.paint() as usize]);
            }
        }
    }

    /// The style of a cell.
    pub fn paint(&self, glyph: PackedCell) -> PackedStyle {
        self.palette.paint(glyph.paint())
    }

    /// The cells of a row; empty below the last row.
    pub fn row(&self, y: u16) -> &[PackedCell] {
        let columns = usize::from(self.size.columns);
        let start = usize::from(y) * columns;
        self.glyphs.get(start..start + columns).unwrap_or_default()
    }

    /// True if every character of a row fills exactly one cell.
    pub fn is_even(&self, y: u16) -> bool {
        self.uneven.get(usize::from(y)) == Some(&false)
    }

    /// Appends the symbols of cells.
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

    /// The number of columns of a cell's symbol.
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

    /// Puts `text` at a cell, at most `columns` wide. Returns the column after it.
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
                // Graphemes and widths are computed again from the start of the text.
                return self.put_wide(x, y, columns as u16, text, style);
            }
            fill(glyph, char.into());
            used += 1;
        }
        // Whether the next character joins the last one shows only in the context of both.
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

    /// Fills a stretch of a row with spaces.
    pub fn blank(&mut self, x: u16, y: u16, columns: u16, style: Style) {
        let (blank, cells) = (self.blank_one(style), self.cells(x, y, columns));
        self.glyphs[cells].fill(blank);
    }

    /// Sets the style of a stretch of a row.
    pub fn band(&mut self, x: u16, y: u16, columns: u16, style: Style) {
        let cells = self.cells(x, y, columns);
        let mut brush = self.palette.brush(style);
        for glyph in &mut self.glyphs[cells] {
            *glyph = PackedCell::new(glyph.symbol(), brush.over(glyph.paint()));
        }
    }

    /// Puts a character that fills one cell into each of `rows` cells, one below the other.
    pub fn column(&mut self, x: u16, y: u16, rows: u16, char: char, style: Style) {
        let (first, width) = (self.cells(x, y, 1), usize::from(self.size.columns).max(1));
        let mut brush = self.palette.brush(style);
        // There are no cells to the right of the screen or below it.
        let below = self.glyphs.iter_mut().skip(first.start).step_by(width);
        for glyph in below.take(usize::from(rows) * first.len()) {
            *glyph = PackedCell::new(char.into(), brush.over(glyph.paint()));
        }
    }

    /// Draws with the library in a buffer that holds the cells of `area`.
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

    /// The cells of `area` as a library buffer.
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

    /// Replaces the symbol of each cell by the result of `sign` for its first character.
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

    /// The cells of a stretch of a row, cut at the edge of the screen.
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
