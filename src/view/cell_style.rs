//! Colours and modifiers of a cell, packed into a number for fast lookup and comparison.
//!
//! This module does not know which colour means what; the theme does.

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier, Style};

/// The colours and modifiers of a cell, as a number: from its lowest bit on, the foreground, the background,
/// and the bits of a [`Modifier`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedStyle(u64);

/// The number of bits of a colour.
const COLOUR: u32 = 26;

/// The bits of the foreground.
const FRONT: u64 = (1 << COLOUR) - 1;

/// The bits of the background.
const GROUND: u64 = FRONT << COLOUR;

impl PackedStyle {
    /// The terminal's default style.
    pub const PLAIN: Self = Self(packed(Color::Reset) | packed(Color::Reset) << COLOUR);

    /// This style with `style` applied on top.
    #[must_use]
    pub fn with(self, style: Style) -> Self {
        let mut bits = self.0;
        if let Some(fg) = style.fg {
            bits = bits & !FRONT | packed(fg);
        }
        if let Some(bg) = style.bg {
            bits = bits & !GROUND | packed(bg) << COLOUR;
        }
        let (ended, begun) = (style.sub_modifier, style.add_modifier - style.sub_modifier);
        Self(bits & !marks(ended) | marks(begun))
    }

    /// The style of a library cell.
    pub fn of(cell: &Cell) -> Self {
        Self(packed(cell.fg) | packed(cell.bg) << COLOUR | marks(cell.modifier))
    }

    /// Applies it to a library cell.
    pub fn give(self, cell: &mut Cell) {
        (cell.fg, cell.bg) = (self.fg(), self.bg());
        cell.modifier = self.modifier();
    }

    /// True if both have the same foreground.
    pub fn is_in_the_same(self, other: Self) -> bool {
        (self.0 ^ other.0) & FRONT == 0
    }

    /// True if both have the same background.
    pub fn is_on_the_same(self, other: Self) -> bool {
        (self.0 ^ other.0) & GROUND == 0
    }

    /// True if the style is visible on a space.
    pub fn marks_blanks(self) -> bool {
        const UNSEEN: Modifier = Modifier::BOLD.union(Modifier::DIM).union(Modifier::ITALIC);
        self.0 & !(FRONT | GROUND | marks(UNSEEN)) != 0
    }

    pub fn fg(self) -> Color {
        unpacked(self.0 & FRONT)
    }

    pub fn bg(self) -> Color {
        unpacked((self.0 & GROUND) >> COLOUR)
    }

    pub fn modifier(self) -> Modifier {
        Modifier::from_bits_truncate((self.0 >> (2 * COLOUR)) as u16)
    }
}

/// The bits of a modifier, at their place in a packed style.
const fn marks(modifier: Modifier) -> u64 {
    (modifier.bits() as u64) << (2 * COLOUR)
}

/// Styles by number. Styles are never removed: there are only as many as a theme has, and combinations of
/// these.
#[derive(Clone, Debug)]
pub struct StyleTable {
    paints: Vec<PackedStyle>,
    /// A cache: for each hash, the number of the style looked up last.
    recent: [u32; RECENT],
}

/// The size of the cache: somewhat more than a screen has styles.
const RECENT: usize = 1 << RECENT_BITS;
const RECENT_BITS: u32 = 6;

impl Default for StyleTable {
    fn default() -> Self {
        Self {
            paints: vec![PackedStyle::PLAIN],
            recent: [Self::PLAIN; RECENT],
        }
    }
}

impl StyleTable {
    /// The number of [`PackedStyle::PLAIN`].
    pub const PLAIN: u32 = 0;

    /// The style of a number from this table.
    pub fn paint(&self, number: u32) -> PackedStyle {
        self.paints[number as usize]
    }

    /// The number of a style with another style applied on top.
    pub fn over(&mut self, under: u32, style: Style) -> u32 {
        self.number(self.paint(under).with(style))
    }

