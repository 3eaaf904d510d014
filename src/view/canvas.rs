//! A screen full of cells, small enough to be filled anew and compared for every key.
//!
//! # Why not the library's buffer
//! Its cells hold strings. To blank, fill and compare 8,000 of them took two thirds of the time
//! between a key and its answer; these are plain numbers, and take a tenth of that. What is hard
//! stays the library's: which graphemes there are, how wide they are and what comes of cells behind
//! wide ones is found out in a buffer of a row, and widgets are drawn in one.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::coat::Paint;
use crate::app::layout::Size;
use crate::text::{is_one_cell, width};

/// Behind the last character there is: so many more stands for the grapheme of that number.
const GRAPHEMES: u32 = char::MAX as u32 + 1;

/// A cell.
#[derive(Clone, Copy, Debug, Eq)]
pub struct Glyph {
    /// A character, or a grapheme of several in the list of its canvas.
    symbol: u32,
    pub paint: Paint,
}

/// Rows of cells.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    size: Size,
    glyphs: Vec<Glyph>,
    /// Graphemes that are more than a character.
    graphemes: Vec<String>,
    /// Rows that hold something else than characters which fill a cell each.
    uneven: Vec<bool>,
}

impl Glyph {
    /// A cell as a terminal clears it.
    pub const BLANK: Self = Self {
        symbol: ' ' as u32,
        paint: Paint::PLAIN,
    };

    /// The character that it is, unless it is more than one.
    pub fn char(&self) -> Option<char> {
        char::from_u32(self.symbol)
    }
}

impl PartialEq for Glyph {
    /// Without a branch for each number: most of a screen is compared and is the same.
    fn eq(&self, other: &Self) -> bool {
        self.symbol ^ other.symbol | self.paint.differing(other.paint) == 0
    }
}

impl Canvas {
    /// A blank one.
    pub fn new(size: Size) -> Self {
        let cells = usize::from(size.columns) * usize::from(size.rows);
        Self {
            size,
            glyphs: vec![Glyph::BLANK; cells],
            graphemes: Vec::new(),
            uneven: vec![false; size.rows.into()],
        }
    }

    pub fn size(&self) -> Size {
        self.size
    }

    /// Makes all cells blank.
    pub fn clear(&mut self, style: Style) {
        let blank = Glyph {
            paint: Paint::PLAIN.with(style),
            ..Glyph::BLANK
        };
        self.glyphs.fill(blank);
        self.graphemes.clear();
        self.uneven.fill(false);
    }

    /// The cells of a row, none below the last.
    pub fn row(&self, y: u16) -> &[Glyph] {
        let columns = usize::from(self.size.columns);
        let start = usize::from(y) * columns;
        self.glyphs.get(start..start + columns).unwrap_or_default()
    }

    /// True of a row that holds nothing but characters which fill a cell each.
    pub fn is_even(&self, y: u16) -> bool {
        self.uneven.get(usize::from(y)) == Some(&false)
    }

    /// Appends what is in a cell.
    pub fn push_symbol(&self, glyph: Glyph, text: &mut Vec<u8>) {
        match glyph.char() {
            Some(char) if char.is_ascii() => text.push(char as u8),
            Some(char) => text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            None => text.extend_from_slice(self.grapheme(glyph).as_bytes()),
        }
    }

    /// Columns that the content of a cell takes.
    pub fn columns(&self, glyph: Glyph) -> usize {
        match glyph.char() {
            Some(char) if is_one_cell(char) => 1,
            Some(char) => width(char.encode_utf8(&mut [0; 4])),
            None => width(self.grapheme(glyph)),
        }
    }

    fn grapheme(&self, glyph: Glyph) -> &str {
        &self.graphemes[(glyph.symbol - GRAPHEMES) as usize]
    }

