//! Cells for a terminal that shows ASCII only.

use ratatui::buffer::Buffer;

/// Signs of the program and what stands for them.
const SIGNS: [(&str, &str); 18] = [
    ("│", "|"),
    ("▸", ">"),
    ("▔", "~"),
    ("━", "="),
    ("↳", ">"),
    ("→", ">"),
    ("▲", "!"),
    ("·", "."),
    ("…", "~"),
    ("░", "o"),
    ("▒", "t"),
    ("█", "X"),
    ("↑", "^"),
    ("↓", "v"),
    ("←", "<"),
    ("–", "-"),
    ("’", "'"),
    ("●", "*"),
];

/// Puts something that every terminal shows into each cell.
pub fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii() {
            let sign = SIGNS.iter().find(|(sign, _)| *sign == cell.symbol());
            cell.set_symbol(sign.map_or("?", |(_, ascii)| ascii));
        }
    }
}