    /// A cursor for many styles in a row, most of which are equal to the previous one.
    pub fn brush(&mut self, style: Style) -> StyleCursor<'_> {
        let (under, over) = (Self::PLAIN, self.over(Self::PLAIN, style));
        StyleCursor {
            palette: self,
            style,
            under,
            over,
        }
    }

    /// The number of a style.
    pub fn number(&mut self, paint: PackedStyle) -> u32 {
        // Fibonacci hashing: the upper bits depend on all (Knuth, The Art of Computer Programming 3, 6.4).
        let place = paint.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - RECENT_BITS);
        let recent = self.recent[place as usize];
        if self.paints.get(recent as usize) == Some(&paint) {
            return recent;
        }
        let known = self.paints.iter().position(|known| *known == paint);
        let number = known.unwrap_or_else(|| {
            self.paints.push(paint);
            self.paints.len() - 1
        }) as u32;
        self.recent[place as usize] = number;
        number
    }

    /// Gives each style the number that it has in `other`. Returns the new numbers by the old ones if any differ.
    pub fn follow(&mut self, other: &Self) -> Option<Vec<u32>> {
        if self.paints.starts_with(&other.paints) {
            return None;
        }
        let old = std::mem::replace(&mut self.paints, other.paints.clone());
        if self.paints.starts_with(&old) {
            return None;
        }
        Some(old.into_iter().map(|paint| self.number(paint)).collect())
    }
}

/// A style to apply on top of others.
pub struct StyleCursor<'p> {
    palette: &'p mut StyleTable,
    style: Style,
    /// The style that it was applied to last, and the result.
    under: u32,
    over: u32,
}

impl StyleCursor<'_> {
    /// The number of the result for a style.
    pub fn over(&mut self, under: u32) -> u32 {
        if under != self.under {
            (self.under, self.over) = (under, self.palette.over(under, self.style));
        }
        self.over
    }
}

/// Named colours, in the order of their numbers.
const NAMED: [Color; 17] = [
    Color::Reset,
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

/// A colour as a number: that of its name, or two bits for its kind and three bytes.
const fn packed(color: Color) -> u64 {
    match color {
        Color::Indexed(index) => u32::from_be_bytes([1, 0, 0, index]) as u64,
        Color::Rgb(red, green, blue) => u32::from_be_bytes([2, red, green, blue]) as u64,
        Color::Reset => 0,
        Color::Black => 1,
        Color::Red => 2,
        Color::Green => 3,
        Color::Yellow => 4,
        Color::Blue => 5,
        Color::Magenta => 6,
        Color::Cyan => 7,
        Color::Gray => 8,
        Color::DarkGray => 9,
        Color::LightRed => 10,
        Color::LightGreen => 11,
        Color::LightYellow => 12,
        Color::LightBlue => 13,
        Color::LightMagenta => 14,
        Color::LightCyan => 15,
        Color::White => 16,
    }
}

fn unpacked(number: u64) -> Color {
    match (number as u32).to_be_bytes() {
        [0, .., name] => NAMED.get(usize::from(name)).copied().unwrap_or_default(),
        [1, .., index] => Color::Indexed(index),
        [_, red, green, blue] => Color::Rgb(red, green, blue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paints_keep_their_looks_under_the_numbers_of_another_palette() {
        let paints = [Color::Red, Color::Blue, Color::Green].map(|color| {
            let style = Style::new().fg(color);
            PackedStyle::PLAIN.with(style)
        });
        let (mut one, mut other) = (StyleTable::default(), StyleTable::default());
        let [red, blue, green] = paints;
        let numbers = [red, blue].map(|paint| one.number(paint));
        assert_eq!([blue, green].map(|paint| other.number(paint)), [1, 2]);
        let places = one.follow(&other).expect("others");
        let found = numbers.map(|number| one.paint(places[number as usize]));
        assert_eq!((found, one.paint(2)), ([red, blue], green));
        assert_eq!(one.follow(&other), None);
        assert_eq!((other.follow(&one), other.paint(3)), (None, red));
    }

    #[test]
    fn colours_survive_being_numbers() {
        let others = [Color::Indexed(0), Color::Indexed(255), Color::Rgb(1, 2, 3)];
        for color in NAMED.into_iter().chain(others) {
            assert_eq!(unpacked(packed(color)), color);
        }
    }
}
