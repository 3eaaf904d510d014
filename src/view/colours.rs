//! The colours that a terminal can show.

use ratatui::style::Color;

/// The colours that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Any red, green and blue.
    True,
    Indexed256,
    Basic16,
    None,
}

impl Colours {
    /// The nearest colour that the terminal can show.
    pub fn nearest(self, colour: Color) -> Option<Color> {
        let Color::Rgb(r, g, b) = colour else {
            return (self != Self::None).then_some(colour);
        };
        match self {
            Self::True => Some(colour),
            Self::None => None,
            Self::Indexed256 => {
                let level = |c: u8| (u16::from(c) * 5 + 127) / 255;
                let grey = r.abs_diff(g) < 12 && g.abs_diff(b) < 12;
                let index = if grey {
                    let step = (u16::from(r).saturating_sub(8) + 5) / 10;
                    232 + step.min(23)
                } else {
                    16 + 36 * level(r) + 6 * level(g) + level(b)
                };
                Some(Color::Indexed(index as u8))
            }
            Self::Basic16 => {
                let distance = |(_, [x, y, z]): &(Color, [u8; 3])| {
                    let d = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
                    d(r, *x) + d(g, *y) + d(b, *z)
                };
                BASIC
                    .iter()
                    .min_by_key(|basic| distance(basic))
                    .map(|(colour, _)| *colour)
            }
        }
    }
}

/// The sixteen colours, approximately as terminals show them.
const BASIC: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 49, 49]),
    (Color::Green, [13, 188, 121]),
    (Color::Yellow, [190, 150, 16]),
    (Color::Blue, [36, 114, 200]),
    (Color::Magenta, [188, 63, 188]),
    (Color::Cyan, [17, 168, 205]),
    (Color::Gray, [204, 204, 204]),
    (Color::DarkGray, [102, 102, 102]),
    (Color::LightRed, [241, 76, 76]),
    (Color::LightGreen, [35, 209, 139]),
    (Color::LightYellow, [245, 245, 67]),
    (Color::LightBlue, [59, 142, 234]),
    (Color::LightMagenta, [214, 112, 214]),
    (Color::LightCyan, [41, 184, 219]),
    (Color::White, [255, 255, 255]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_down_to_what_the_terminal_has() {
        let shown = |colours: Colours| colours.nearest(Color::Rgb(240, 80, 80));
        assert_eq!(shown(Colours::Basic16), Some(Color::LightRed));
        assert_eq!(
            shown(Colours::Indexed256),
            Some(Color::Indexed(16 + 36 * 5 + 12 + 2))
        );
        assert_eq!(shown(Colours::None), None);
    }
}
