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
