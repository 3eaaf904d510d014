//! Formats numbers for people.

use std::fmt::Display;

/// Returns a non-negative integer with thousands separators: `447,540`.
pub fn grouped(number: impl Display) -> String {
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

/// Returns a number of bytes, as files are measured: `812 bytes`, `4.2 kB`, `1.3 MB`.
pub fn size(bytes: usize) -> String {
    let tenths = |unit: usize| {
        let tenths = bytes / (unit / 10);
        format!("{}.{}", grouped(tenths / 10), tenths % 10)
    };
    match bytes {
        0..1000 => format!("{bytes} bytes"),
        1000..1_000_000 => format!("{} kB", tenths(1000)),
        _ => format!("{} MB", tenths(1_000_000)),
    }
}

/// Returns a count with its noun, which takes an s in the plural: `1 edit`, `1,200 edits`.
pub fn counted(count: impl Display, what: &str) -> String {
    let count = grouped(count);
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// `count` of `of` in percent, with halves rounded up; 0 if `of` is 0. Floating point would round some
/// halves down.
pub fn percent(count: u64, of: u64) -> u64 {
    (count * 200 + of).checked_div(of * 2).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        let grouped = [0, 999, 1000, 447_540, 1_000_000].map(grouped);
        assert_eq!(grouped, ["0", "999", "1,000", "447,540", "1,000,000"]);
    }

    #[test]
    fn halves_of_a_percent_are_rounded_up() {
        let percents = [(85, 1000), (65, 1000), (575, 1000), (84, 1000), (1, 1), (0, 0)];
        let percents = percents.map(|(count, of)| percent(count, of));
        assert_eq!(percents, [9, 7, 58, 8, 100, 0]);
    }

    #[test]
    fn one_of_something_has_no_plural() {
        let counted = [0, 1, 2, 1200].map(|count| counted(count, "edit"));
        assert_eq!(counted, ["0 edits", "1 edit", "2 edits", "1,200 edits"]);
    }
}
