//! Colours and the other marks of a cell as numbers, to be copied and compared by the thousand.
//!
//! Nothing here knows which meaning has which colour; that is the theme's.

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier, Style};

/// The colours and the other marks of a cell, as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    fg: u32,
    bg: u32,
    /// The bits of a [`Modifier`]; as wide as the colours, so that there is no gap to go around.
    modifier: u32,
}

impl Paint {
    /// As the terminal has it.
    pub const PLAIN: Self = Self {
        fg: packed(Color::Reset),
        bg: packed(Color::Reset),
        modifier: 0,
    };

    /// What comes of it where something with a style is put.
    #[must_use]
    pub fn with(self, style: Style) -> Self {
        Self {
            fg: style.fg.map_or(self.fg, packed),
            bg: style.bg.map_or(self.bg, packed),
            modifier: self.modifier & !bits(style.sub_modifier)
                | bits(style.add_modifier - style.sub_modifier),
        }
    }

    /// That of a cell of the library.
    pub fn of(cell: &Cell) -> Self {
        Self {
            fg: packed(cell.fg),
            bg: packed(cell.bg),
            modifier: bits(cell.modifier),
        }
    }

    /// Gives it to a cell of the library.
    pub fn give(self, cell: &mut Cell) {
        (cell.fg, cell.bg) = (self.fg(), self.bg());
        cell.modifier = self.modifier();
    }

    /// The bits in which both differ; 0 if they are the same.
    pub fn differing(self, other: Self) -> u32 {
        self.fg ^ other.fg | self.bg ^ other.bg | self.modifier ^ other.modifier
    }

    /// True if both have the same background.
    pub fn is_on_the_same(self, other: Self) -> bool {
        self.bg == other.bg
    }

    /// True if something is seen where there is no character.
    pub fn marks_blanks(self) -> bool {
        let unseen = Modifier::BOLD | Modifier::DIM | Modifier::ITALIC;
        !unseen.contains(self.modifier())
    }

    pub fn fg(self) -> Color {
        unpacked(self.fg)
    }

    pub fn bg(self) -> Color {
        unpacked(self.bg)
    }

    pub fn modifier(self) -> Modifier {
        Modifier::from_bits_truncate(self.modifier as u16)
    }
}

fn bits(modifier: Modifier) -> u32 {
    modifier.bits().into()
}

/// Colours that have names, in the order of their numbers.
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

/// A colour as a number: that of its name, or a byte that tells of what kind it is and three of its own.
const fn packed(color: Color) -> u32 {
    match color {
        Color::Indexed(index) => u32::from_be_bytes([1, 0, 0, index]),
        Color::Rgb(red, green, blue) => u32::from_be_bytes([2, red, green, blue]),
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

fn unpacked(number: u32) -> Color {
    match number.to_be_bytes() {
        [0, .., name] => NAMED.get(usize::from(name)).copied().unwrap_or_default(),
        [1, .., index] => Color::Indexed(index),
        [_, red, green, blue] => Color::Rgb(red, green, blue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_survive_being_numbers() {
        let others = [Color::Indexed(0), Color::Indexed(255), Color::Rgb(1, 2, 3)];
        for color in NAMED.into_iter().chain(others) {
            assert_eq!(unpacked(packed(color)), color);
        }
    }
}
