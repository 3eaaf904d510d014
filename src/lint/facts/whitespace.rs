//! Whitespace at the edges of texts.

use std::ops::Range;

/// True for whitespace and for characters of no width.
pub fn is_blank(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// `range` of `text` without the whitespace at its edges; empty if there is nothing else.
pub fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let end = range.start + inner.trim_end_matches(is_blank).len();
    let start = range.end - inner.trim_start_matches(is_blank).len();
    start.min(end)..end
}
