//! Encodes colours and text attributes as SGR parameters (select graphic rendition, ECMA-48), each
//! followed by a semicolon.

use ratatui::style::{Color, Modifier};

/// Writes the parameters that change attributes from `old` to `new`.
pub fn modify(old: Modifier, new: Modifier, out: &mut Vec<u8>) {
    if old == new {
        return;
    }
    let weight = Modifier::BOLD | Modifier::DIM;
    let (mut ended, mut begun) = (old - new, new - old);
    if ended.intersects(weight) {
        // One parameter ends both bold and dim.
        begun |= new & weight;
        ended.insert(Modifier::BOLD);
        ended.remove(Modifier::DIM);
    }
    for (mark, _, ends) in MARKS {
        if ended.contains(mark) {
            out.extend_from_slice(ends);
        }
    }
    for (mark, begins, _) in MARKS {
        if begun.contains(mark) {
            out.extend_from_slice(begins);
        }
    }
}

/// The parameters that start and end each attribute.
const MARKS: [(Modifier, &[u8], &[u8]); 9] = [
    (Modifier::BOLD, b"1;", b"22;"),
    (Modifier::DIM, b"2;", b"22;"),
    (Modifier::ITALIC, b"3;", b"23;"),
    (Modifier::UNDERLINED, b"4;", b"24;"),
    (Modifier::SLOW_BLINK, b"5;", b"25;"),
    (Modifier::RAPID_BLINK, b"6;", b"25;"),
    (Modifier::REVERSED, b"7;", b"27;"),
    (Modifier::HIDDEN, b"8;", b"28;"),
    (Modifier::CROSSED_OUT, b"9;", b"29;"),
];

/// Returns the palette number of exactly this colour in terminals with 256 colours, if there is one: in
/// the 6×6×6 cube from 16 on, or the greys from 232 on. The colours below 16 differ between users.
fn numbered([red, green, blue]: [u8; 3]) -> Option<u8> {
    let level = |value: u8| LEVELS.iter().position(|level| *level == value);
    if let (Some(r), Some(g), Some(b)) = (level(red), level(green), level(blue)) {
        return Some((16 + 36 * r + 6 * g + b) as u8);
    }
    let is_grey = red == green && green == blue && red % 10 == 8 && red < 240;
    is_grey.then(|| 232 + (red - 8) / 10)
}

/// Levels of red, green and blue in the cube.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Writes the parameters of a colour; `base` is 30 for the foreground, 40 for the background.
pub fn colour(color: Color, base: u8, out: &mut Vec<u8>) {
    let named = match color {
        Color::Reset => return parameters(&[base + 9], out),
        Color::Rgb(red, green, blue) => match numbered([red, green, blue]) {
            Some(index) => index,
            None => return parameters(&[base + 8, 2, red, green, blue], out),
        },
        Color::Indexed(index) => index,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    out.extend_from_slice(&[b'0' + base / 10, b'8', b';', b'5', b';']);
    number(named.into(), out);
    out.push(b';');
}

/// Writes parameters, each followed by a semicolon.
fn parameters(all: &[u8], out: &mut Vec<u8>) {
    for one in all {
        number((*one).into(), out);
        out.push(b';');
    }
}

/// Writes a number in decimal digits.
pub fn number(n: u16, out: &mut Vec<u8>) {
    let digit = |place: u16| b'0' + (n / place % 10) as u8;
    match n {
        ..10 => out.push(digit(1)),
        10..100 => out.extend_from_slice(&[digit(10), digit(1)]),
        100..1000 => out.extend_from_slice(&[digit(100), digit(10), digit(1)]),
        _ => {
            number(n / 1000, out);
            out.extend_from_slice(&[digit(100), digit(10), digit(1)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_that_have_a_number_are_written_as_it() {
        let numbers = [
            [0, 0, 0],
            [215, 175, 95],
            [255; 3],
            [8; 3],
            [148; 3],
            [238; 3],
        ];
        let known = [16, 179, 231, 232, 246, 255].map(Some);
        assert_eq!(numbers.map(numbered), known);
        for other in [[1, 2, 3], [248; 3], [149; 3], [95, 95, 96], [18, 18, 28]] {
            assert_eq!(numbered(other), None, "{other:?}");
        }
    }
}
