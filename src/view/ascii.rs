//! Cells for a terminal that shows ASCII only.

use super::canvas::Canvas;

/// Signs of the program and what stands for them.
const SIGNS: [(char, char); 18] = [
    ('│', '|'),
    ('▸', '>'),
    ('▔', '~'),
    ('━', '='),
    ('↳', '>'),
    ('→', '>'),
    ('▲', '!'),
    ('·', '.'),
    ('…', '~'),
    ('░', 'o'),
    ('▒', 't'),
    ('█', 'X'),
    ('↑', '^'),
    ('↓', 'v'),
    ('←', '<'),
    ('–', '-'),
    ('’', '\''),
    ('●', '*'),
];

/// Puts something that every terminal shows into each cell.
pub fn to_ascii(canvas: &mut Canvas) {
    canvas.replace(|char| {
        let char = char.unwrap_or_default();
        let sign = SIGNS.iter().find(|(sign, _)| *sign == char);
        let shown = matches!(char, ' '..='~');
        (!shown).then(|| sign.map_or('?', |(_, ascii)| *ascii))
    });
}