    /// Puts `text` at a cell, at most `columns` wide; the column behind it.
    pub fn put(&mut self, x: u16, y: u16, columns: u16, text: &str, style: Style) -> u16 {
        let columns = columns.min(self.size.columns.saturating_sub(x));
        let cells = self.cells(x, y, columns);
        let mut under = cells.first().map_or(Paint::PLAIN, |first| first.paint);
        let mut over = under.with(style);
        let mut used = 0;
        let mut chars = text.chars();
        for (glyph, char) in cells.iter_mut().zip(&mut chars) {
            if !is_one_cell(char) {
                // Graphemes and their widths are found over again from where the text begins.
                return self.put_wide(x, y, columns, text, style);
            }
            if glyph.paint != under {
                under = glyph.paint;
                over = under.with(style);
            }
            *glyph = Glyph {
                symbol: char.into(),
                paint: over,
            };
            used += 1;
        }
        // What joins the last one is seen only with it.
        if used == columns && chars.next().is_some_and(|next| !is_one_cell(next)) {
            return self.put_wide(x, y, columns, text, style);
        }
        x + used
    }

    fn put_wide(&mut self, x: u16, y: u16, columns: u16, text: &str, style: Style) -> u16 {
        let mut end = x;
        if self.cells(x, y, columns).is_empty() {
            return x;
        }
        let area = Rect::new(x, y, columns, 1);
        self.draw(area, |buffer| {
            end = buffer.set_stringn(x, y, text, columns.into(), style).0;
        });
        end
    }

    /// Makes a stretch of a row blank, whatever was there.
    pub fn blank(&mut self, x: u16, y: u16, columns: u16, style: Style) {
        let blank = Glyph {
            paint: Paint::PLAIN.with(style),
            ..Glyph::BLANK
        };
        self.cells(x, y, columns).fill(blank);
    }

    /// Gives a stretch of a row a style.
    pub fn band(&mut self, x: u16, y: u16, columns: u16, style: Style) {
        for glyph in self.cells(x, y, columns) {
            glyph.paint = glyph.paint.with(style);
        }
    }

    /// Draws in a buffer of the library that holds the cells of `area`.
    pub fn draw(&mut self, area: Rect, draw: impl FnOnce(&mut Buffer)) {
        let area = area.intersection(Rect::new(0, 0, self.size.columns, self.size.rows));
        let mut buffer = self.buffer(area);
        draw(&mut buffer);
        for (y, cells) in (area.y..).zip(buffer.content.chunks(usize::from(area.width).max(1))) {
            let graphemes = &mut self.graphemes;
            self.uneven[usize::from(y)] = true;
            let start = usize::from(y) * usize::from(self.size.columns) + usize::from(area.x);
            for (glyph, cell) in self.glyphs[start..].iter_mut().zip(cells) {
                *glyph = Glyph::of(cell, graphemes);
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
                glyph.paint.give(cell.set_symbol(symbol));
            }
        }
        buffer
    }

    /// Puts something else into each cell of which `sign` tells what, by its first character.
    pub fn replace(&mut self, sign: impl Fn(char) -> char) {
        for glyph in &mut self.glyphs {
            let first = glyph.char().or_else(|| {
                let place = (glyph.symbol - GRAPHEMES) as usize;
                self.graphemes.get(place)?.chars().next()
            });
            glyph.symbol = sign(first.unwrap_or(' ')).into();
        }
    }

    fn cells(&mut self, x: u16, y: u16, columns: u16) -> &mut [Glyph] {
        let Size {
            columns: width,
            rows,
        } = self.size;
        if y >= rows || x >= width {
            return &mut [];
        }
        let start = usize::from(y) * usize::from(width) + usize::from(x);
        &mut self.glyphs[start..start + usize::from(columns.min(width - x))]
    }
}

impl Glyph {
    fn of(cell: &Cell, graphemes: &mut Vec<String>) -> Self {
        let mut chars = cell.symbol().chars();
        let symbol = match (chars.next(), chars.next()) {
            (Some(char), None) => char.into(),
            _ => {
                graphemes.push(cell.symbol().to_owned());
                GRAPHEMES + graphemes.len() as u32 - 1
            }
        };
        let paint = Paint::of(cell);
        Self { symbol, paint }
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
