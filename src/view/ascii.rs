//! Converts cells for terminals that show ASCII only: replaces every character outside printable ASCII.

use ratatui::buffer::Buffer;

/// Signs of the program with their ASCII replacements.
const SIGNS: [(char, char); 36] = [
    ('│', '|'),
    ('▸', '>'),
    ('▔', '~'),
    ('━', '='),
    ('↳', '>'),
    ('→', '>'),
    ('▲', '!'),
    ('·', '.'),
    ('…', '~'),
    ('└', '\''),
    ('┘', '\''),
    ('─', '-'),
    ('═', '='),
    ('┅', 'x'),
    ('↑', '^'),
    ('↓', 'v'),
    ('←', '<'),
    ('–', '-'),
    ('’', '\''),
    ('●', '*'),
    ('■', '#'),
    ('‹', '<'),
    ('›', '>'),
    ('×', 'x'),
    ('✗', 'x'),
    ('≠', '/'),
    ('⟨', '<'),
    ('⟩', '>'),
    // The heights of bars.
    ('▁', '1'),
    ('▂', '2'),
    ('▃', '3'),
    ('▄', '4'),
    ('▅', '5'),
    ('▆', '6'),
    ('▇', '7'),
    ('█', '8'),
];

/// Replaces every character that not all terminals can show.
pub fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let shown = match cell.symbol().chars().next() {
            None | Some(' ') => ' ',
            Some(char @ '!'..='~') => char,
            Some(char) => {
                let sign = SIGNS.iter().find(|(sign, _)| *sign == char);
                sign.map_or('?', |(_, ascii)| *ascii)
            }
        };
        cell.set_char(shown);
    }
}
