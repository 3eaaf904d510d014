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
    /// Returns the nearest colour that the terminal can show.
    pub fn nearest(self, colour: Color) -> Option<Color> {
        let Color::Rgb(r, g, b) = colour else {
            return (self != Self::None).then_some(colour);
        };
        match self {
            Self::True => Some(colour),
            Self::None => None,
            Self::Indexed256 => {
                let nearest = (16..=255).min_by_key(|index| distance([r, g, b], indexed(*index)));
                nearest.map(Color::Indexed)
            }
            Self::Basic16 => {
                let nearest = BASIC.iter().min_by_key(|(_, basic)| distance([r, g, b], *basic));
                nearest.map(|(colour, _)| *colour)
            }
        }
    }
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let channels = a.into_iter().zip(b);
    channels.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// Returns the red, green and blue of a colour from 16 to 255: a cube of six levels, then greys.
pub fn indexed(index: u8) -> [u8; 3] {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let place = usize::from(index.saturating_sub(16));
    match index {
        232.. => [8 + 10 * (index - 232); 3],
        _ => [place / 36, place / 6 % 6, place % 6].map(|level| LEVELS[level]),
    }
}

/// The sixteen colours, approximately as terminals show them.
pub(super) const BASIC: [(Color, [u8; 3]); 16] = [
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
