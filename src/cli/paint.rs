//! The few styles of printed output. Colours are taken out again where output is no terminal or
//! `NO_COLOR` is set.

use std::path::Path;

use anstyle::{AnsiColor, Style};

use crate::text::visible;

pub const ERROR: Style = AnsiColor::Red.on_default().bold();
pub const PLAIN: Style = Style::new();
pub const PLACE: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const LABEL: Style = AnsiColor::Cyan.on_default();
pub const CALL: Style = AnsiColor::Magenta.on_default();
pub const USER: Style = AnsiColor::Green.on_default().bold();
pub const SYSTEM: Style = AnsiColor::Blue.on_default().bold();
pub const ADDED: Style = AnsiColor::Green.on_default();
pub const REMOVED: Style = AnsiColor::Red.on_default();
pub const HUNK: Style = AnsiColor::Cyan.on_default();

/// `number` with its thousands apart: `447,540`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `path` as a terminal may show it: whoever named the file may have put anything into its name.
pub fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_grouped() {
        let grouped = [0, 999, 1000, 447_540, 1_000_000].map(super::grouped);
        assert_eq!(grouped, ["0", "999", "1,000", "447,540", "1,000,000"]);
    }
}
